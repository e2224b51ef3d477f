// Which files of a folder come from two live writers.
import { describe, expect, it } from 'vitest';
import { findSeveralWriters } from '../../src-main/tfevents/writer-overlap.ts';

const file = (writer: string, first: number, last: number) => ({
  name: `events.out.tfevents.1000000000.${writer}`,
  wallTimes: { first, last },
});

describe('several writers', () => {
  it.each([
    ['one file', [file('vm.1.0', 0, 100)]],
    ['a restart', [file('vm.1.0', 0, 100), file('vm.2.0', 100, 200)]],
    ['a restart by writers without a pid', [file('vm', 0, 100), file('vm2', 101, 200)]],
    ['a second writer that wrote only once', [file('vm.1.0', 0, 100), file('vm.2.0', 50, 50)]],
    ['two files of one process', [file('vm.1.0', 0, 100), file('vm.1.1', 10, 90)]],
    ['a file without events', [file('vm.1.0', 0, 100), { ...file('vm.2.0', 0, 0), wallTimes: undefined }]],
    ['no file', []],
  ])('TF23: accepts %s', (_name, files) => {
    expect(findSeveralWriters(files)).toBe(undefined);
    expect(findSeveralWriters(files.toReversed())).toBe(undefined);
  });

  it.each([
    ['two processes', file('vm.1.0', 0, 100), file('vm.2.0', 50, 120), 100],
    ['one process number on two hosts', file('a.1.0', 0, 100), file('b.1.0', 50, 70), 70],
    ['two files without a pid', file('vm', 0, 100), file('other', 50, 120), 100],
    ['names of no known form', { ...file('', 0, 100), name: 'a-tfevents' }, { ...file('', 50, 60), name: 'b-tfevents' }, 60],
  ])('TF23: reports %s that wrote at the same time', (_name, earlier, later, until) => {
    const finding = { kind: 'several-writers', files: [earlier.name, later.name], from: 50, until };
    expect(findSeveralWriters([earlier, later])).toEqual(finding);
    expect(findSeveralWriters([later, earlier])).toEqual(finding);
    expect(findSeveralWriters([file('vm.9.0', -50, 0), later, earlier])).toEqual(finding);
  });
});
