// Builds event files for the tests of this folder, and reads the recorded ones.
import { readFileSync } from 'node:fs';
import { makeEventReader } from '../../src-main/tfevents/event-reader.ts';
import type { EventBatch, EventReader, SessionStart } from '../../src-main/tfevents/event-reader.ts';
import { frameRecord } from '../../src-main/tfevents/framing.ts';
import { scalarPoints } from '../../src-main/tfevents/scalar-columns.ts';
import type { ScalarPoint } from '../../src-main/tfevents/scalar-columns.ts';
import { WireBuilder } from '../../src-main/tfevents/wire-builder.ts';

/** Bytes of a recorded file, by the end of its name. */
export function fixture(suffix: string, prefix = 'events.out.tfevents.1764500000.host.4242'): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../fixtures/tfevents/${prefix}.${suffix}`, import.meta.url)));
}

/** The expected curves of a JSON file beside the recorded files: tag -> [step, wall time, value][]. */
export function expectedIn(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`../fixtures/tfevents/${name}`, import.meta.url), 'utf8')) as Record<string, unknown>;
}

export function hex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function message(): WireBuilder {
  return new WireBuilder();
}

/** One framed Event with this summary value. */
export function valueRecord(value: WireBuilder, step = 1): Uint8Array {
  return frameRecord(message().double(1, 100).int64(2, step).message(5, message().message(1, value)).finish());
}

/** One framed Event with a simple value. */
export function scalarRecord(tag: string, step: number, value: number): Uint8Array {
  return valueRecord(message().text(1, tag).float(2, value), step);
}

export interface Reading {
  readonly reader: EventReader;
  readonly points: readonly ScalarPoint[];
  readonly starts: readonly SessionStart[];
}

/** Reads `bytes` from the reader's position on, in pushes of `chunk` bytes. */
export function readAll(bytes: Uint8Array, chunk = bytes.length || 1, reader = makeEventReader()): Reading {
  const points: ScalarPoint[] = [];
  const starts: SessionStart[] = [];
  for (let at = reader.position; at < bytes.length; at += chunk) {
    take(reader.push(bytes.slice(at, at + chunk)), points, starts);
  }
  return { reader, points, starts };
}

/** Rows of each tag as the expected files write them, non-finite values as strings. */
export function byTag(points: readonly ScalarPoint[]): Record<string, unknown[]> {
  const curves: Record<string, unknown[]> = {};
  for (const { tag, step, wallTime, value } of points) {
    (curves[tag] ??= []).push([step, wallTime, Number.isFinite(value) ? value : String(value)]);
  }
  return curves;
}

/** Seeded random integers below `limit` (mulberry32), so that a failing case can be repeated. */
export function makeRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

function take(batch: EventBatch, points: ScalarPoint[], starts: SessionStart[]): void {
  for (const start of batch.starts) starts.push({ ...start, atPoint: points.length + start.atPoint });
  points.push(...scalarPoints(batch.points));
}
