// What somebody who wants to fool the verification does to a bundle: unpack it, change it, pack it again so that every digest fits.
// For the tests of this folder and of test/campaign.
import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { zipPieces } from '../../src-main/core/evidence/zip-writing.ts';
import { evidenceIndex } from '../../src-protocol/files/evidence-index.ts';

export type Contents = Map<string, Uint8Array>;

export function unpack(zip: Uint8Array): Contents {
  return new Map(Object.entries(unzipSync(zip)));
}

export function textIn(contents: Contents, name: string): string {
  const bytes = contents.get(name);
  if (bytes === undefined) throw new Error(`there is no ${name}: ${[...contents.keys()].join(', ')}`);
  return new TextDecoder().decode(bytes);
}

export function changeText(contents: Contents, name: string, how: (text: string) => string): Contents {
  const before = textIn(contents, name);
  const after = how(before);
  if (after === before) throw new Error(`nothing was changed in ${name}`);
  return new Map([...contents, [name, new TextEncoder().encode(after)]]);
}

/** The zip of these entries; with `fits`, index.json is made to fit them. */
export async function pack(contents: Contents, { fits = true }: { readonly fits?: boolean } = {}): Promise<Uint8Array> {
  const index = evidenceIndex.parse(JSON.parse(textIn(contents, 'index.json')));
  const names = [...contents.keys()].filter((name) => name !== 'index.json');
  const entries = names.map((name) => ({ name, bytes: contents.get(name)?.length ?? 0, sha256: createHash('sha256').update(contents.get(name) ?? '').digest('hex') }));
  const indexBytes = fits ? new TextEncoder().encode(`${JSON.stringify({ ...index, entries }, null, 1)}\n`) : (contents.get('index.json') ?? new Uint8Array());
  async function* all() {
    for (const name of names) yield await Promise.resolve({ name, content: [contents.get(name) ?? new Uint8Array()] });
    yield { name: 'index.json', content: [indexBytes] };
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of zipPieces(all())) pieces.push(piece);
  return Buffer.concat(pieces);
}
