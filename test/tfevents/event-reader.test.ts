// The reader on files that PyTorch and Stable-Baselines3 wrote, whole and damaged.
import { describe, expect, it } from 'vitest';
import { FRAME_BYTES, frameRecord, readLength } from '../../src-main/tfevents/framing.ts';
import { viewOf } from '../../src-main/tfevents/held-bytes.ts';
import { byTag, concat, expectedIn, fixture, message, readAll } from './event-bytes.ts';

const expected = expectedIn('expected.json');
const simple = byTag(readAll(fixture('simple')).points);
const WHOLE = { kind: 'waiting', tail: 'none' };

describe('event reader on files that PyTorch wrote', () => {
  it.each(['simple', 'newstyle', 'nonfinite', 'manytags'])('TF9: reads every point of "%s", bit for bit', (suffix) => {
    const { points, reader } = readAll(fixture(suffix));
    expect(byTag(points)).toEqual(expected[suffix]);
    expect(reader.state).toEqual(WHOLE);
    expect(reader.fileVersion).toBe('brain.Event:2');
    expect(reader.offset).toBe(fixture(suffix).length);
  });

  it('TF11: reads "double" as the float32 values that its simple values hold', () => {
    const written = expected['double'] as Record<string, [number, number, number][]>;
    const held = written['loss/value']!.map(([step, wallTime, value]) => [step, wallTime, Math.fround(value)]);
    expect(byTag(readAll(fixture('double')).points)).toEqual({ 'loss/value': held });
  });

  it('TF9: reads a Stable-Baselines3 run as TensorBoard does', () => {
    const { points, reader } = readAll(fixture('vm.12644.0', 'events.out.tfevents.1796028931'));
    expect(byTag(points)).toEqual(expectedIn('sb3.json'));
    expect(reader.state).toEqual(WHOLE);
  });

  it('TF13: counts the histogram and the text among the scalars of "manytags"', () => {
    expect(readAll(fixture('manytags')).reader.counts).toMatchObject({ points: 80, otherValues: 2, malformedRecords: 0 });
  });

  it('TF3: waits at the beginning of an empty file', () => {
    const { points, reader } = readAll(fixture('empty'));
    expect(points).toEqual([]);
    expect(reader).toMatchObject({ state: WHOLE, offset: 0, position: 0, fileVersion: undefined, wallTimes: undefined });
  });

  it('TF5: skips the record of "badpayload" and reads all others', () => {
    const { points, reader } = readAll(fixture('badpayload'));
    expect(byTag(points)).toEqual(without(simple, 19));
    expect(reader.counts).toMatchObject({ records: 50, badRecords: 1, points: 49 });
    expect(reader.state).toEqual(WHOLE);
  });

  it('TF6: stops "badlength" at the damaged byte', () => {
    const { points, reader } = readAll(fixture('badlength'));
    expect(byTag(points)).toEqual(firstRows(simple, 19));
    expect(reader.state).toEqual({ kind: 'damaged', atByte: reader.offset, records: 20, reason: 'length-crc' });
    expect(reader.position).toBe(reader.offset);
    expect(reader.push(fixture('simple')).points.length).toBe(0);
  });

  it('TF7: finds the rest of "badlength"', () => {
    const { points: before, reader } = readAll(fixture('badlength'));
    const damagedAt = reader.offset;
    reader.scanForward();
    expect(reader.state).toEqual({ kind: 'scanning', atByte: damagedAt });
    const { points: behind } = readAll(fixture('badlength'), 1000, reader);
    expect(byTag([...before, ...behind])).toEqual(without(simple, 19));
    expect(reader.state).toEqual(WHOLE);
    expect(reader.counts).toMatchObject({ records: 50, damages: 1, points: 49 });
    expect(reader.counts.skippedBytes).toBe(FRAME_BYTES + readLength(viewOf(fixture('simple')), damagedAt));
  });

  it('TF3: waits for the end of "torn", and takes it when it comes', () => {
    const { points, reader } = readAll(fixture('torn'));
    expect(byTag(points)).toEqual(firstRows(simple, 49));
    expect(reader.state).toEqual({ kind: 'waiting', tail: 'partial' });
    expect(reader.position).toBe(fixture('torn').length);
    const rest = readAll(fixture('simple'), 3, reader);
    expect(byTag([...points, ...rest.points])).toEqual(simple);
    expect(reader.state).toEqual(WHOLE);
  });

  it('TF8: reads all of "zerotail" and leaves the zeros', () => {
    const { points, reader } = readAll(fixture('zerotail'), 1024);
    expect(byTag(points)).toEqual(simple);
    expect(reader.state).toEqual({ kind: 'waiting', tail: 'zeros' });
    expect(reader.offset).toBe(fixture('zerotail').length - 4096);
  });

  it('TF17: reports the START of "purge1" with its place', () => {
    const { starts, points } = readAll(fixture('purge1', 'events.out.tfevents.1764500010.host.4242'));
    expect(starts).toEqual([{ step: 6, wallTime: expect.closeTo(1796028928, -2) as number, atPoint: 0 }]);
    expect(points[0]?.step).toBe(6);
  });

  it('TF23: knows the first and the last wall time, and believes no impossible one', () => {
    const at = (wallTime: number) => frameRecord(message().double(1, wallTime).finish());
    const { reader } = readAll(concat(...[0, 50, NaN, Infinity, -5, 40, 60, 55].map(at)));
    expect(reader.wallTimes).toEqual({ first: 40, last: 60 });
  });
});

type Curves = Readonly<Record<string, readonly unknown[]>>;

function firstRows(curves: Curves, count: number): Curves {
  return Object.fromEntries(Object.entries(curves).map(([tag, rows]) => [tag, rows.slice(0, count)]));
}

function without(curves: Curves, row: number): Curves {
  return Object.fromEntries(Object.entries(curves).map(([tag, rows]) => [tag, rows.toSpliced(row, 1)]));
}
