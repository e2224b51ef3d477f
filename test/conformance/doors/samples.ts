// A valid input and output for every tool and feed of the list. Used by the door suite and the presenter tests.
import type { ChangeOf, FeedInputOf, FeedName, InputOf, OutputOf, SnapshotOf, ToolName } from '../../../src-protocol/index.ts';

const root = '/work/cartpole';
const study = 'quick';
const sha = 'ab'.repeat(32);
const at = '2026-01-02T03:04:05.000Z';
const place = { root, study };

export const sampleInputs: { readonly [Name in ToolName]: InputOf<Name> } = {
  repository_init: { root, project: 'Cart "pole" --json' },
  repository_show: { root },
  contract_show: { root },
  gate_set: { root, gate: 'budget', value: { wall_hours: 1, nested: { list: [1, 'two', null, true] } }, evidence: ['a.py:3', '--b'] },
  gate_confirm: { root, gate: 'budget' },
  study_approve: { ...place, agents_may_start: true },
  approval_check: place,
  study_check: place,
  campaign_run: { ...place, fresh: true },
  campaign_status: place,
  campaign_stop: place,
  campaign_pause: { ...place, now: true },
  campaign_resume: place,
  campaign_skip: { ...place, trial: 'screen-baseline-s42' },
  campaign_amend: { ...place, wall_hours: 2.5, per_trial_s: 60 },
  campaign_complete_looks: place,
  report_show: place,
  report_rebuild: place,
  evidence_pack: { ...place, out: '/tmp/quick.zip', checkpoints: true },
  evidence_verify: { file: '/tmp/quick.zip' },
  trial_list: place,
  trial_causes: { ...place, trial: 'screen-baseline-s42', episodes: 50 },
  trial_extra: { ...place, candidate: 'fast', timesteps: 9000, seed: 7, dry_run: true, full: true },
  ledger_show: { root, last: 5 },
  ledger_verify: { root },
  repository_check: place,
  repository_repair: { root },
  selftest_run: { root },
  doctor_approve: { ...place, timesteps: 1000, agents_may_start: true },
  doctor_run: { ...place, eval_only: true, checkpoint: 'saved/step 1.safetensors' },
  doctor_show: { ...place, timesteps: 1000 },
};

const cause = { cause: 'fell_left', count: 3, share: 0.3, share_low: 0.1, share_high: 0.6, mean_length: 20.5, mean_return: Number.NaN };
const causes = { candidate: 'fast', trial: 'refine-fast-s42', episodes: 10, rows: [cause] };

const status: OutputOf<'campaign_status'> = {
  study,
  state: 'running',
  text: 'Screening.',
  process: { pid: 7, start_time: '99' },
  suspended: false,
  babysitter: { pid: 6, start_time: '98', alive: true, restarts: 2, text: 'the process died (killed by SIGKILL); restarted 2 times' },
  started_at: at,
  stage: 'screen',
  trials_done: 3,
  trials_planned: 20,
  running: [{ folder: 'screen-fast-s42', stage: 'screen', candidate: 'fast', seed: 42, slot: 0, phase: 'training', step: 450, timesteps: 1000, reward: 131.25, steps_per_s: 9000 }],
  eta_s: 130,
  spent_s: 61,
  reserved_s: 20,
  budget_s: 600,
  verdict: null,
};

const steered = { study, taken: true, text: 'Stopping.' };

