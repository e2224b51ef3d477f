// Tools of single trials: the list of finished ones, why the episodes of one end, and one more beside the campaign.
import { z } from 'zod';
import { plainMap, sha256, slug } from './files/plain.ts';
import { trialRecord } from './files/record.ts';
import { plateauRule } from './files/study.ts';
import { approvalRefusals, readRefusals, root, study, trialFolder, writeRefusals } from './place.ts';
import { candidateCauses } from './ranking.ts';
import { tool } from './tool.ts';

export const trialList = tool({
  name: 'trial_list',
  title: 'List trials',
  use: 'Lists every finished trial of a study with its status, score and folder, in the order they finished.',
  effect: 'read',
  input: z.strictObject({ root, study }),
  output: z.strictObject({ study: slug, trials: z.array(trialRecord) }),
  refusals: readRefusals,
  cli: { path: ['trial', 'list'], positional: ['study'] },
});

export const trialCauses = tool({
  name: 'trial_causes',
  title: 'Why episodes end',
  use: 'Tells why the episodes of a trial end, per cause with intervals, beside the baseline. Reads the recorded evaluation; with `episodes` it replays the trial\'s checkpoint for that many episodes, which uses the device.',
  effect: 'read',
  raisedBy: 'episodes',
  about: 'study',
  input: z.strictObject({
    root,
    study,
    trial: trialFolder,
    episodes: z.number().int().min(1).max(100_000).optional().describe('Replay the checkpoint for this many episodes'),
  }),
  output: z.strictObject({
    study: slug,
    /** `records`: the trial's own evaluation; `replay`: episodes run just now. */
    from: z.enum(['records', 'replay']),
    trial: candidateCauses,
    /** The same for the baseline of the same stage; null when the trial is the baseline or there is none. */
    baseline: candidateCauses.nullable(),
  }),
  refusals: [...readRefusals, ...approvalRefusals, 'no_checkpoint', 'campaign_running', 'unwritable', 'not_supported'],
  cli: { path: ['trial', 'causes'], positional: ['trial'] },
});

/** Exactly what an extra trial runs. */
export const extraPlan = z.strictObject({
  candidate: slug,
  /** Against the baseline, in words. */
  changes: z.array(z.string()),
  seed: z.number().int().nonnegative(),
  timesteps: z.number().int().positive(),
  repeat: z.number().int().nonnegative(),
  identity: sha256,
  /** Null: nothing but its own end, its limits and its rules ends it. */
  plateau: plateauRule.nullable(),
  settings: plainMap,
  device: z.string(),
  /** Threads that its numeric libraries are held to; null: they are not. */
  threads: z.number().int().positive().nullable(),
  /** Absolute. */
  folder: z.string(),
  cwd: z.string(),
  train: z.array(z.string()),
  evaluate: z.array(z.string()),
  /** Environment variables that it gets, by name. */
  env_names: z.array(z.string()),
  max_trial_s: z.number(),
  /** What trials of this length took; null while nothing was measured. */
  estimate_s: z.number().nullable(),
  spent_s: z.number(),
  /** Kept for verify, which an extra trial may not use. */
  kept_s: z.number(),
  budget_s: z.number().nullable(),
  approval: z.string(),
});

const extra = { study: slug, trial: trialFolder };

export const trialExtra = tool({
  name: 'trial_extra',
  title: 'Run an extra trial',
  use: 'Trains one candidate of an approved study at a budget of its own, in the background, and appends it to the same records as the stage `extra`. It enters neither ranking nor verdict. A plateau ends it early unless `full` is given; `dry_run` shows exactly what would run and starts nothing. One that was stopped or cut off is taken up by asking for it again.',
  effect: 'spend',
  about: 'study',
  input: z.strictObject({
    root,
    study,
    candidate: slug.describe('Candidate of the study'),
    timesteps: z.number().int().min(1).max(1e12).optional().describe('How long to train, on the trainer\'s axis [as refine]'),
    seed: z.number().int().min(0).max(2 ** 31 - 1).optional().describe('Training seed [the study\'s]'),
    dry_run: z.boolean().default(false).describe('Only show what would run'),
    full: z.boolean().default(false).describe('Train to the end, past any plateau'),
  }),
  output: z.discriminatedUnion('state', [
    z.strictObject({ state: z.literal('planned'), ...extra, plan: extraPlan }),
    z.strictObject({ state: z.literal('started'), ...extra, plan: extraPlan, process: z.strictObject({ pid: z.number(), start_time: z.string() }), log: z.string() }),
    /** It was trained before; nothing was started. */
    z.strictObject({ state: z.literal('finished'), ...extra, record: trialRecord }),
  ]),
  refusals: [...writeRefusals, ...approvalRefusals, 'campaign_running', 'not_started', 'over_budget'],
  cli: { path: ['trial', 'extra'], positional: ['study', 'candidate'], then: { watch: 'campaign_watch', show: 'trial_list', onlyIf: 'started' } },
});
