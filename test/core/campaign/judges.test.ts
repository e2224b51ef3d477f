import { beforeAll, describe, expect, it } from 'vitest';
import { isReproduced, pickForRefine, pickWinner, readNoise, readVerdict, verifyRecords, verifyRules, type CampaignView } from '../../../src-main/core/campaign/judges.ts';
import { makeSearch } from '../../../src-main/core/campaign/open-campaign.ts';
import { planPairs, planRepeat, type PlannedTrial } from '../../../src-main/core/campaign/search-plan.ts';
import type { LoadedStudy } from '../../../src-main/core/study/loaded-study.ts';
import type { Approved } from '../../../src-main/core/contract/check-approval.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { makeFakeSecrets } from '../../fakes/fake-small-ports.ts';
import { goodProject } from '../study/project.ts';
import { recordOf } from './study-on-paper.ts';

let study: LoadedStudy;
let view: CampaignView;

beforeAll(async () => {
  const project = goodProject().with('quick.yaml', 'top_k: 3', 'top_k: 2').with('quick.yaml', '[5, 8, 10]', '[2, 3]');
  study = await project.load();
  const approval = { kind: 'bundled-example' } as Approved['approval'];
  const search = await makeSearch({ secrets: makeFakeSecrets() }, study, approval);
  view = { study, search, records: [], selfTest: { passed: true, text: '', randomScore: 1 }, isCompletingLooks: false };
});

const scored = (trial: PlannedTrial, score: number, over: Partial<TrialRecord> = {}): TrialRecord => {
  const record = recordOf(trial, over);
  return record.evaluation === null ? record : { ...record, evaluation: { ...record.evaluation, score } };
};
const skipped = (trial: PlannedTrial) => recordOf(trial, { status: 'cancelled', evaluation: null, reason: { code: 'skip', text: 'skipped', cause: null, step: null, value: null } });
const collapsed = (trial: PlannedTrial) => recordOf(trial, { status: 'failed', evaluation: null, reason: { code: 'crashed', text: 'crashed', cause: 'own', step: null, value: null } });
const screen = (scores: Readonly<Record<string, number>>) => Object.entries(scores).map(([name, score]) => scored(view.search.plan('screen', name, 42, 0), score));
const noise = (scores: readonly number[]) => scores.map((score, index) => scored(view.search.plan('noise', 'baseline', 42 + index, 0), score));

