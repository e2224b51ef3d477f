// A small event file as TensorBoard's own writer made it, and what it holds: eight points of one tag, not all of them finite. This room only.
import { makeEventReader } from '../../tfevents/event-reader.ts';
import { scalarPoints } from '../../tfevents/scalar-columns.ts';
import { expectSame } from './screening-smoke.ts';

const bytes =
  'SAAAAAAAAAD+kkidCSC2LoBOw9pBGg1icmFpbi5FdmVudDoyUi4KLHRlbnNvcmJvYXJkLnN1bW1hcnkud3JpdGVyLmV2ZW50X2ZpbGVfd3JpdGVyf/O1lSYAAAAAAAAAc0/jAAkAAACICEvaQSobCh' +
  'kKEkxvc3MgLyBQb2xpY3kgbG9zcxUAAIA/80qtEigAAAAAAAAA/3AWSgkAAECICEvaQRABKhsKGQoSTG9zcyAvIFBvbGljeSBsb3NzFQAAgH+L8pDgKAAAAAAAAAD/cBZKCQAAgIgIS9pBEAIqGwoZ' +
  'ChJMb3NzIC8gUG9saWN5IGxvc3MVAAAAQD1lBuMoAAAAAAAAAP9wFkoJAADAiAhL2kEQAyobChkKEkxvc3MgLyBQb2xpY3kgbG9zcxUAAMB/lYcisCgAAAAAAAAA/3AWSgkAAACJCEvaQRAEKhsKGQ' +
  'oSTG9zcyAvIFBvbGljeSBsb3NzFQAAgP9k5YaKKAAAAAAAAAD/cBZKCQAAQIkIS9pBEAUqGwoZChJMb3NzIC8gUG9saWN5IGxvc3MVAAAAgGVL8bQoAAAAAAAAAP9wFkoJAACAiQhL2kEQBiobChkK' +
  'Ekxvc3MgLyBQb2xpY3kgbG9zcxWZdpZ+ReiWhigAAAAAAAAA/3AWSgkAAMCJCEvaQRAHKhsKGQoSTG9zcyAvIFBvbGljeSBsb3NzFQAAQEBxZ/kO';

export function goldenBytes(): Uint8Array {
  return new Uint8Array(Buffer.from(bytes, 'base64'));
}

/** What went wrong, in sentences. */
export function goldenEvents(given: Uint8Array = goldenBytes()): readonly string[] {
  const reader = makeEventReader();
  const points = [...scalarPoints(reader.push(given).points)].map(({ step, value }) => `${step}: ${Object.is(value, -0) ? '-0' : String(value)}`);
  return [
    ...expectSame('its points', points.join(', '), '0: 1, 1: Infinity, 2: 2, 3: NaN, 4: -Infinity, 5: -0, 6: 9.999999680285692e+37, 7: 3'),
    ...expectSame('its damaged records', String(reader.counts.badRecords + reader.counts.damages), '0'),
  ];
}
