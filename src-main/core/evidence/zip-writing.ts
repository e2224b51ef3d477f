// Writes an evidence zip as a stream: the same content gives the same bytes, and memory holds one piece of it. This room only.
import { Zip, ZipDeflate } from 'fflate';
import { refuse } from '../../../src-protocol/refusal.ts';
import { zipLimits, zipTime } from './zip-container.ts';

export interface ContentToPack {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Pieces of the zip, in order. Names must be given in the order they are to have. */
export async function* zipPieces(contents: AsyncIterable<ContentToPack>): AsyncGenerator<Uint8Array> {
  let out: Uint8Array[] = [];
  let fault: Error | null = null;
  const zip = new Zip((error, piece) => {
    if (error === null) out.push(piece);
    else fault ??= error;
  });
  let packed = 0;
  let unpacked = 0;
  const take = (): readonly Uint8Array[] => {
    if (fault !== null) throw fault;
    const pieces = out;
    out = [];
    for (const piece of pieces) packed += piece.length;
    if (Math.max(packed, unpacked) > zipLimits.bytes) refuse('invalid_file', `The evidence is larger than ${zipLimits.bytes / 1e9} GB.`, { next: 'Pack it without `--checkpoints`, or remove event files that nothing rests on.' });
    return pieces;
  };
  let entries = 0;
  for await (const { name, content } of contents) {
    entries += 1;
    if (entries > zipLimits.entries) refuse('invalid_file', `The evidence has more than ${zipLimits.entries} files.`, { next: 'Pack it without `--checkpoints`.' });
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = zipTime;
    entry.os = 0;
    entry.attrs = 0;
    zip.add(entry);
    for await (const piece of content) {
      unpacked += piece.length;
      entry.push(piece, false);
      yield* take();
    }
    entry.push(new Uint8Array(), true);
    yield* take();
  }
  zip.end();
  yield* take();
}
