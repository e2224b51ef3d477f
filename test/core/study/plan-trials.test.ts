// What a study asks for, what its trials are called for ever, and how two studies differ.
import { describe, expect, test } from 'vitest';
import { approvedFile } from '../../../src-protocol/files/approval.ts';
import { gateNames } from '../../../src-protocol/files/contract.ts';
import type { LoadedStudy } from '../../../src-main/core/study/loaded-study.ts';
import { studyFromApproved } from '../../../src-main/core/study/assemble-study.ts';
import { planTrial, planTrials } from '../../../src-main/core/study/plan-trials.ts';
import { studyCost } from '../../../src-main/core/study/study-cost.ts';
import { searchDigest, settingsDigest } from '../../../src-main/core/study/study-digest.ts';
import { studyDifferences } from '../../../src-main/core/study/study-diff.ts';
import { goodProject, type Project } from './project.ts';

const project = goodProject();

function identities(study: LoadedStudy): readonly string[] {
  const plan = planTrials(study);
  return [...plan.noise, ...plan.screen].map((trial) => trial.identity);
}

describe('plan', () => {
  test('S31 noise, screen and the counts of what follows', async () => {
    const study = await project.load();
    const plan = planTrials(study);
    expect(plan.noise.map(({ candidate, seed, repeat, timesteps }) => [candidate, seed, repeat, timesteps])).toEqual([
      ['baseline', 42, 0, 8192],
      ['baseline', 43, 0, 8192],
      ['baseline', 44, 0, 8192],
      ['baseline', 42, 1, 8192],
    ]);
    expect(plan.screen.map(({ candidate, seed }) => `${candidate} ${seed}`)).toEqual(study.candidates.map(({ name }) => `${name} 42`));
    expect([plan.refineTrials, plan.verifyTrials]).toEqual([4, 21]);
    expect(plan.screen[6]?.num_envs).toBe(16);
    const quiet = await project.with('quick.yaml', 'stages:', 'stages:\n  noise: off').load();
    expect(planTrials(quiet).noise).toEqual([]);
  });

  test('S30 the cost before anything is measured', () => {
    const cost = studyCost({ noiseSeeds: 3, candidates: 8, topK: 3, looks: [5, 8, 10], perTrialS: 60, screenSlots: 2, refineSlots: 1, leastReserveS: 0 });
    expect(cost.trials).toEqual({ noise: 4, screen: 8, refine: 4, verify: 21 });
    expect(cost.searchS).toBe((60 * 12) / 2 + 60 * 4);
    expect(cost.reserveS).toBeCloseTo(21 * 60 * 1.2);
    expect(cost.totalS).toBe(cost.searchS + cost.reserveS);
    expect(studyCost({ noiseSeeds: 0, candidates: 2, topK: 3, looks: [], perTrialS: 10, screenSlots: 1, refineSlots: 1, leastReserveS: 100 })).toMatchObject({
      trials: { noise: 0, screen: 2, refine: 2, verify: 1 },
      reserveS: 100,
    });
  });
});

