// Power cuts at every call of a write, with any part of what was not synced lost: seeded, and a failing seed is named.
import { expect, test } from 'vitest';
import { appendLine } from '../../src-main/durable/append-line.ts';
import { parseJournal } from '../../src-main/durable/journal.ts';
import { replaceFile } from '../../src-main/durable/replace-file.ts';
import { PowerCut, PowerDisk, type Chance } from './support/power-disk.ts';

const seeds = 1_000;

test('D30 after a power cut at any call a replaced file is one whole version, never older than the last acknowledged one', async () => {
  let cuts = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const chance = chanceOf(seed);
    const disk = new PowerDisk();
    let acknowledged = -1;
    for (let version = 0; version < 6; version += 1) {
      if (chance(3) === 0) disk.cutAt(1 + chance(9));
      try {
        await replaceFile('/r/winner.json', versionText(version), { disk });
        acknowledged = version;
      } catch (error) {
        expect(error).toBeInstanceOf(PowerCut);
        cuts += 1;
      }
      if (chance(2) === 0 || acknowledged < version) disk.reboot(chance);
      const found = disk.read('/r/winner.json');
      if (found === null) expect(acknowledged, `seed ${seed}`).toBe(-1);
      else expect(found.toString(), `seed ${seed}`).toBe(versionText(Math.max(acknowledged, Number(found.toString().split(' ')[0]))));
      if (found !== null) acknowledged = Number(found.toString().split(' ')[0]);
    }
  }
  process.stdout.write(`replaceFile: ${seeds} histories, ${cuts} cut within a write, 0 torn, 0 lost\n`);
  expect(cuts).toBeGreaterThan(500);
});

test('D43 after a power cut a passing file is one whole version, of which the last acknowledged ones may be gone', async () => {
  let older = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const chance = chanceOf(seed * 104_729);
    const disk = new PowerDisk();
    await replaceFile('/r/campaign.json', versionText(0), { disk });
    for (let version = 1; version < 5; version += 1) await replaceFile('/r/campaign.json', versionText(version), { disk, isPassing: true });
    disk.reboot(chance);
    const found = disk.read('/r/campaign.json')?.toString() ?? 'nothing';
    expect(Array.from({ length: 5 }, (_, version) => versionText(version)), `seed ${seed}`).toContain(found);
    if (found !== versionText(4)) older += 1;
  }
  expect(older).toBeGreaterThan(0);
});

test('D31 after a power cut at any call every acknowledged line is there, in order, and the next append repairs the rest', async () => {
  let cuts = 0;
  let torn = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const chance = chanceOf(seed * 7919);
    const disk = new PowerDisk();
    const acknowledged = new Set<number>();
    for (let number = 0; number < 8; number += 1) {
      if (chance(3) === 0) disk.cutAt(1 + chance(14));
      try {
        await appendLine('/r/trials.jsonl', lineText(number), { disk, now: () => new Date(seed * 1000 + number) });
        acknowledged.add(number);
      } catch (error) {
        expect(error).toBeInstanceOf(PowerCut);
        cuts += 1;
      }
      if (chance(2) === 0 || !acknowledged.has(number)) disk.reboot(chance);
      const journal = parseJournal(disk.read('/r/trials.jsonl') ?? new Uint8Array());
      if (journal.tornTail !== null) torn += 1;
      const found = journal.lines.map((line) => (line.value as { number: number }).number);
      const isOrdered = found.every((number, index) => index === 0 || number > (found[index - 1] ?? 0));
      if (journal.damage !== null || !isOrdered) throw new Error(`seed ${seed}: damaged or out of order: ${found.join()} ${JSON.stringify(journal.damage)}`);
      const lost = [...acknowledged].filter((one) => !found.includes(one));
      const changed = journal.lines.filter((line, index) => line.text !== lineText(found[index] ?? -1));
      expect({ lost, changed }, `seed ${seed}`).toEqual({ lost: [], changed: [] });
    }
  }
  process.stdout.write(`appendLine: ${seeds} histories, ${cuts} cut within an append, ${torn} torn tails, 0 lines lost\n`);
  expect(cuts).toBeGreaterThan(500);
  expect(torn).toBeGreaterThan(50);
});

function versionText(version: number): string {
  return `${version} ${'x'.repeat(50)} end`;
}

function lineText(number: number): string {
  return JSON.stringify({ number, text: 'y'.repeat(number * 3), end: true });
}

/** mulberry32 */
function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
