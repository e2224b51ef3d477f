// The smokes with the real decisions, and with broken ones: each must be seen.
import { describe, expect, it } from 'vitest';
import { nextStepOf, rankStage } from '../../../src-main/core/campaign/judges.ts';
import { runInSlots } from '../../../src-main/core/campaign/slots.ts';
import { compareCauses } from '../../../src-main/core/evaluation/cause-comparison.ts';
import { summarise } from '../../../src-main/core/evaluation/summarise.ts';
import { causesSmoke } from '../../../src-main/core/selftest/causes-smoke.ts';
import { goldenBytes, goldenEvents } from '../../../src-main/core/selftest/golden-events.ts';
import { trainOnPaper } from '../../../src-main/core/selftest/paper-study.ts';
import { screeningSmoke, type ScreeningParts } from '../../../src-main/core/selftest/screening-smoke.ts';

const parts: ScreeningParts = { nextStepOf, runInSlots, trainOnPaper, rankStage };
const broken = async (change: Partial<ScreeningParts>) => (await screeningSmoke({ ...parts, ...change })).join('\n');

describe('smoke of parallel screening', () => {
  it('SE6 finds nothing wrong with the real decisions', async () => {
    expect(await screeningSmoke()).toEqual([]);
  });

  it('SE6 sees slots that work one after the other, one too many, or idle', async () => {
    expect(await broken({ runInSlots: (options) => runInSlots({ ...options, slots: 1 }) })).toContain('1 trials ran at once where 3 had a slot');
    expect(await broken({ runInSlots: (options) => runInSlots({ ...options, slots: 4 }) })).toContain('4 trials ran at once where 3 had a slot');
    expect(await broken({ runInSlots: async (options) => ({ ...(await runInSlots(options)), idleMs: 7 }) })).toContain('idle for 7 ms');
  });

  it('SE6 sees a trial that is lost', async () => {
    const losing: ScreeningParts['runInSlots'] = (options) => {
      options.take();
      return runInSlots(options);
    };
    expect(await broken({ runInSlots: losing })).toMatch(/trials were planned, \d+ ran/);
  });

  it('SE6 sees a plan that never ends, and one that picks nobody', async () => {
    expect(await broken({ nextStepOf: (view) => nextStepOf({ ...view, records: [] }) })).toContain('did not end');
    expect(await broken({ nextStepOf: () => ({ kind: 'conclude', winner: null, looksDone: 0 }) })).toContain('the winner: null');
  });

  it('SE6 sees a monitor that lets NaN or silence pass, and a ranking by training reward', async () => {
    const blind: ScreeningParts['trainOnPaper'] = (study, trial) => ({ ...trainOnPaper(study, trial), rule: null });
    expect(await broken({ trainOnPaper: blind })).toContain('the rule that ended the trial that diverges: none');
    const byReward: ScreeningParts['rankStage'] = (view, records) => rankStage(view, records.map((record) => ({ ...record, evaluation: record.evaluation === null ? null : { ...record.evaluation, score: record.train_reward_final } })));
    expect(await broken({ rankStage: byReward })).toContain('the ranking of screen: tempting');
  });
});

describe('smoke of termination attribution', () => {
  it('SE7 finds nothing wrong with the real attribution', () => {
    expect(causesSmoke()).toEqual([]);
  });

  it('SE7 sees causes that are lost, an unattributed share that hides, and unfinished episodes that count', () => {
    const lossy: typeof summarise = (file, options) => {
      const summary = summarise(file, options);
      return { ...summary, causes: summary.causes.filter((row) => row.cause !== 'left') };
    };
    expect(causesSmoke({ summarise: lossy, compareCauses }).join()).toContain('the causes: fell');
    const hiding: typeof compareCauses = (before, after) => ({ ...compareCauses(before, after), hasUnattributedGrown: false });
    expect(causesSmoke({ summarise, compareCauses: hiding }).join()).toContain('unattributed has grown');
    const lax: typeof summarise = (file, options) => summarise({ ...file, episodes: file.episodes.map((row) => ({ ...row, cause: row.cause === 'unfinished' ? 'fell' : row.cause })) }, options);
    expect(causesSmoke({ summarise: lax, compareCauses }).join()).toContain('valid');
  });
});

describe('the event file of the self-test', () => {
  it('SE5 reads point by point, and a flipped bit is seen', () => {
    expect(goldenEvents()).toEqual([]);
    const spoilt = goldenBytes();
    spoilt[spoilt.length - 8] = (spoilt[spoilt.length - 8] ?? 0) ^ 1;
    expect(goldenEvents(spoilt).join()).toMatch(/its points.*its damaged records: 1/);
  });
});
