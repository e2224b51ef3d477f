// What a repair of a ledger that cannot be trusted would keep and lose, told before anybody asks for it. Core rooms left of ledger may import it.
import { countText } from '../../../src-protocol/count-text.ts';
import { projectPaths } from '../workspace/layout.ts';
import { readChain } from './chain.ts';
import type { LedgerPorts } from './ledger.ts';

/** Decisions among the lines that would be lost; the rest of them tells what happened. */
const decisions: readonly (readonly [kind: string, one: string])[] = [
  ['gate_confirmed', 'confirmation'],
  ['experiment_approved', 'approval'],
  ['amendment', 'amendment'],
  ['doctor_approved', 'approval of a doctor'],
];

/** In sentences. Nothing is changed. */
export async function tellRepair({ files }: Pick<LedgerPorts, 'files'>, root: string): Promise<string> {
  const { ledger } = projectPaths(root);
  const bytes = (await files.stat(ledger)) === null ? new Uint8Array() : await files.readBytes(ledger);
  const { lines, damage } = readChain(bytes);
  const behind = damage === null ? [] : new TextDecoder().decode(bytes).split('\n').slice(lines.length, -1);
  const lost = decisions.flatMap(([kind, one]) => {
    const count = behind.filter((line) => kindOf(line) === kind).length;
    return count === 0 ? [] : [countText(count, one, one.replace(/^\w+/, (word) => `${word}s`))];
  });
  const what = lost.length === 0 ? '' : `, ${lost.join(', ')} among them`;
  const loses = behind.length === 0 ? 'loses none' : `loses the ${behind.length === 1 ? 'line' : countText(behind.length, 'line')} from line ${lines.length + 1} on${what}: they stay in the copy, and count no more`;
  return `A repair keeps ${countText(lines.length, 'line')} and ${loses}. After it all gates must be confirmed anew${lost.length === 0 ? '' : ', and what was approved in lost lines approved again'}.`;
}

/** As far as it can be told of a line that may be damaged itself. */
function kindOf(line: string): string | null {
  return /"kind":"([a-z_]+)"/.exec(line)?.[1] ?? null;
}
