// events.jsonl: everything that happened in a campaign, in order. Derived from the records where they overlap: a reader
// shows it, nothing decides by it. control/: requests to the campaign process.
import { z } from 'zod';
import { anyNumber } from '../number.ts';
import { isoTime, slug, stageName } from './plain.ts';
import { monitorRuleName, trialStatus } from './record.ts';

const trialRef = z.object({ folder: z.string(), candidate: slug, stage: stageName, seed: z.number(), repeat: z.number(), attempt: z.number() });

export const campaignEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('campaign_started'), study: slug, pid: z.number(), resumed: z.boolean(), trials_planned: z.number(), slots: z.number() }),
  z.object({ kind: z.literal('stage_started'), stage: stageName, trials: z.number() }),
  z.object({ kind: z.literal('stage_ended'), stage: stageName, text: z.string() }),
  z.object({ kind: z.literal('trial_started'), trial: trialRef, slot: z.number(), pid: z.number() }),
  z.object({ kind: z.literal('trial_ended'), trial: trialRef, slot: z.number(), status: trialStatus, rule: monitorRuleName.nullable(), text: z.string(), score: anyNumber.nullable() }),
  z.object({ kind: z.literal('self_test'), passed: z.boolean(), text: z.string() }),
  z.object({ kind: z.literal('ranked'), stage: stageName, order: z.array(z.string()) }),
  z.object({ kind: z.literal('winner_picked'), candidate: z.string() }),
  z.object({ kind: z.literal('look'), seeds: z.number(), word: z.string(), text: z.string() }),
  z.object({ kind: z.literal('warning'), text: z.string() }),
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
  action: z.enum(['stop', 'pause', 'pause_now', 'resume', 'skip', 'complete_looks']),
  /** Folder name of the trial to skip. */
  trial: z.string().nullable().default(null),
  by: z.string(),
  at: isoTime,
});
export type ControlRequest = z.infer<typeof controlRequest>;

/** campaign.json beside events.jsonl: who is running this campaign now. */
export const campaignProcess = z.strictObject({
  schema: z.literal(1),
  pid: z.number(),
  start_time: z.string(),
  boot_id: z.string(),
  status: z.enum(['running', 'paused', 'completed', 'stopped', 'blocked', 'failed']),
  text: z.string(),
  started_at: isoTime,
  heartbeat_at: isoTime,
  spent_s: z.number(),
  reserved_s: z.number(),
});
export type CampaignProcess = z.infer<typeof campaignProcess>;
