// Restarts with and without purge, over one and several files.
import { describe, expect, it } from 'vitest';
import { makeRunCurves } from '../../src-main/tfevents/run-curves.ts';
import type { Curve } from '../../src-main/tfevents/run-curves.ts';
import { makeRunReader } from '../../src-main/tfevents/run-reader.ts';
import { frameRecord } from '../../src-main/tfevents/framing.ts';
import { concat, expectedIn, fixture, message, scalarRecord } from './event-bytes.ts';

const FIRST = 'events.out.tfevents.1000000000.vm.1.0';
const SECOND = 'events.out.tfevents.1000000100.vm.2.0';
const THIRD = 'events.out.tfevents.1000000200.vm.3.0';

const start = (step: number): Uint8Array =>
  frameRecord(message().double(1, 100).int64(2, step).message(7, message().int64(1, 1)).finish());
const steps = (from: number, to: number, tag = 'x'): Uint8Array =>
  concat(...Array.from({ length: to - from }, (_, at) => scalarRecord(tag, from + at, from + at)));

function makeRun() {
  const run = makeRunReader();
  const curves = makeRunCurves();
  return {
    push: (name: string, ...parts: readonly Uint8Array[]) => curves.add(name, run.file(name).push(concat(...parts))),
    forget: (name: string) => {
      curves.forget(name);
      run.reopen(name);
    },
    curve: (tag = 'x') => curves.curve(tag),
    stepsOf: (tag = 'x') => [...curves.curve(tag).steps],
  };
}

function rows(curve: Curve): number[][] {
  return [...curve.steps].map((step, row) => [step, curve.wallTimes[row]!, curve.values[row]!]);
}

describe('curves of a run', () => {
  const [purge0, purge1] = ['events.out.tfevents.1764500000.host.4242.purge0', 'events.out.tfevents.1764500010.host.4242.purge1'];
  const bytes0 = fixture('purge0');
  const bytes1 = fixture('purge1', 'events.out.tfevents.1764500010.host.4242');
  const expected = (expectedIn('expected.json')['purge (two files, one run)'] as { x: number[][] }).x;

  it('TF21: unites "purge0" and "purge1" as PyTorch meant it, in whatever order they are read', () => {
    const forwards = makeRun();
    forwards.push(purge0, bytes0);
    forwards.push(purge1, bytes1);
    expect(rows(forwards.curve())).toEqual(expected);
    expect(forwards.curve()).toMatchObject({ segmentStarts: [0], purgedPoints: 4 });

    const backwards = makeRun();
    backwards.push(purge1, bytes1);
    backwards.push(purge0, bytes0.subarray(0, 200));
    backwards.push(purge0, bytes0.subarray(200));
    expect(rows(backwards.curve())).toEqual(expected);
  });

  it('TF21: voids only earlier sessions, of all tags', () => {
    const run = makeRun();
    run.push(FIRST, steps(0, 10), steps(0, 10, 'y'), start(5), steps(5, 8), start(7), steps(7, 9));
    expect(run.stepsOf()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(run.stepsOf('y')).toEqual([0, 1, 2, 3, 4]);
    run.push(SECOND, start(2), steps(2, 12), start(11));
    expect(run.stepsOf()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    run.push(FIRST, steps(9, 20), steps(1, 2));
    expect(run.stepsOf()).toEqual([0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('TF21: a START at 0 voids everything before it, and several STARTs the most of them', () => {
    const run = makeRun();
    run.push(FIRST, steps(0, 10));
    run.push(SECOND, start(8), start(3), start(5), steps(5, 6));
    expect(run.stepsOf()).toEqual([0, 1, 2, 5]);
    run.push(THIRD, start(0));
    expect(run.stepsOf()).toEqual([]);
    expect(run.curve()).toMatchObject({ segmentStarts: [], purgedPoints: 11 });
  });

  it('TF21: places a START in the middle of a push', () => {
    const bytes = concat(steps(0, 4), start(2), steps(2, 4));
    const [whole, split] = [makeRun(), makeRun()];
    whole.push(FIRST, bytes);
    for (const byte of bytes) split.push(FIRST, new Uint8Array([byte]));
    expect(whole.curve()).toEqual(split.curve());
    expect(whole.stepsOf()).toEqual([0, 1, 2, 3]);
  });

  it('TF22: begins a segment where the step goes back, and keeps all points', () => {
    const run = makeRun();
    run.push(FIRST, steps(0, 5));
    run.push(SECOND, steps(3, 6), steps(5, 6), steps(0, 2), steps(10, 12, 'y'));
    expect(run.stepsOf()).toEqual([0, 1, 2, 3, 4, 3, 4, 5, 5, 0, 1]);
    expect(run.curve()).toMatchObject({ segmentStarts: [0, 5, 9], purgedPoints: 0 });
    expect(run.curve('y').segmentStarts).toEqual([0]);
  });

  it('TF20: forgets the points of a replaced file', () => {
    const run = makeRun();
    run.push(FIRST, steps(0, 5));
    run.push(SECOND, start(2), steps(2, 4));
    run.forget(SECOND);
    expect(run.stepsOf()).toEqual([0, 1, 2, 3, 4]);
    run.push(SECOND, start(4), steps(4, 6));
    expect(run.stepsOf()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('TF9: gives an empty curve for a tag without points', () => {
    expect(makeRun().curve('none')).toMatchObject({ segmentStarts: [], purgedPoints: 0, steps: new Float64Array(0) });
  });
});