describe('identity', () => {
  test('S29 every planned trial has its own identity, and the same one each time', async () => {
    const study = await project.load();
    expect(new Set(identities(study)).size).toBe(12);
    expect(identities(await project.load())).toEqual(identities(study));
    const wish = { stage: 'verify', candidate: 'wide', seed: 42 } as const;
    const all = [planTrial(study, wish), planTrial(study, { ...wish, repeat: 1 }), planTrial(study, { ...wish, seed: 43 }), planTrial(study, { ...wish, stage: 'refine' }), planTrial(study, { ...wish, candidate: 'gae90' }), planTrial(study, { ...wish, timesteps: 5 })];
    expect(new Set(all.map((trial) => trial.identity)).size).toBe(all.length);
    for (const trial of all) expect(trial.identity).toMatch(/^[0-9a-f]{64}$/);
  });

  test('S29 an identity is pinned: records of earlier versions keep their meaning', async () => {
    const study = await project.load();
    expect(planTrial(study, { stage: 'screen', candidate: 'baseline', seed: 42 }).identity).toMatchInlineSnapshot(`"721d87906c068e38b425776fa5965ddbc46d36a6e3bdf33701a04645b02bb52f"`);
  });

  test('S27 settings written down in another way are the same settings', async () => {
    const spelt = project.with('quick.yaml', '{ learning_epochs: 4 }', '{ discount_factor: 0.99, learning_epochs: 4 }');
    const [mine, theirs] = [(await project.load()).candidates[1], (await spelt.load()).candidates[1]];
    if (mine === undefined || theirs === undefined) throw new Error('no candidate');
    expect(settingsDigest(theirs, 100)).toBe(settingsDigest(mine, 100));
    expect(settingsDigest(mine, 101)).not.toBe(settingsDigest(mine, 100));
  });

  const same: readonly (readonly [string, (base: Project) => Project])[] = [
    ['a trial limit', (base) => base.with('quick.yaml', 'max_trial_s: 60', 'max_trial_s: 50')],
    ['slots', (base) => base.with('quick.yaml', 'max_parallel: 2', 'max_parallel: 1, stagger_s: 3'.replace(', ', '\n    '))],
    ['waiting', (base) => base.with('quick.yaml', 'max_trial_s: 60', 'max_trial_s: 60, vram_wait_s: 5')],
    ['a note', (base) => base.with('quick.yaml', '{ name: wide,', '{ name: wide, note: wider is better,')],
    ['the order of candidates', (base) => base.with('quick.yaml', '  - { name: baseline }\n', '').set('quick.yaml', `${base.with('quick.yaml', '  - { name: baseline }\n', '').texts['.rlxp/studies/quick.yaml']}  - { name: baseline }\n`)],
    ['aliases', (base) => base.with('quick.yaml', 'looks:', 'fresh_seeds:').with('quick.yaml', 'min_episodes: 20', 'episodes_per_env: 2')],
    ['comments', (base) => base.with('quick.yaml', 'study: quick', '# a comment\nstudy: quick')],
  ];

  test.each(same)('S28 %s: the search stays the same', async (_name, change) => {
    expect([...identities(await change(project).load())].sort()).toEqual([...identities(await project.load())].sort());
  });

  test.each([
    ['tie band', 'candidates:', 'ranking: { tie_band: 0.01 }\ncandidates:'],
    ['looks', '[5, 8, 10]', '[5, 8]'],
    ['a gate', 'min_reward: 5', 'min_reward: 6'],
    ['a candidate', 'learning_epochs: 20', 'learning_epochs: 30'],
    ['the evaluation', 'max_steps: 500', 'max_steps: 400'],
  ])('S28 %s: another search', async (_name, from, to) => {
    const changed = await project.with('quick.yaml', from, to).load();
    expect(searchDigest(changed.file)).not.toBe(searchDigest((await project.load()).file));
  });
});

describe('differences', () => {
  test('S32 candidates come and go, settings change, budgets are amendments, notes are text', async () => {
    const approved = (await project.load()).file;
    const now = (
      await project
        .with('quick.yaml', '  - { name: epochs4, agent_cfg: { agent: { learning_epochs: 4 } } }\n', '  - { name: clip1, agent_cfg: { agent: { ratio_clip: 0.1 } } }\n')
        .with('quick.yaml', 'learning_rate: 1e-3', 'learning_rate: 2e-3')
        .with('quick.yaml', 'max_trial_s: 60', 'max_trial_s: 50')
        .with('quick.yaml', '{ name: wide,', '{ name: wide, note: hm,')
        .with('quick.yaml', 'top_k: 3', 'top_k: 2')
        .load()
    ).file;
    expect(studyDifferences(approved, now)).toEqual([
      { kind: 'search', what: 'candidate clip1', approved: null, now: 'agent_cfg {"agent":{"ratio_clip":0.1}}' },
      { kind: 'search', what: 'candidate epochs4', approved: 'agent_cfg {"agent":{"learning_epochs":4}}', now: null },
      { kind: 'search', what: 'candidate lr1e-3.agent_cfg.agent.learning_rate', approved: '0.001', now: '0.002' },
      { kind: 'search', what: 'stages.refine.top_k', approved: '3', now: '2' },
      { kind: 'budget', what: 'base.max_trial_s', approved: '60', now: '50' },
      { kind: 'text', what: 'note of wide', approved: null, now: 'hm' },
    ]);
  });

  test('S32 two ways of writing the same study do not differ', async () => {
    const aliased = await project.with('quick.yaml', 'looks:', 'fresh_seeds:').with('quick.yaml', 'min_episodes: 20', 'episodes_per_env: 2').load();
    expect(studyDifferences((await project.load()).file, aliased.file)).toEqual([]);
  });
});

test('S33 a running campaign takes its study from the approved values', async () => {
  const live = await project.load();
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  const approved = approvedFile.parse({
    schema: 1,
    study: plain(live.file),
    experiment: {},
    gates: Object.fromEntries(gateNames.map((gate) => [gate, plain(live.contract.gates[gate].value)])),
    adapter: plain(live.adapter),
    task: plain(live.task),
  });
  const frozen = studyFromApproved(approved, '/repo');
  expect(identities(frozen)).toEqual(identities(live));
  expect(frozen).toMatchObject({ eval: live.eval, stages: live.stages, base: live.base, cost: live.cost, source: { isFrozen: true, file: '.rlxp/runs/quick/study.yaml' } });
  expect(frozen.contract.gates.budget.value).toEqual(live.contract.gates.budget.value);
});