describe('what the records say', () => {
  const board = { baseline: 100, epochs4: 200, epochs20: 190, wide: 160, gae90: 150, shaped: 20 };

  it('CA5: what seed noise cannot tell from the last one picked goes along, at most top_k of them', () => {
    const quiet = { ...view, records: [...noise([100, 101, 99]), ...screen(board)] };
    expect(pickForRefine(quiet, quiet.records.filter((one) => one.stage === 'screen'))).toEqual(['epochs4', 'epochs20']);
    const loud = { ...view, records: [...noise([100, 120, 80]), ...screen(board)] };
    expect(readNoise(loud).seedSd).toBeCloseTo(20);
    expect(pickForRefine(loud, loud.records.filter((one) => one.stage === 'screen'))).toEqual(['epochs4', 'epochs20', 'wide', 'gae90']);
    const louder = { ...view, records: [...noise([100, 300, 10]), ...screen({ ...board, 'lr1e-3': 140 })] };
    expect(pickForRefine(louder, louder.records.filter((one) => one.stage === 'screen'))).toHaveLength(4);
  });

  it('CA5: and only as far as the budget allows at its upper bounds', async () => {
    const { totalS, perTrialS, refineSlots } = study.cost;
    const at = async (spareS: number) => {
      const hours = (totalS + spareS) / 3600;
      const tight = await goodProject().with('quick.yaml', 'top_k: 3', 'top_k: 2').with('quick.yaml', '[5, 8, 10]', '[2, 3]').with('contract.yaml', 'wall_hours: 2', `wall_hours: ${hours}`).load();
      const records = [...noise([100, 120, 80]), ...screen(board)];
      return pickForRefine({ ...view, study: tight, records }, records.filter((one) => one.stage === 'screen'));
    };
    expect(await at(1)).toEqual(['epochs4', 'epochs20']);
    expect(await at((perTrialS / refineSlots) * 1.01)).toEqual(['epochs4', 'epochs20', 'wide']);
  });

  it('CA4: CA7: the baseline is refined beside the picked and never one of them, and may win', () => {
    const records = screen({ baseline: 500, epochs4: 200, shaped: 20 });
    expect(pickForRefine({ ...view, records }, records)).toEqual(['epochs4', 'shaped']);
    const refined = [scored(view.search.plan('refine', 'baseline', 42, 0), 300), scored(view.search.plan('refine', 'epochs4', 42, 0), 100)];
    expect(pickWinner({ ...view, records: refined }, refined)).toBe('baseline');
  });

  it('CA8: nothing rankable is no pick and no winner', () => {
    const records = ['baseline', 'epochs4'].map((name) => collapsed(view.search.plan('screen', name, 42, 0)));
    expect(pickForRefine({ ...view, records }, records)).toEqual([]);
    expect(pickWinner({ ...view, records }, [])).toBeNull();
    expect(readVerdict({ ...view, records }, null)).toMatchObject({ word: 'no_better_candidate', winner: null, pairs: [] });
  });

  it('CA10: verify trains with refine\'s timesteps, settings and rules', () => {
    const [refine, verify] = (['refine', 'verify'] as const).map((stage) => view.search.plan(stage, 'epochs4', 42, 0));
    expect(verify).toMatchObject({ timesteps: refine?.timesteps, settingsDigest: refine?.settingsDigest, num_envs: refine?.num_envs });
    expect(study.stages.verify.monitor).toEqual(study.stages.refine.monitor);
    expect(study.stages.verify.max_parallel).toBe(study.stages.refine.max_parallel);
  });

  describe('of verify', () => {
    const winner = 'epochs4';
    const pairs = () => planPairs(view.search, winner, 3);
    const base = () => [...noise([100, 101, 99]), scored(view.search.plan('refine', winner, 42, 0), 200)];
    const withVerify = (outcomes: readonly TrialRecord[]): CampaignView => ({ ...view, records: [...base(), ...outcomes] });

    it('CA21: a skipped repeat was not run: nothing is said to be not reproduced, and nothing better', () => {
      const outcomes = pairs().map((trial) => scored(trial, trial.candidate === winner ? 300 + trial.seed % 3 : 100));
      const fine = withVerify([scored(planRepeat(view.search, winner), 200), ...outcomes]);
      expect(readVerdict(fine, winner).word).toBe('better');
      const without = withVerify([skipped(planRepeat(view.search, winner)), ...outcomes]);
      expect(isReproduced(without, winner)).toBeNull();
      expect(readVerdict(without, winner)).toMatchObject({ word: 'unproven', repeat: { state: 'not_run' } });
      expect(isReproduced(withVerify([collapsed(planRepeat(view.search, winner))]), winner)).toBe(false);
    });

    it('CA21: a skipped run on a fresh seed is no collapse: pairs from it on are not read', () => {
      const outcomes = pairs().map((trial, index) => (index === 3 ? skipped(trial) : scored(trial, trial.candidate === winner ? 300 : 100)));
      expect(verifyRecords(withVerify(outcomes), winner).pairs.map((pair) => pair.seed)).toEqual(view.search.freshSeeds.slice(0, 1));
      const verdict = readVerdict(withVerify([scored(planRepeat(view.search, winner), 200), ...outcomes]), winner);
      expect(verdict).toMatchObject({ word: 'unproven', plan: { used: 0 }, collapses: null });
      const crashed = pairs().map((trial, index) => (index === 3 ? collapsed(trial) : scored(trial, trial.candidate === winner ? 300 : 100)));
      expect(verifyRecords(withVerify(crashed), winner).pairs).toHaveLength(3);
      expect(readVerdict(withVerify(crashed), winner).pairs[1]).toMatchObject({ baseline: 1, baseline_collapsed: true });
    });

    it('CA28: the verdict is the same for the records in any order, with what was not settled among them', () => {
      const outcomes = [scored(planRepeat(view.search, winner), 200), ...pairs().map((trial) => scored(trial, trial.candidate === winner ? 300 + (trial.seed % 7) : 100 + (trial.seed % 5)))];
      const stopped = outcomes.map((one) => ({ ...one, status: 'cancelled' as const, evaluation: null, reason: { ...one.reason, code: 'stop' as const } }));
      const verdict = readVerdict(withVerify(outcomes), winner);
      expect(readVerdict(withVerify([...stopped, ...outcomes].reverse()), winner)).toEqual(verdict);
      expect(verdict.pairs).toHaveLength(3);
    });

    it('CA27: with all looks wanted the plan goes on past an early end', () => {
      const same = pairs().slice(0, 4).map((trial) => scored(trial, 150));
      const early = withVerify([scored(planRepeat(view.search, winner), 200), ...same]);
      expect(readVerdict(early, winner)).toMatchObject({ word: 'tied', stop: 'decided', plan: { used: 2 } });
      expect(verifyRules({ ...early, isCompletingLooks: true }).isCompleting).toBe(true);
      expect(readVerdict({ ...early, isCompletingLooks: true }, winner)).toMatchObject({ stop: 'cut_short' });
    });
  });

  it('CA2: determinism is read from the repeated first seed', () => {
    const [first, again] = [0, 1].map((repeat) => view.search.plan('noise', 'baseline', 42, repeat));
    if (first === undefined || again === undefined) throw new Error('two trials');
    const kind = (a: Partial<TrialRecord>, b: Partial<TrialRecord>, score = 100) => readNoise({ ...view, records: [scored(first, 100, a), scored(again, score, b)] }).determinism;
    expect(kind({ checkpoint_sha256: 'x' }, { checkpoint_sha256: 'x' })).toBe('bit-identical');
    expect(kind({ checkpoint_sha256: 'x' }, { checkpoint_sha256: 'y' })).toBe('repeatable');
    expect(kind({ checkpoint_sha256: null }, { checkpoint_sha256: null })).toBe('repeatable');
    expect(kind({}, {}, 101.9)).toBe('repeatable');
    expect(kind({}, {}, 103)).toBe('divergent');
    expect(readNoise({ ...view, records: [scored(first, 100)] })).toMatchObject({ determinism: null, seedSd: null });
  });
});
