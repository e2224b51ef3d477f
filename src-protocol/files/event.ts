// events.jsonl: everything that happened in a campaign, in order. Derived from the records where they overlap: a reader
// shows it, nothing decides by it. control/: requests to the campaign process.
import { z } from 'zod';
import { anyNumber } from '../number.ts';
import { isoTime, slug, stageName } from './plain.ts';
import { monitorRuleName, trialStatus } from './record.ts';

const trialRef = z.object({ folder: z.string(), candidate: slug, stage: stageName, seed: z.number(), repeat: z.number(), attempt: z.number() });

export const campaignEvent = z.discriminatedUnion('kind', [
  /** `trials_planned` is what campaign.json means by it; `trials_to_last_look` what verify may come to (null in events of older programs). */
  z.object({ kind: z.literal('campaign_started'), study: slug, pid: z.number(), resumed: z.boolean(), trials_planned: z.number(), trials_to_last_look: z.number().nullable().default(null), slots: z.number() }),
  z.object({ kind: z.literal('stage_started'), stage: stageName, trials: z.number() }),
  z.object({ kind: z.literal('stage_ended'), stage: stageName, text: z.string() }),
  z.object({ kind: z.literal('trial_started'), trial: trialRef, slot: z.number(), pid: z.number() }),
  z.object({ kind: z.literal('trial_ended'), trial: trialRef, slot: z.number(), status: trialStatus, rule: monitorRuleName.nullable(), text: z.string(), score: anyNumber.nullable() }),
  z.object({ kind: z.literal('self_test'), passed: z.boolean(), text: z.string() }),
  z.object({ kind: z.literal('ranked'), stage: stageName, order: z.array(z.string()) }),
  z.object({ kind: z.literal('winner_picked'), candidate: z.string() }),
  z.object({ kind: z.literal('look'), seeds: z.number(), word: z.string(), text: z.string() }),
  /** Told by whoever came after it: the campaign as it was started again, or its babysitter. */
  z.object({ kind: z.literal('process_died'), text: z.string() }),
  z.object({ kind: z.literal('warning'), text: z.string() }),
  /** The budget was raised: `wall_hours 1 -> 2`. */
  z.object({ kind: z.literal('amended'), text: z.string() }),
  z.object({ kind: z.literal('paused'), reason: z.string() }),
  z.object({ kind: z.literal('resumed') }),
  z.object({ kind: z.literal('stopped'), reason: z.string() }),
  z.object({ kind: z.literal('verdict'), word: z.string(), text: z.string() }),
  z.object({ kind: z.literal('campaign_ended'), status: z.enum(['completed', 'stopped', 'blocked', 'failed']), text: z.string() }),
]);
export type CampaignEvent = z.infer<typeof campaignEvent>;

export const eventLine = z.object({
  seq: z.number().int().nonnegative(),
  at: isoTime,
  /** Milliseconds of the monotonic clock since this campaign process started. */
  mono_ms: z.number(),
  /** Seconds left by the campaign's own estimate; null when it has none. */
  eta_s: z.number().nullable(),
  event: campaignEvent,
});
export type EventLine = z.infer<typeof eventLine>;

/** A file in control/, one per request, named `<seq>-<action>.json`; the campaign removes it after acting. */
export const controlRequest = z.strictObject({
  action: z.enum(['stop', 'pause', 'pause_now', 'resume', 'skip', 'complete_looks', 'amend']),
  /** Folder name of the trial to skip. */
  trial: z.string().nullable().default(null),
  by: z.string(),
  at: isoTime,
});
export type ControlRequest = z.infer<typeof controlRequest>;

/** One trial in flight, as campaign.json shows it about once a second. */
export const trialInFlight = z.strictObject({
  folder: z.string(),
  stage: stageName,
  candidate: slug,
  seed: z.number(),
  slot: z.number(),
  phase: z.enum(['training', 'evaluating']),
  step: z.number(),
  timesteps: z.number(),
  /** Smoothed training reward; null before the first finished episode. */
  reward: anyNumber.nullable(),
  steps_per_s: z.number().nullable(),
});
export type TrialInFlight = z.infer<typeof trialInFlight>;

/** campaign.json beside events.jsonl: who is running this campaign, and where it stands. Rewritten about once a second. */
export const campaignProcess = z.strictObject({
  schema: z.literal(1),
  study: slug,
  pid: z.number(),
  start_time: z.string(),
  boot_id: z.string(),
  status: z.enum(['running', 'paused', 'completed', 'stopped', 'blocked', 'failed']),
  /** Why it is in this status, in a sentence. */
  text: z.string(),
  started_at: isoTime,
  heartbeat_at: isoTime,
  stage: z.union([stageName, z.literal('self_test')]).nullable(),
  trials_done: z.number(),
  /** Trials of this study as far as they are known: verify counts up to its next look. */
  trials_planned: z.number(),
  eta_s: z.number().nullable(),
  /** Hours of the union of intervals in which trials held the device, over all runs of this campaign, in seconds. */
  spent_s: z.number(),
  reserved_s: z.number(),
  budget_s: z.number(),
  /** Share of slots x wall during which a slot stood empty although a trial could have run. */
  idle_share: z.number(),
  running: z.array(trialInFlight),
  /** What a person asked for and still stands, so that a campaign that is started again after a crash keeps to it. */
  asked: z.enum(['pause', 'stop']).nullable().default(null),
});
export type CampaignProcess = z.infer<typeof campaignProcess>;
