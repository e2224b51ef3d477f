// Bytes of event files for the tests of the tail.
import { makeEventWriter } from '../../../src-main/tfevents/event-writer.ts';

export type Row = readonly [step: number, values: Readonly<Record<string, number>>];

/** One record per element: the file version first. */
export function eventRecords(rows: readonly Row[], startS = 1000): readonly Uint8Array[] {
  const records: Uint8Array[] = [];
  const writer = makeEventWriter((record) => records.push(record), startS);
  rows.forEach(([step, values], index) =>
    writer.scalars(
      { step, wallTime: startS + index },
      Object.entries(values).map(([tag, value]) => ({ tag, value, form: 'double' as const })),
    ),
  );
  return records;
}

export function joined(records: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(records);
}
