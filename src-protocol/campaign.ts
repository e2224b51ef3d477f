// Tools and the feed of a campaign: start it, see it, steer it.
import { z } from 'zod';
import { budgetTerms } from './files/budget-amendment.ts';
import { eventLine, trialInFlight } from './files/event.ts';
import { isoTime, sha256, slug, stageName } from './files/plain.ts';
import { approvalRefusals, readRefusals, root, study, trialFolder, writeRefusals } from './place.ts';
import { shortVerdict } from './ranking.ts';
import { campaignState } from './repository.ts';
import { feed, tool } from './tool.ts';

/** What campaign.json says, read together with the lock, the records and the verdict. */
export const campaignStatusView = z.strictObject({
  study: slug,
  state: campaignState,
  /** What it is doing or why it ended, in one sentence. */
  text: z.string(),
  process: z.strictObject({ pid: z.number(), start_time: z.string() }).nullable(),
  /** Its process was stopped (SIGSTOP) and lives: nothing goes on until it is continued. */
  suspended: z.boolean(),
  /** Who starts it again when its process dies; null when nobody does. */
  babysitter: z.strictObject({
    pid: z.number(),
    start_time: z.string(),
    alive: z.boolean(),
    restarts: z.number().int().nonnegative(),
    /** `the process died (killed by SIGKILL); restarted 2 times`; empty when nothing happened. */
    text: z.string(),
  }).nullable(),
  started_at: isoTime.nullable(),
  stage: z.union([stageName, z.literal('self_test')]).nullable(),
  trials_done: z.number().int().nonnegative(),
  /** As far as they are known: verify counts up to its next look. */
  trials_planned: z.number().int().nonnegative(),
  running: z.array(trialInFlight),
  eta_s: z.number().nullable(),
  spent_s: z.number().nonnegative(),
  reserved_s: z.number().nonnegative(),
  budget_s: z.number().nullable(),
  verdict: shortVerdict.nullable(),
});
export type CampaignStatusView = z.infer<typeof campaignStatusView>;

const steer = z.strictObject({ root, study });
const steered = z.strictObject({
  study: slug,
  /** True once the campaign process took the request up; false when it is written and still waiting. */
  taken: z.boolean(),
  text: z.string(),
});
const steerRefusals = [...writeRefusals, 'nothing_running'] as const;

export const campaignRun = tool({
  name: 'campaign_run',
  title: 'Run a campaign',
  use: 'Starts the approved study as a background process that survives this window, or takes up one that was interrupted. A finished study shows its verdict instead; `fresh` sets the finished run aside and starts over.',
  effect: 'spend',
  about: 'study',
  input: z.strictObject({
    root,
    study,
    fresh: z.boolean().default(false).describe('Set an earlier run of this study aside and start over'),
  }),
  output: z.discriminatedUnion('state', [
    z.strictObject({
      state: z.enum(['started', 'resumed']),
      study: slug,
      process: z.strictObject({ pid: z.number(), start_time: z.string() }),
      /** Where it narrates itself, absolute. */
      log: z.string(),
      /** Which approval it runs on, in one sentence. */
      approval: z.string(),
    }),
    z.strictObject({
      state: z.literal('finished'),
      study: slug,
      verdict: shortVerdict.nullable(),
      /** What the repository says now that this run did not use, in words; empty when nothing changed. */
      changes: z.array(z.string()),
    }),
  ]),
  refusals: [...writeRefusals, ...approvalRefusals, 'campaign_running', 'not_started', 'study_finished', 'over_budget', 'out_of_scope', 'device_unsupported', 'self_test_failed'],
  cli: { path: ['campaign', 'run'], positional: ['study'], then: { watch: 'campaign_watch', show: 'report_show' } },
});

export const campaignStatus = tool({
  name: 'campaign_status',
  title: 'Campaign status',
  use: 'Tells what a campaign is doing now: stage, running trials, what is left, time and budget.',
  effect: 'read',
  input: steer,
  output: campaignStatusView,
  refusals: readRefusals,
  cli: { path: ['campaign', 'status'], positional: ['study'] },
});

