// What a doctor says of what it saw: each finding by the evidence that must turn it.
import { describe, expect, it } from 'vitest';
import { judgeTrial, type Seen } from '../../../src-main/core/doctor/findings.ts';
import { stageTimes } from '../../../src-main/core/doctor/stage-times.ts';
import { paperStudy, trainOnPaper } from '../../../src-main/core/selftest/paper-study.ts';
import { planTrial } from '../../../src-main/core/study/plan-trials.ts';
import type { DoctorFinding } from '../../../src-protocol/files/doctor.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';

const study = paperStudy();
const trained = trainOnPaper(study, planTrial(study, { stage: 'screen', candidate: 'baseline', seed: 42 }));
const observed: Seen['observed'] = {
  firstEventS: 2,
  longestSilenceS: 1,
  tags: [{ tag: 'reward', key: 'reward', points: 4, hasFinite: true }, { tag: 'charts/entropy', key: null, points: 4, hasFinite: true }],
  stepsPerS: 100,
  firstStep: 250,
  trainingS: 12,
  evaluationS: 1,
  peakMemoryBytes: 1e9,
};
const whole: Seen = {
  study,
  timesteps: 1000,
  outcome: trained,
  observed,
  trouble: [],
  eventFilesElsewhere: [],
  checkpoint: 'checkpoints/step_1000.safetensors',
  checkpointFiles: ['step_1000.safetensors'],
  lastWords: ['done'],
  times: stageTimes(study, observed, 1000),
  threads: null,
  memoryBytes: 16e9,
  usableCores: 4,
};

const failedWith = (code: TrialRecord['reason']['code'], text: string, over: Partial<TrialRecord> = {}): TrialRecord => ({ ...trained, status: 'failed', evaluation: null, reason: { code, text, cause: 'own', step: null, value: null }, ...over });

