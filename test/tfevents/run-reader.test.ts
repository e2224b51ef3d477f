// Several files of one run: shared tags, replaced files, two live writers.
import { describe, expect, it } from 'vitest';
import { makeRunReader } from '../../src-main/tfevents/run-reader.ts';
import { TagTable } from '../../src-main/tfevents/tag-table.ts';
import { frameRecord } from '../../src-main/tfevents/framing.ts';
import { concat, fixture, message, scalarRecord } from './event-bytes.ts';

const FIRST = 'events.out.tfevents.1000000000.vm.1.0';
const SECOND = 'events.out.tfevents.1000000100.vm.2.0';

describe('run reader', () => {
  it('TF20: numbers the tags of all files together, and lists the files in order', () => {
    const run = makeRunReader();
    expect([...run.file(SECOND).push(concat(scalarRecord('b', 1, 1), scalarRecord('a', 1, 1))).points.tagIndex]).toEqual([0, 1]);
    expect([...run.file(FIRST).push(concat(scalarRecord('a', 1, 1), scalarRecord('c', 1, 1))).points.tagIndex]).toEqual([1, 2]);
    expect(run.tags).toEqual(['b', 'a', 'c']);
    expect(run.files).toEqual([FIRST, SECOND]);
    expect(run.file(FIRST)).toBe(run.file(FIRST));
  });

  it('TF20: has one tag limit for all files', () => {
    const run = makeRunReader(new TagTable(2));
    run.file(FIRST).push(concat(scalarRecord('a', 1, 1), scalarRecord('b', 1, 1)));
    const { points } = run.file(SECOND).push(concat(scalarRecord('c', 1, 1), scalarRecord('b', 1, 1)));
    expect(points.length).toBe(1);
    expect(run.file(SECOND).counts.refusedValues).toBe(1);
  });

  it('TF20: reads a replaced file from 0 and keeps the tag numbers', () => {
    const run = makeRunReader();
    run.file(FIRST).push(concat(scalarRecord('a', 1, 1), scalarRecord('b', 1, 1)));
    const again = run.reopen(FIRST);
    expect(again).toMatchObject({ offset: 0, position: 0 });
    expect([...again.push(scalarRecord('b', 1, 1)).points.tagIndex]).toEqual([1]);
    expect(run.file(FIRST)).toBe(again);
    expect(run.files).toEqual([FIRST]);
  });

  it('TF13: remembers plugins per file', () => {
    const run = makeRunReader();
    const tensor = message().int64(1, 1).float(5, 1);
    const foreign = message().message(1, message().text(1, 'hparams'));
    const event = (withPlugin: boolean) => {
      const value = message().text(1, 'x').message(8, tensor);
      return frameRecord(message().message(5, message().message(1, withPlugin ? value.message(9, foreign) : value)).finish());
    };
    expect(run.file(FIRST).push(concat(event(true), event(false))).points.length).toBe(0);
    expect(run.file(SECOND).push(event(false)).points.length).toBe(1);
  });

  it('TF23: reports two live writers as soon as their events interleave', () => {
    const run = makeRunReader();
    const at = (wallTime: number) => frameRecord(message().double(1, wallTime).finish());
    run.file(FIRST).push(concat(at(10), at(20)));
    run.file(SECOND).push(at(21));
    expect(run.severalWriters()).toBe(undefined);
    run.file(FIRST).push(at(22));
    expect(run.severalWriters()).toBe(undefined);
    run.file(SECOND).push(at(23));
    expect(run.severalWriters()).toEqual({ kind: 'several-writers', files: [FIRST, SECOND], from: 21, until: 22 });
  });

  it('TF23: takes two parts of a Stable-Baselines3 run as one writer', () => {
    const run = makeRunReader();
    run.file('events.out.tfevents.1796028931.vm.12644.0').push(fixture('vm.12644.0', 'events.out.tfevents.1796028931'));
    run.file('events.out.tfevents.1796028931.vm.12644.1').push(fixture('vm.12644.0', 'events.out.tfevents.1796028931'));
    expect(run.severalWriters()).toBe(undefined);
  });
});
