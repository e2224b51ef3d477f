// Takes folders of the machine and secrets out of texts on their way into a bundle. This room only.
import path from 'node:path';
import type { Ports } from '../../ports.ts';
import { findSecrets, makeRedactor } from '../../redaction/redactor.ts';

export interface Cleaned {
  readonly text: string;
  readonly isRedacted: boolean;
  readonly hadPaths: boolean;
}

export interface MachineText {
  /** Without secrets, and with `<repository>`, `<program>`, `<node>` and `<home>` for the folders that lie there. */
  clean(text: string): Cleaned;
  /** Without secrets only: for files whose digests cover every other byte. */
  redact(text: string): Cleaned;
  /** Whether bytes hold a secret, as far as one can be told in what is no text. */
  holdsSecret(bytes: Uint8Array): boolean;
}

export async function makeMachineText(ports: Pick<Ports, 'files' | 'node' | 'machine'>, root: string): Promise<MachineText> {
  const { node, machine } = ports;
  const redactor = makeRedactor(findSecrets(machine));
  const program = path.resolve(node.engineFolder, '..', '..');
  const home = machine.env('HOME') ?? machine.env('USERPROFILE') ?? '';
  const named: readonly (readonly [string, string])[] = [
    [root, '<repository>'],
    [await ports.files.realPath(root), '<repository>'],
    [program, '<program>'],
    [await ports.files.realPath(program).catch(() => program), '<program>'],
    [node.execPath, '<node>'],
    [home, '<home>'],
  ];
  // The longest first: a repository mostly lies in somebody's home.
  const places = named
    .filter(([place]) => place.length > 2)
    .flatMap(([place, name]) => [place, JSON.stringify(place).slice(1, -1)].map((form) => ({ form, name })))
    .sort((a, b) => b.form.length - a.form.length)
    .map(({ form, name }) => ({ name, pattern: new RegExp(`(?<![\\w.\\-/\\\\])${form.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g') }));
  const redact = (text: string): Cleaned => {
    const clean = redactor.text(text);
    return { text: clean, isRedacted: clean !== text, hadPaths: false };
  };
  return {
    redact,
    clean(text) {
      const without = places.reduce((so, { pattern, name }) => so.replace(pattern, name), text);
      return { ...redact(without), hadPaths: without !== text };
    },
    holdsSecret: (bytes) => redactor.holds(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')),
  };
}