export const sampleVerdict: NonNullable<OutputOf<'report_show'>['verdict']> = {
  schema: 1,
  study,
  word: 'better',
  headline: 'fast is better than the baseline by 41.3 points.',
  sentences: ['Over 5 fresh seeds the interval is 12.2 to 70.4.', 'It was reproduced on the same seed.'],
  winner: 'fast',
  baseline: 'baseline',
  metric: { name: 'score', unit: null, direction: 'maximise' },
  plan: { looks: [5], used: 5, nominal_level: 0.05, overall_level: 0.05 },
  stop: 'last_look',
  looks: [],
  estimate: { pairs: 5, mean: 41.3, sd: 12, lower: 12.2, upper: 70.4, level: 0.05 },
  equivalence: null,
  pairs: [],
  correlation: null,
  probability_of_improvement: 1,
  iqm: null,
  worst_seed: null,
  sign_flip_p: null,
  collapses: null,
  collapse_rule: { below: null, floor: 9.3 },
  seed_spread: null,
  selection: { score: 188.2, note: 'used to pick, biased upward' },
  repeat: { state: 'reproduced', original: 188, rerun: 188, tolerance: 0.15, lowest_accepted: 160, exceeded: false, determinism: 'bit-identical' },
  guardrails: [],
  could_prove: null,
};

const doctorReport: OutputOf<'doctor_run'> = {
  schema: 1,
  study,
  run: '20260102t030405z',
  kind: 'trial',
  approval: { kind: 'person', by: 'ada', digest: sha },
  started_at: at,
  ended_at: at,
  state: 'failed',
  findings: [
    { name: 'interpreter', state: 'ok', text: 'It starts and says: Python 3.12.1', evidence: ['python --version'], fix: '' },
    { name: 'logs', state: 'failed', text: 'The reward is never seen.', evidence: ['tags without a meaning: charts/episodic_return'], fix: 'Map the tag.' },
  ],
  measured: { first_event_s: 1.5, longest_silence_s: 0.2, steps_per_s: 9000, training_s: 2, evaluation_s: 0.5, peak_memory_bytes: 6e7, peak_vram_bytes: 'unknown', stages: [{ stage: 'screen', trials: 8, each_s: 2.5, all_s: 10 }], study_s: 30, budget_s: null },
  evaluation: null,
  checkpoint: { path: 'trial/checkpoints/step_1.safetensors', sha256: null, step: Number.NaN },
};

const lookedAt = { files: 40, studies: 1, trials: 12, events: 60, ledger_lines: 14 };
const broken = { severity: 'broken', study, file: '.rlxp/runs/quick/trials.jsonl', line: 5, message: 'it is not JSON', fix: 'Run it.', repairable: true } as const;

