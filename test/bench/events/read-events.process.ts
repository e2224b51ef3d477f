// Reads one event file to a curve for every tag in a process of its own, as cold as a user's: prints seconds and digests.
import { createHash } from 'node:crypto';
import { openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { makeRunCurves } from '../../../src-main/tfevents/run-curves.ts';
import { makeRunReader } from '../../../src-main/tfevents/run-reader.ts';

const path = process.argv[2] ?? '';
const name = basename(path);
const beganMs = performance.now();
const run = makeRunReader();
const curves = makeRunCurves();
const reader = run.file(name);
const file = openSync(path, 'r');
const slice = new Uint8Array(1024 * 1024);
for (let bytes = readSync(file, slice); bytes > 0; bytes = readSync(file, slice)) curves.add(name, reader.push(slice.subarray(0, bytes)));
const series = run.tags.map((tag) => ({ tag, curve: curves.curve(tag) }));
const seconds = (performance.now() - beganMs) / 1000;

const digests = Object.fromEntries(
  series.map(({ tag, curve: { steps, wallTimes, values } }) => {
    const rows = new Float64Array(3 * steps.length);
    for (let row = 0; row < steps.length; row += 1) rows.set([steps[row]!, wallTimes[row]!, values[row]!], 3 * row);
    return [tag, createHash('sha256').update(new Uint8Array(rows.buffer)).digest('hex')];
  }),
);
console.log(JSON.stringify({ seconds, points: reader.counts.points, digests }));
