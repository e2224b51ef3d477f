// Counted nouns: one function makes them plural, and no message does it by hand.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { countText } from '../../src-protocol/count-text.ts';

const home = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['src-main', 'src-protocol', 'src-renderer', 'src-runner'];

it('T57: one file, three files, two studies', () => {
  expect([countText(1, 'file'), countText(3, 'file'), countText(0, 'file'), countText(2, 'study', 'studies')]).toEqual(['1 file', '3 files', '0 files', '2 studies']);
});

const nouns = 'files|trials|steps|timesteps|episodes|seeds|records|problems|slots|cores|points|environments|candidates|lines|events|threads|items|amendments|studies|settings|gates';
/** What is never one: several at once by their own condition, or a share of a whole. */
const allowed = [
  /\$\{parallel\} trials at once share/, // of more trials than there are cores
  /\$\{count\} candidates are many/,
  /\$\{(?:trials\.length|most)\} trials (?:were planned|ran at once)/, // of a smoke whose size is fixed
  /over \$\{snapshotCaps\.files\} files/,
  /more than \$\{zipLimits\.entries\} files/,
  /steps per second|steps\/s/, // a unit
  /\$\{(?:mostSteps|mostSeeds|mostCandidates|look)\} (?:steps|seeds|candidates)/, // of a limit above one; a look has two seeds at least
  /counted-episodes/, // stands in records, and is compared with them
];

it('T57: no message writes a number before a plural itself', () => {
  const found = folders
    .flatMap((folder) => readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => readFileSync(join(home, file), 'utf8').split('\n').map((line, index) => `${file}:${index + 1}: ${line.trim()}`))
    .filter((line) => new RegExp(`\\$\\{[^{}]*\\} (?:${nouns})\\b`).test(line) && !/: (?:\/\/|\*|\/\*)/.test(line) && !allowed.some((one) => one.test(line)));
  expect(found).toEqual([]);
});
