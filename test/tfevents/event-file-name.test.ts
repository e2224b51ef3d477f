// Names of event files, as four families of writers give them.
import { describe, expect, it } from 'vitest';
import { compareEventFiles, eventFileName, isEventFile, parseEventFileName } from '../../src-main/tfevents/event-file-name.ts';

describe('event file names', () => {
  const seconds = 1796024028;
  it.each([
    ['1796024028.vm.27343.0', { seconds, host: 'vm', pid: 27343, count: 0, suffix: '' }],
    ['1796024028.node.lab.org.27343.12', { seconds, host: 'node.lab.org', pid: 27343, count: 12, suffix: '' }],
    ['1796024028.vm.27343.0.v2', { seconds, host: 'vm', pid: 27343, count: 0, suffix: '.v2' }],
    ['1796024028.vm.27343.0_eval', { seconds, host: 'vm', pid: 27343, count: 0, suffix: '_eval' }],
    ['1796024028.10.0.0.7.27343.1', { seconds, host: '10.0.0.7', pid: 27343, count: 1, suffix: '' }],
    ['0000000012.vm.1.0', { seconds: 12, host: 'vm', pid: 1, count: 0, suffix: '' }],
    ['1796024028.gpu-box', { seconds, host: 'gpu-box', suffix: '' }],
    ['1796024028.gpu-box.example.org', { seconds, host: 'gpu-box.example.org', suffix: '' }],
    ['1796024028.10.0.0.7', { seconds, host: '10.0.0.7', suffix: '' }],
    ['1796024028.box7', { seconds, host: 'box7', suffix: '' }],
    ['12.vm.5.0', undefined],
    ['1796024028.', undefined],
    ['', undefined],
  ])('TF19: parses "%s"', (end, parts) => {
    expect(parseEventFileName(`events.out.tfevents.${end}`)).toEqual(parts);
    expect(parseEventFileName(`prefix.tfevents.${end}`)).toEqual(parts);
  });

  it('TF19: tells which files belong to a run', () => {
    expect(isEventFile('events.out.tfevents.1796024028.vm.27343.0')).toBe(true);
    expect(isEventFile('my-tfevents-file')).toBe(true);
    expect(isEventFile('events.out.tfevents.1796024028.vm.profile-empty')).toBe(false);
    expect(isEventFile('progress.csv')).toBe(false);
  });

  it('TF24: names a file as TensorBoard does, and parses it back', () => {
    const parts = { seconds: 1796024028, host: 'node.example.org', pid: 27343, count: 2 };
    expect(eventFileName(parts)).toBe('events.out.tfevents.1796024028.node.example.org.27343.2');
    expect(parseEventFileName(eventFileName(parts))).toEqual({ ...parts, suffix: '' });
    expect(eventFileName({ seconds: 12.9, host: '../a b', pid: 1, count: 0 })).toBe('events.out.tfevents.0000000012...-a-b.1.0');
    expect(eventFileName({ seconds: 12, host: '', pid: 1, count: 0 })).toBe('events.out.tfevents.0000000012.localhost.1.0');
  });

  it('TF21: orders files by second, then count, then name', () => {
    const ordered = [
      'old-tfevents',
      'events.out.tfevents.0999999999.vm.9.0',
      'events.out.tfevents.1000000000.vm.7.0',
      'events.out.tfevents.1000000000.vm.8.0',
      'events.out.tfevents.1000000000.vm.7.2',
      'events.out.tfevents.1000000000.vm.7.10',
      'events.out.tfevents.1000000001.vm.7.0',
    ];
    expect(ordered.toReversed().sort(compareEventFiles)).toEqual(ordered);
  });
});
