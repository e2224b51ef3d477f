// Batches of all sizes stay as they were handed out.
import { describe, expect, it } from 'vitest';
import { ColumnBuilder, scalarPoints } from '../../src-main/tfevents/scalar-columns.ts';

describe('scalar columns', () => {
  it.each([0, 1, 256, 257, 32_768, 32_769, 100_000])('TF9: hands out %i rows as they were added, batch after batch', (count) => {
    const builder = new ColumnBuilder(['a', 'b']);
    for (const batch of [0, 1, 2]) {
      for (let row = 0; row < count; row += 1) builder.add(row % 2, row, batch, -row);
      const columns = builder.take();
      const { length, tagIndex, steps, wallTimes, values } = columns;
      expect([length, tagIndex.length, steps.length, wallTimes.length, values.length]).toEqual(Array(5).fill(count));
      expect(steps.every((step, row) => step === row)).toBe(true);
      expect(wallTimes.every((time) => time === batch)).toBe(true);
      expect(values.every((value, row) => value === -row)).toBe(true);
      expect(tagIndex.every((tag, row) => tag === row % 2)).toBe(true);
    }
  });

  it('TF9: does not write to what it handed out', () => {
    for (const count of [10, 50_000]) {
      const builder = new ColumnBuilder(['a']);
      for (let row = 0; row < count; row += 1) builder.add(0, row, 0, 1);
      const first = builder.take();
      for (let row = 0; row < count; row += 1) builder.add(0, -1, 0, 2);
      expect(first.values.every((value) => value === 1)).toBe(true);
      expect(builder.take().values.every((value) => value === 2)).toBe(true);
    }
  });

  it('TF9: gives rows one by one', () => {
    const builder = new ColumnBuilder(['a', 'b']);
    builder.add(1, 5, 100, NaN);
    builder.add(0, 6, 101, -0);
    expect([...scalarPoints(builder.take())]).toEqual([
      { tag: 'b', step: 5, wallTime: 100, value: NaN },
      { tag: 'a', step: 6, wallTime: 101, value: -0 },
    ]);
  });
});
