// Writes the event file that all contenders read: seeded, one value an event, some of them not finite. Imported by test/bench/events only.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeEventWriter } from '../../../src-main/tfevents/event-writer.ts';

const tags = Array.from({ length: 40 }, (_, at) => `train/metric_${at}/mean`);
const writeBytes = 1024 * 1024;

export interface EventFile {
  readonly folder: string;
  readonly path: string;
  readonly bytes: number;
  readonly points: number;
}

/** At least `points` points, or `bytes` bytes, whichever is given; whole rounds of the 40 tags. */
export function writeEventFile(folder: string, least: { readonly bytes?: number; readonly points?: number }): EventFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'events.out.tfevents.1700000000.host.1.0');
  const file = openSync(path, 'w');
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let bytes = 0;
  const flush = (): void => {
    writeSync(file, Buffer.concat(held));
    held.length = 0;
    heldBytes = 0;
  };
  const sink = (record: Uint8Array): void => {
    held.push(record);
    heldBytes += record.length;
    bytes += record.length;
    if (heldBytes > writeBytes) flush();
  };
  const writer = makeEventWriter(sink, 1.7e9);
  const random = makeRandom();
  let points = 0;
  for (let round = 0; bytes < (least.bytes ?? 0) || points < (least.points ?? 0); round += 1) {
    for (const tag of tags) {
      const value = random() < 1e-4 ? [NaN, Infinity, -Infinity, -0][Math.floor(4 * random())]! : Math.sin(round / 1000) + random();
      writer.scalars({ step: round * 8, wallTime: 1.7e9 + round / 4 + random() / 10 }, [{ tag, value }]);
      points += 1;
    }
  }
  flush();
  closeSync(file);
  return { folder, path, bytes, points };
}

/** Between 0 and 1; a linear congruence is random enough for a file. */
function makeRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