export const sampleOutputs: { readonly [Name in ToolName]: OutputOf<Name> } = {
  repository_init: { root, project: 'Cart', created: ['.rlxp/contract.yaml'] },
  repository_show: {
    root,
    project: 'Cart',
    gates: [{ gate: 'task', status: 'confirmed' }, { gate: 'budget', status: 'draft' }],
    studies: [{ study, why: '', readable: true, approval: 'valid', campaign: 'running', verdict: null }],
    next: 'Watch it with rlxp campaign watch quick.',
  },
  contract_show: {
    project: 'Cart',
    gates: [
      { gate: 'budget', question: 'How many hours may this cost?', example: { wall_hours: 2 }, status: 'draft', value: { wall_hours: 1, list: ['a', 2] }, evidence: ['README.md:3'], confirmed: null, digest: sha, differences: [{ what: 'wall_hours', approved: '1', now: '2' }] },
      { gate: 'task', question: 'What is to be learned?', example: { task: 'walk' }, status: 'missing', value: null, evidence: [], confirmed: null, digest: null, differences: [] },
    ],
  },
  gate_set: { gate: 'budget', status: 'draft', value: { wall_hours: 1 }, digest: sha },
  gate_confirm: { gate: 'budget', value: { wall_hours: 1 }, by: 'ada', at, digest: sha, open: [{ gate: 'experiment', status: 'missing' }], study: null },
  study_approve: { study, by: 'ada', at, digest: sha, agents_may_start: true, files: 2 },
  approval_check: { study, state: 'lapsed', kind: null, by: null, at: null, agents_may_start: false, digest: sha, differences: [{ what: 'env.mjs', approved: 'aa', now: null }], budget: { terms: { wall_hours: 2, gpu_hours: 1, per_trial_s: 60 }, amendments: 1, digest: sha }, text: 'It has lapsed.' },
  study_check: {
    study,
    problems: [],
    warnings: ['The screen is short.'],
    candidates: [{ candidate: 'baseline', changes: [], note: '' }, { candidate: 'fast', changes: ['agent.learning_rate 3e-4 -> 1e-3'], note: 'a guess' }],
    stages: [{ stage: 'screen', trials: 8, trials_to_last_look: 8, timesteps: 8000, parallel: 2 }, { stage: 'verify', trials: 7, trials_to_last_look: 11, timesteps: 8000, parallel: 2 }],
    trials_planned: 15,
    trials_to_last_look: 19,
    cost: { bound_s: 300, budget_s: 600, verify_reserve_s: 60 },
    detectable_effect_sd: 2.1,
    can_show: 'A gain of two seed spreads.',
  },
  campaign_run: { state: 'started', study, process: { pid: 7, start_time: '99' }, log: '/work/cartpole/.rlxp/runs/quick/campaign.log', approval: 'the one shipped with this example' },
  campaign_status: status,
  campaign_stop: steered,
  campaign_pause: steered,
  campaign_resume: steered,
  campaign_skip: steered,
  campaign_amend: { study, by: 'ada', at, before: { wall_hours: 1, gpu_hours: null, per_trial_s: 30 }, budget: { wall_hours: 2.5, gpu_hours: null, per_trial_s: 60 }, digest: sha, taken: true, text: 'the running campaign goes by it' },
  campaign_complete_looks: steered,
  report_show: {
    study,
    state: 'completed',
    verdict: sampleVerdict,
    ranking: [
      { rank: 1, candidate: 'fast', stage: 'refine', status: 'completed', score: 188.2, score_low: 180, score_high: 196.5, t90_steps: 4000, note: '' },
      { rank: null, candidate: 'nan', stage: 'screen', status: 'early_stopped', score: Number.NEGATIVE_INFINITY, score_low: null, score_high: null, t90_steps: null, note: 'its loss became NaN' },
    ],
    causes: [causes, { ...causes, candidate: 'baseline', rows: [] }],
    markdown: '# Report\n',
    files: { report: '/work/cartpole/.rlxp/runs/quick/report.md', winner: null, verdict: '/work/cartpole/.rlxp/runs/quick/verdict.json' },
  },
  report_rebuild: { study, kind: 'concluded', text: 'fast is better.', files: [{ file: '.rlxp/runs/quick/report.md', before: 'different', copy: '.rlxp/runs/quick/report.md.damaged-20260102T030405000Z' }, { file: '.rlxp/runs/quick/verdict.json', before: 'equal', copy: null }] },
  trial_list: { study, trials: [] },
  trial_causes: { study, from: 'replay', trial: causes, baseline: null },
  trial_extra: {
    state: 'planned',
    study,
    trial: 'extra-fast-s7',
    plan: {
      candidate: 'fast',
      changes: ['agent_cfg.agent.learning_rate: 0.0003 -> 0.004'],
      seed: 7,
      timesteps: 9000,
      repeat: 0,
      identity: sha,
      plateau: { after_frac: 0.5, window_frac: 0.3, min_improve: 0.04 },
      settings: { env_cfg: {}, agent_cfg: { agent: { learning_rate: 0.004 } }, num_envs: 8 },
      device: 'cpu',
      threads: 1,
      folder: '/work/cartpole/.rlxp/runs/quick/trials/extra-fast-s7',
      cwd: '/work/cartpole/.rlxp/runs/quick/snapshot',
      train: ['/usr/bin/node', 'train.js', 'a b/trial.json'],
      evaluate: ['/usr/bin/node', 'evaluate.js', 'a b/trial.json'],
      env_names: ['LANG', 'PATH'],
      max_trial_s: 30,
      estimate_s: 12,
      spent_s: 61,
      kept_s: 20,
      budget_s: 600,
      approval: 'approved by ada',
    },
  },
  evidence_pack: { study, file: '/tmp/quick.zip', bytes: 48_000, sha256: sha, entries: 40, left_out: [{ what: 'checkpoints', why: 'they were not asked for' }], redacted: ['runs/quick/events.jsonl'], without_paths: ['runs/quick/manifest.json'] },
  evidence_verify: {
    file: '/tmp/quick.zip',
    study,
    state: 'broken',
    made_by: 'rlxp-workbench 0.1.0',
    checked_by: 'rlxp-workbench 0.2.0',
    entries: 40,
    bytes: 3_000_000,
    verdict: { word: 'better', headline: 'fast is better than the baseline by 41.3 points.' },
    recomputed: [{ what: 'scores and causes from episodes', count: 12 }],
    not_recomputed: [{ what: 'the seals', why: 'they need the key' }],
    findings: [{ ...broken, file: 'runs/quick/trials.jsonl', repairable: false }],
  },
  ledger_show: { lines: [{ schema: 1, seq: 0, at, kind: 'gate_confirmed', by: 'ada', study: null, facts: { gate: 'task' }, prev: sha }], total: 3 },
  ledger_verify: { intact: false, lines: 3, seal: 'broken', problems: [{ file: '.rlxp/ledger.jsonl', line: 2, column: null, message: 'was edited', fix: 'Restore it.' }] },
  repository_check: { root, state: 'broken', findings: [broken, { ...broken, severity: 'warning', line: null, repairable: false }, { ...broken, study: null, severity: 'ok', fix: '' }], looked_at: lookedAt },
  doctor_approve: { study, by: 'ada', at, digest: sha, allows: 'one trial', timesteps: 1000, agents_may_start: true, files: 2 },
  doctor_run: doctorReport,
  doctor_show: {
    study,
    would: { allows: 'one trial', timesteps: 1000, num_envs: 8, device: 'cpu', seed: 42, argv: ['python', 'train.py', '{trial_json}'], files: 2, gates: [{ gate: 'task', status: 'confirmed', value: { task: 'walk' } }, { gate: 'hardware', status: 'missing', value: null }] },
    digest: sha,
    approval: { state: 'lapsed', text: 'Something changed.', differences: [{ what: 'file env.mjs', approved: 'content aa', now: null }] },
    report: doctorReport,
  },
  selftest_run: { root, state: 'failed', items: [{ subject: 'study', name: study, state: 'failed', text: '1 problem', problems: [{ file: '.rlxp/studies/quick.yaml', line: 3, column: 5, message: 'an unknown key', fix: 'Remove it.' }] }, { subject: 'smoke', name: 'parallel screening', state: 'ok', text: 'fine', problems: [] }] },
  repository_repair: { root, state: 'clean', findings: [], looked_at: lookedAt, repaired: [{ study, file: broken.file, did: 'kept 4 lines', copy: `${broken.file}.damaged-20260102T030405000Z` }], rerun: [{ study, trial: 'screen-baseline-s42' }] },
};

export const sampleFeedInputs: { readonly [Name in FeedName]: FeedInputOf<Name> } = { campaign_watch: place };

export const sampleSnapshots: { readonly [Name in FeedName]: SnapshotOf<Name> } = {
  campaign_watch: { status, events: [{ seq: 0, at, mono_ms: 0, eta_s: null, event: { kind: 'campaign_started', study, pid: 7, resumed: false, trials_planned: 20, trials_to_last_look: 24, slots: 2 } }] },
};

const trial = { folder: 'screen-fast-s42', candidate: 'fast', stage: 'screen', seed: 42, repeat: 0, attempt: 0 } as const;

export const sampleChanges: { readonly [Name in FeedName]: readonly ChangeOf<Name>[] } = {
  campaign_watch: [
    { kind: 'event', line: { seq: 1, at, mono_ms: 83_000, eta_s: 130, event: { kind: 'trial_ended', trial, slot: 0, status: 'early_stopped', rule: 'nan', text: 'its loss became NaN', score: Number.NaN } } },
    { kind: 'status', status },
    { kind: 'event', line: { seq: 2, at, mono_ms: 99_000, eta_s: null, event: { kind: 'campaign_ended', status: 'completed', text: 'all stages finished' } } },
  ],
};