function find(name: DoctorFinding['name'], over: Partial<Seen>): DoctorFinding {
  const found = judgeTrial({ ...whole, ...over }).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no finding ${name}`);
  return found;
}
const all = (finding: DoctorFinding) => [finding.text, ...finding.evidence, finding.fix].join(' | ');

describe('findings of a doctor', () => {
  it('DR11 to DR17 are all fine when all is fine', () => {
    expect(judgeTrial(whole).map(({ name, state }) => `${name} ${state}`)).toEqual(['environment ok', 'logs ok', 'steps ok', 'checkpoint ok', 'evaluation ok', 'speed ok', 'memory ok']);
    for (const { fix } of judgeTrial(whole)) expect(fix).toBe('');
  });

  it.each([
    ['ModuleNotFoundError: No module named \'gymnasium\'', 'Install it'],
    ['gymnasium.error.NameNotFound: Environment `Ant` doesn\'t exist.', 'import the package that registers the environment'],
    ['train.py: error: unrecognized arguments: --foo', 'Correct the `train` command'],
    ['Segmentation fault', 'console.log'],
  ])('DR11 says of a start that failed with %j what helps, and nothing else', (lastWords, fix) => {
    const nothing = { ...observed, firstEventS: null, longestSilenceS: null, tags: [], stepsPerS: null, evaluationS: null };
    const outcome = failedWith('crashed', `the process ended with code 1: ${lastWords}`, { steps: 0 });
    const findings = judgeTrial({ ...whole, outcome, observed: nothing, checkpoint: null, checkpointFiles: [], lastWords: ['the last line', 'starting', lastWords], times: stageTimes(study, nothing, 0) });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ name: 'environment', state: 'failed', fix: expect.stringContaining(fix) as string });
    expect(all(findings[0] as DoctorFinding)).toContain(lastWords);
    expect(findings[0]?.evidence).toEqual([fix === 'console.log' ? 'it said: the last line' : `it said: ${lastWords}`]);
  });

  it('DR12 fails without events, and tells of event files that no glob names', () => {
    const silent = { ...observed, firstEventS: null, longestSilenceS: null, tags: [] };
    expect(find('logs', { observed: silent })).toMatchObject({ state: 'failed', fix: expect.stringContaining('Let the trainer write') as string });
    expect(all(find('logs', { observed: silent, eventFilesElsewhere: ['runs/events.out.tfevents.1.a.1.0'] }))).toMatch(/no glob names: runs\/events.*Add its folder to `logs`/);
  });

  it('DR12 fails without the reward, naming what it may be, and warns of tags that never come', () => {
    const unmapped = { ...observed, tags: [{ tag: 'charts/return', key: null, points: 4, hasFinite: true }] };
    expect(all(find('logs', { observed: unmapped }))).toMatch(/never seen.*charts\/return.*may be one of: charts\/return/);
    const adapter = { ...study.adapter, metrics: { ...study.adapter.metrics, 'Loss/value': { meaning: 'loss' as const, axis: 'step' as const } } };
    expect(find('logs', { study: { ...study, adapter } })).toMatchObject({ state: 'warning', text: expect.stringContaining('Loss/value') as string });
    expect(find('logs', { study: { ...study, adapter: { ...adapter, profile: 'sb3' } } })).toMatchObject({ state: 'ok', evidence: expect.arrayContaining(['mapped tags that never came: Loss/value']) as string[] });
    expect(find('logs', { observed: { ...observed, tags: [{ tag: 'reward', key: 'reward', points: 4, hasFinite: false }] } })).toMatchObject({ state: 'warning', text: expect.stringContaining('no episode ended') as string });
    expect(find('logs', { trouble: [{ kind: 'several_writers', file: 'logs/a', text: 'two programs wrote at the same time' }] })).toMatchObject({ state: 'warning' });
  });

  it('DR12 warns where healthy trials come close to the waits, and says which would do', () => {
    // startup_s is 20 and hang_s 5 on paper.
    expect(find('logs', { observed: { ...observed, firstEventS: 11, longestSilenceS: 1 } })).toMatchObject({ state: 'warning', fix: 'Set startup_s to 33 in the study\'s monitor.' });
    expect(find('logs', { observed: { ...observed, firstEventS: 9, longestSilenceS: 120 } })).toMatchObject({ state: 'warning', fix: 'Set hang_s to 360 in the study\'s monitor.' });
    expect(all(find('logs', {}))).toContain('first event after 2.0 s (startup_s is 20; 10 would do)');
  });

  it('DR13 tells apart the end, a wrong unit, too little time, a gate, and a failure', () => {
    expect(find('steps', { outcome: { ...trained, steps: 4000 } })).toMatchObject({ state: 'warning', fix: expect.stringContaining('axis') as string });
    const training = { ...observed, evaluationS: null };
    const late = { ...trained, status: 'cancelled' as const, rule: 'budget' as const, steps: 400, evaluation: null };
    expect(find('steps', { outcome: late, observed: training })).toMatchObject({ state: 'warning', fix: expect.stringContaining('--timesteps 24000') as string });
    const gated = { ...trained, status: 'early_stopped' as const, rule: 'gate' as const, steps: 400, evaluation: null };
    expect(find('steps', { outcome: gated, observed: training })).toMatchObject({ state: 'failed', fix: expect.stringContaining('misses a gate') as string });
    const findings = judgeTrial({ ...whole, observed: training, outcome: failedWith('nan', 'its loss became NaN', { steps: 400, rule: 'nan' }) });
    expect(findings.find(({ name }) => name === 'steps')).toMatchObject({ state: 'failed', text: expect.stringContaining('its loss became NaN') as string });
    expect(findings.map(({ name }) => name)).not.toContain('evaluation');
    const hung = judgeTrial({ ...whole, outcome: failedWith('hung', 'evaluation: no event for 60 s', { rule: 'hung' }) });
    expect(hung.map(({ name, state }) => `${name} ${state}`)).toEqual(expect.arrayContaining(['steps ok', 'evaluation failed']));
  });

  it('DR14 says what lies where checkpoints should', () => {
    const outcome = failedWith('no_checkpoint', 'it left no loadable checkpoint');
    expect(all(find('checkpoint', { outcome, checkpoint: null, checkpointFiles: ['model.zip.tmp'] }))).toMatch(/no checkpoint that is whole.*glob: checkpoints\/\*.*model\.zip\.tmp/);
    expect(all(find('checkpoint', { outcome, checkpoint: null, checkpointFiles: [] }))).toContain('is empty');
    expect(find('checkpoint', { outcome: failedWith('no_evaluation', 'evaluation: it wrote none') })).toMatchObject({ state: 'warning' });
  });

  it('DR15 shows score and causes, and does not trust what is not valid or not attributed', () => {
    expect(all(find('evaluation', {}))).toMatch(/score 10\d.*8 episodes.*time_out 100 %/);
    const { evaluation } = trained;
    if (evaluation === null) throw new Error('the baseline on paper has an evaluation');
    expect(find('evaluation', { outcome: { ...trained, evaluation: { ...evaluation, valid: false, score: null, problem: 'episode 1 of environment 0 is missing' } } })).toMatchObject({ state: 'failed', text: expect.stringContaining('episode 1') as string });
    const row = { ...(evaluation.causes.at(-1) as (typeof evaluation.causes)[number]), cause: 'unattributed', count: 3, share: 0.375 };
    expect(find('evaluation', { outcome: { ...trained, evaluation: { ...evaluation, causes: [row] } } })).toMatchObject({ state: 'warning', text: expect.stringContaining('3 of 8') as string });
    expect(find('evaluation', { outcome: failedWith('no_evaluation', 'evaluation: it wrote no evaluation (boom)') })).toMatchObject({ state: 'failed', text: expect.stringContaining('boom') as string });
  });

  it('DR16 adds up the stages: start, steps and evaluation of each trial, in its slots', () => {
    // 12 s for 1000 steps at 100 a second: 2 s of them are the start. Three slots; looks at 2 and 3.
    const times = stageTimes(study, observed, 1000);
    expect(times.stages).toEqual([
      { stage: 'noise', trials: 4, each_s: 13, all_s: 52 / 3 },
      { stage: 'screen', trials: 6, each_s: 13, all_s: 26 },
      { stage: 'refine', trials: 2, each_s: 33, all_s: 22 },
      { stage: 'verify', trials: 7, each_s: 33, all_s: (7 * 33 * 1.2) / 3 },
    ]);
    expect(times.study_s).toBeCloseTo(52 / 3 + 26 + 22 + 92.4, 9);
    expect(times.budget_s).toBe(3600);
    expect(stageTimes(study, { trainingS: null, evaluationS: null, stepsPerS: null }, 0)).toEqual({ stages: [], study_s: null, budget_s: 3600, refineS: null });
  });

  it('DR16 says whether trial limit and budget hold', () => {
    const slow = { ...observed, stepsPerS: 10, trainingS: 100 };
    expect(find('speed', { observed: slow, times: stageTimes(study, slow, 1000) })).toMatchObject({ state: 'failed', text: expect.stringContaining('its limit is 1 min 00 s') as string });
    expect(find('speed', { times: { ...whole.times, budget_s: 60 } })).toMatchObject({ state: 'failed', text: expect.stringContaining('more than its budget') as string });
    expect(find('speed', { times: { ...whole.times, budget_s: null } })).toMatchObject({ state: 'warning', text: expect.stringContaining('no value yet') as string });
    expect(find('speed', { times: { ...whole.times, budget_s: 400 } })).toMatchObject({ state: 'warning', fix: 'Lower `base.max_trial_s` to about 66.' });
  });

  it('DR17 holds memory and cores against the parallel trials, and does not guess', () => {
    expect(find('memory', { memoryBytes: 3.9e9 })).toMatchObject({ state: 'ok' });
    expect(find('memory', { memoryBytes: 3e9 })).toMatchObject({ state: 'failed', fix: 'Set `max_parallel` to 2, or lower `num_envs`.' });
    expect(find('memory', { memoryBytes: 1e9 })).toMatchObject({ state: 'failed', fix: 'Lower `num_envs`.' });
    expect(find('memory', { usableCores: 2 })).toMatchObject({ state: 'warning', fix: 'Set `max_parallel` to 2.' });
    expect(find('memory', { observed: { ...observed, peakMemoryBytes: 'unknown' } })).toMatchObject({ state: 'warning', text: expect.stringContaining('could not be measured') as string });
    expect(all(find('memory', {}))).toContain('16 would still fit (now 4)');
  });
});