export const campaignStop = tool({
  name: 'campaign_stop',
  title: 'Stop a campaign',
  use: 'Ends the running trials in an orderly way and the campaign with them. Finished trials are kept; running the study again goes on from there.',
  effect: 'write',
  input: steer,
  output: steered,
  refusals: steerRefusals,
  cli: { path: ['campaign', 'stop'], positional: ['study'] },
});

export const campaignPause = tool({
  name: 'campaign_pause',
  title: 'Pause a campaign',
  use: 'Starts no further trial until it is resumed; with `now` the running trials are ended as well and run again later.',
  effect: 'write',
  input: steer.extend({ now: z.boolean().default(false).describe('End the running trials too') }),
  output: steered,
  refusals: steerRefusals,
  cli: { path: ['campaign', 'pause'], positional: ['study'] },
});

export const campaignResume = tool({
  name: 'campaign_resume',
  title: 'Resume a campaign',
  use: 'Lets a paused campaign start trials again.',
  effect: 'spend',
  about: 'study',
  input: steer,
  output: steered,
  refusals: [...steerRefusals, ...approvalRefusals],
  cli: { path: ['campaign', 'resume'], positional: ['study'] },
});

export const campaignSkip = tool({
  name: 'campaign_skip',
  title: 'Skip a trial',
  use: 'Ends one running or waiting trial for good: it is recorded as cancelled and never run again.',
  effect: 'spend',
  about: 'study',
  input: steer.extend({ trial: trialFolder }),
  output: steered,
  refusals: [...steerRefusals, ...approvalRefusals],
  cli: { path: ['campaign', 'skip'], positional: ['study', 'trial'] },
});

export const campaignAmend = tool({
  name: 'campaign_amend',
  title: 'Raise the budget',
  use: 'Adds to the budget of an approved study: its wall hours, its hours on the GPU, the seconds of one trial. A running campaign goes by it at once, and goes on if it was paused for its budget. Only a person can do this, and nothing else can be amended: what a study searches needs a new approval.',
  effect: 'approve',
  about: 'study',
  input: steer.extend({
    wall_hours: z.number().positive().optional().describe('Wall hours of the whole campaign, more than now'),
    gpu_hours: z.number().positive().optional().describe('Hours on the GPU, more than now; for studies that have that limit'),
    per_trial_s: z.number().positive().optional().describe('Wall seconds of one trial, more than now; for trials that start from now on'),
    digest: sha256.optional().describe('Digest of the budget that the person was shown; refused as approval_lapsed if it is another by now'),
  }),
  output: z.strictObject({
    study: slug,
    by: z.string(),
    at: isoTime,
    before: budgetTerms,
    budget: budgetTerms,
    /** Digest of the sealed record. */
    digest: sha256,
    /** True once a running campaign goes by it. */
    taken: z.boolean(),
    text: z.string(),
  }),
  refusals: [...writeRefusals, ...approvalRefusals, 'study_finished', 'nothing_running'],
  cli: { path: ['campaign', 'amend'], positional: ['study'] },
});

export const campaignCompleteLooks = tool({
  name: 'campaign_complete_looks',
  title: 'Complete all looks',
  use: 'After an early stop of the verify stage, trains the fresh seeds that are left, so that the interval is as narrow as the plan allows.',
  effect: 'spend',
  about: 'study',
  input: steer,
  output: steered,
  refusals: [...steerRefusals, ...approvalRefusals, 'over_budget', 'study_finished'],
  cli: { path: ['campaign', 'complete-looks'], positional: ['study'] },
});

export const campaignWatch = feed({
  name: 'campaign_watch',
  title: 'Watch a campaign',
  use: 'Follows a campaign live: every event in order, and the progress of the running trials. Ends when the campaign ends.',
  input: steer,
  snapshot: z.strictObject({
    status: campaignStatusView,
    /** Events so far, oldest first; at most the last 200. */
    events: z.array(eventLine),
  }),
  change: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('event'), line: eventLine }),
    /** The newest state, at most twice a second; older ones are not kept for a slow reader. */
    z.strictObject({ kind: z.literal('status'), status: campaignStatusView }),
  ]),
  refusals: [...readRefusals, 'nothing_running'],
  cli: { path: ['campaign', 'watch'], positional: ['study'] },
});
