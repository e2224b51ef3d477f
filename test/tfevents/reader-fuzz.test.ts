// Throws thousands of broken files at the reader. A failing case is named by its number, which is its seed.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { makeEventReader } from '../../src-main/tfevents/event-reader.ts';
import { frameRecord } from '../../src-main/tfevents/framing.ts';
import { concat, fixture, makeRandom, message, readAll, scalarRecord } from './event-bytes.ts';

type Random = (limit: number) => number;

const SOURCES = [
  fixture('simple').subarray(0, 1500),
  fixture('manytags').subarray(0, 2500),
  fixture('tensors').subarray(0, 2500),
  fixture('purge1', 'events.out.tfevents.1764500010.host.4242'),
  concat(...Array.from({ length: 20 }, (_, at) => scalarRecord('a', at, at)), new Uint8Array(64)),
];

describe('broken files', () => {
  it('TF18: 1,000 broken files make nothing throw, loop or differ between splits', () => {
    for (let seed = 0; seed < 1000; seed += 1) {
      const random = makeRandom(seed);
      const bytes = mutate(SOURCES[random(SOURCES.length)]!, random);
      const whole = readThrough(bytes, bytes.length + 1);
      const split = readThrough(bytes, 1 + random(700));
      if (JSON.stringify(split) !== JSON.stringify(whole)) throw new Error(`case ${seed} differs between splits`);
      if (whole.position > bytes.length || whole.offset > whole.position) throw new Error(`case ${seed} left the file`);
    }
  });

  it('TF18: 1,000 broken messages in sound records cost at most themselves', () => {
    const sound = scalarRecord('after', 1, 1);
    for (let seed = 0; seed < 1000; seed += 1) {
      const random = makeRandom(seed);
      const { reader, points } = readAll(concat(frameRecord(mutate(richEvent(), random)), sound));
      const { records, points: counted, malformedRecords } = reader.counts;
      const isRight = records === 2 && counted === points.length && malformedRecords <= 1 && points.at(-1)?.tag === 'after';
      if (!isRight) throw new Error(`case ${seed} did harm`);
    }
  });

  it('TF18: 200 files of noise are damaged or waiting, and never hold more than they got', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const random = makeRandom(seed);
      const noise = Uint8Array.from({ length: random(3000) }, () => random(random(2) === 0 ? 256 : 4));
      expect(readThrough(noise, 100).counts.points).toBe(0);
    }
  });

  it('TF4: memory stays flat while a file is followed', async () => {
    const reader = makeEventReader();
    const part = concat(...Array.from({ length: 400 }, (_, at) => scalarRecord(`tag ${at % 40}`, at, at)));
    for (let round = 0; round < 50; round += 1) reader.push(part);
    const before = await liveBytes();
    for (let round = 0; round < 1000; round += 1) {
      reader.push(part.subarray(0, 777));
      reader.push(part.subarray(777));
    }
    expect(reader.counts.points).toBe(1050 * 400);
    expect((await liveBytes()) - before).toBeLessThan(5_000_000); // 400,000 points take 11 MB
  });
});

/** What is reachable. Freed array buffers are swept beside the program, so it collects twice. */
async function liveBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  for (let round = 0; round < 2; round += 1) {
    runInNewContext('gc')();
    await new Promise((done) => setTimeout(done, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Reads to the end, past all damage, as a caller would. */
function readThrough(bytes: Uint8Array, chunk: number) {
  const first = readAll(bytes, chunk);
  first.reader.scanForward();
  const second = readAll(bytes, chunk, first.reader);
  const { state, counts, offset, position } = second.reader;
  const points = [...first.points, ...second.points];
  const starts = [...first.starts, ...second.starts];
  return { points, starts, state, counts, offset, position };
}

function mutate(source: Uint8Array, random: Random): Uint8Array {
  let bytes: Uint8Array = source.slice();
  for (let left = 1 + random(4); left > 0 && bytes.length > 0; left -= 1) {
    const at = random(bytes.length);
    const count = random(Math.min(40, bytes.length - at));
    const kind = random(6);
    if (kind === 0) bytes[at] = bytes[at]! ^ (1 << random(8));
    else if (kind === 1) bytes[at] = random(256);
    else if (kind === 2) bytes = bytes.slice(0, at);
    else if (kind === 3) bytes = concat(bytes.subarray(0, at), bytes.subarray(at + count));
    else if (kind === 4) bytes.fill(random(2) * 255, at, at + count);
    else bytes = concat(bytes.subarray(0, at), bytes.subarray(random(at + 1), at), bytes.subarray(at));
  }
  return bytes;
}

/** An event with every kind of content that the decoder looks into. */
function richEvent(): Uint8Array {
  const plugin = message().message(1, message().text(1, 'scalars').text(2, 'content')).text(2, 'name');
  const shape = message().message(2, message().int64(1, 1));
  const tensor = message().int64(1, 9).message(2, shape).bytes(10, new Uint8Array([0x80, 1]));
  const simple = message().text(1, 'a').float(2, 1);
  const modern = message().text(1, 'b').message(8, tensor).message(9, plugin);
  return message()
    .double(1, 100)
    .int64(2, -5)
    .text(3, 'brain.Event:2')
    .message(5, message().message(1, simple).message(1, modern))
    .message(7, message().int64(1, 1))
    .finish();
}
