import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTerminal, planNext, settledTrials } from '../../../src-main/core/campaign/search-plan.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { judgesOnPaper, recordOf, searchOnPaper, walkPlan } from './study-on-paper.ts';

const names = (trials: readonly { stage: string; candidate: string; seed: number; repeat: number }[]) =>
  trials.map((trial) => `${trial.stage} ${trial.candidate} ${trial.seed}${trial.repeat === 0 ? '' : ` r${trial.repeat}`}`);

describe('the plan of a campaign', () => {
  it('CA2, CA4, CA6: noise, screen, refine, repeat and pairs of fresh seeds, look by look', () => {
    const { batches, end } = walkPlan((records) => planNext(searchOnPaper(), records, judgesOnPaper()));
    expect(batches.map(names)).toEqual([
      ['noise baseline 42', 'noise baseline 43', 'noise baseline 44', 'noise baseline 42 r1'],
      ['screen baseline 42', 'screen a 42', 'screen b 42', 'screen c 42'],
      ['refine baseline 42', 'refine a 42', 'refine b 42'],
      ['verify a 42 r1', 'verify a 1001', 'verify baseline 1001', 'verify a 1002', 'verify baseline 1002'],
      ['verify a 1003', 'verify baseline 1003'],
    ]);
    expect(end).toEqual({ kind: 'conclude', winner: 'a', looksDone: 2 });
  });

  it('CA6: a look that settles it ends the search; a failed repeat ends it at once', () => {
    const settled = walkPlan((records) => planNext(searchOnPaper(), records, judgesOnPaper({ mayStopAtLook: () => true })));
    expect(settled.batches).toHaveLength(4);
    expect(settled.end).toEqual({ kind: 'conclude', winner: 'a', looksDone: 1 });
    const failed = walkPlan((records) => planNext(searchOnPaper(), records, judgesOnPaper({ isReproduced: () => false })));
    expect(failed.end).toEqual({ kind: 'conclude', winner: 'a', looksDone: 0 });
  });

  it('CA6: a repeat that failed stops the pairs that were not trained yet', () => {
    const search = searchOnPaper();
    const until = walkPlan((records) => planNext(search, records, judgesOnPaper())).records.filter((record) => record.stage !== 'verify');
    const repeat = recordOf(search.plan('verify', 'a', 42, 1));
    expect(planNext(search, [...until, repeat], judgesOnPaper({ isReproduced: () => false })).kind).toBe('conclude');
  });

  it('CA2: without a noise stage the screened baseline goes first and serves the self-test', () => {
    const search = searchOnPaper({ noise: null });
    const first = planNext(search, [], judgesOnPaper({ selfTest: null }));
    expect(first.kind === 'train' && names(first.trials)).toEqual(['screen baseline 42']);
    const trained = recordOf(search.plan('screen', 'baseline', 42, 0));
    expect(planNext(search, [trained], judgesOnPaper({ selfTest: null })).kind).toBe('self_test');
    const next = planNext(search, [trained], judgesOnPaper());
    expect(next.kind === 'train' && names(next.trials)).toEqual(['screen a 42', 'screen b 42', 'screen c 42']);
  });

  it('CA3: no valid baseline, or a failed self-test, blocks with the reason', () => {
    const search = searchOnPaper();
    const failed = (trial: Parameters<typeof recordOf>[0]) =>
      recordOf(trial, { status: 'failed', evaluation: null, reason: { code: 'crashed', text: 'it crashed', cause: 'own', step: null, value: null } });
    const none = walkPlan((records) => planNext(search, records, judgesOnPaper()), failed);
    expect(none.end).toMatchObject({ kind: 'blocked', reason: expect.stringContaining('it crashed') as string });
    const leak = walkPlan((records) => planNext(search, records, judgesOnPaper({ selfTest: { passed: false, text: 'env_cfg.w leaks' } })));
    expect(leak.end).toEqual({ kind: 'blocked', reason: 'env_cfg.w leaks' });
  });

  it('CA7: a baseline that ranks first is only repeated', () => {
    const { batches, end } = walkPlan((records) => planNext(searchOnPaper(), records, judgesOnPaper({ pickWinner: () => 'baseline' })));
    expect(names(batches.at(-1) ?? [])).toEqual(['verify baseline 42 r1']);
    expect(end).toEqual({ kind: 'conclude', winner: 'baseline', looksDone: 0 });
  });

  it('CA8: nothing rankable still concludes', () => {
    expect(walkPlan((records) => planNext(searchOnPaper(), records, judgesOnPaper({ pickForRefine: () => [] }))).end).toEqual({ kind: 'conclude', winner: null, looksDone: 0 });
    expect(walkPlan((records) => planNext(searchOnPaper(), records, judgesOnPaper({ pickWinner: () => null }))).end).toEqual({ kind: 'conclude', winner: null, looksDone: 0 });
  });

  it('CA11, CA12: which records are terminal', () => {
    const trial = searchOnPaper().plan('screen', 'a', 42, 0);
    const reason = (code: TrialRecord['reason']['code'], cause: 'own' | 'infrastructure' | null) => ({ code, text: '', cause, step: null, value: null });
    const cases: readonly [Partial<TrialRecord>, boolean][] = [
      [{ status: 'completed' }, true],
      [{ status: 'plateau' }, true],
      [{ status: 'early_stopped', reason: reason('gate', null) }, true],
      [{ status: 'failed', reason: reason('nan', 'own') }, true],
      [{ status: 'failed', reason: reason('oom', 'infrastructure') }, false],
      [{ status: 'cancelled', reason: reason('skip', null) }, true],
      [{ status: 'cancelled', reason: reason('stop', null) }, false],
    ];
    for (const [over, expected] of cases) expect(isTerminal(recordOf(trial, over)), JSON.stringify(over)).toBe(expected);
  });

  it('CA1: any order of the records, and any non-terminal record among them, gives the same next step', () => {
    const search = searchOnPaper();
    const all = walkPlan((records) => planNext(search, records, judgesOnPaper())).records;
    fc.assert(
      fc.property(fc.nat(all.length), fc.array(fc.nat(all.length - 1), { maxLength: 5 }), fc.integer(), (count, cancelled, seed) => {
        const known = all.slice(0, count);
        const extra = cancelled.map((index) => ({ ...all[index]!, status: 'cancelled' as const, reason: { ...all[index]!.reason, code: 'stop' as const } }));
        const shuffled = [...known, ...extra].sort((a, b) => hash(a, seed) - hash(b, seed));
        expect(planNext(search, shuffled, judgesOnPaper())).toEqual(planNext(search, known, judgesOnPaper()));
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('CA11: from any point of an interrupted run, the rest is trained once and nothing twice', () => {
    const search = searchOnPaper();
    const all = walkPlan((records) => planNext(search, records, judgesOnPaper())).records;
    for (let count = 0; count <= all.length; count += 1) {
      const records = all.slice(0, count);
      for (let step = planNext(search, records, judgesOnPaper()); step.kind === 'train'; step = planNext(search, records, judgesOnPaper())) {
        records.push(...step.trials.map((trial) => recordOf(trial)));
      }
      expect(records).toHaveLength(all.length);
      expect(settledTrials(records).size).toBe(all.length);
    }
  });
});

function hash(record: TrialRecord, seed: number): number {
  return Number.parseInt(record.identity.slice(0, 8), 16) ^ (seed * 2654435761) ^ (record.status === 'cancelled' ? 0x5555 : 0);
}
