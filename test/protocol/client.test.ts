import { describe, expect, expectTypeOf, it } from 'vitest';
import { makeClient } from '../../src-protocol/client.ts';
import type { Transport } from '../../src-protocol/client.ts';
import type { Frame } from '../../src-protocol/frame.ts';
import { nearestWord } from '../../src-protocol/nearest.ts';
import { stringifyWire } from '../../src-protocol/number.ts';
import { sampleChanges, sampleInputs, sampleOutputs } from '../conformance/doors/samples.ts';

function sends(output: unknown, frames: readonly Frame[] = []): Transport {
  const wire = (value: unknown): unknown => JSON.parse(stringifyWire(value)) as unknown;
  return {
    call: () => Promise.resolve({ ok: true, output: wire(output) }),
    async *open() {
      for (const frame of frames) yield wire(frame) as Frame;
    },
  };
}

describe('the typed client', () => {
  it('T16: gives numbers where the wire carries their names', async () => {
    const client = makeClient(sends(sampleOutputs.trial_causes));
    const result = await client.call('trial_causes', sampleInputs.trial_causes);
    expect(result).toEqual({ ok: true, output: sampleOutputs.trial_causes });
    if (result.ok) expectTypeOf(result.output.trial.rows[0]?.mean_return).toEqualTypeOf<number | undefined>();
  });

  it('T16: does the same for feeds', async () => {
    const change = sampleChanges.campaign_watch[0];
    const client = makeClient(sends(null, [{ kind: 'change', seq: 1, change }]));
    const frames: unknown[] = [];
    for await (const frame of client.open('campaign_watch', { root: '/r', study: 'quick' })) frames.push(frame);
    expect(frames).toEqual([{ kind: 'change', seq: 1, change }]);
  });

  it('rejects an output of another version instead of passing it on', async () => {
    await expect(makeClient(sends({ surprise: 1 })).call('contract_show', { root: '/r' })).rejects.toThrow();
  });

  it('takes only inputs of the tool it names', () => {
    const client = makeClient(sends(null));
    // @ts-expect-error -- a study is missing
    const missing = () => client.call('campaign_run', { root: '/r' });
    // @ts-expect-error -- there is no such tool
    const unknown = () => client.call('campaign_walk', { root: '/r' });
    expect([missing, unknown]).toHaveLength(2);
  });
});

describe('nearest', () => {
  it.each([
    ['campain', 'campaign'],
    ['staus', 'status'],
    ['RUN', 'run'],
    ['rnu', 'run'],
    ['watc', 'watch'],
    ['helicopter', null],
    ['', null],
  ])('%s -> %s', (typed, expected) => {
    expect(nearestWord(typed, ['campaign', 'status', 'watch', 'run'])).toBe(expected);
  });
});
