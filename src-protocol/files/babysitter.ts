// babysitter.json beside campaign.json: the process that starts a campaign again when it died, and what it saw so far.
import { z } from 'zod';
import { isoTime, slug } from './plain.ts';

const identity = z.strictObject({ pid: z.number(), start_time: z.string() });

export const babysitterFile = z.strictObject({
  schema: z.literal(1),
  study: slug,
  pid: z.number(),
  start_time: z.string(),
  boot_id: z.string(),
  /** `restarting`: the campaign died and is about to be started again. `gave_up`: it died too often. `ended`: nothing is left to watch. */
  status: z.enum(['watching', 'restarting', 'ended', 'gave_up']),
  started_at: isoTime,
  /** The campaign process it started last. */
  campaign: identity.nullable(),
  /** How often it started the campaign again. */
  restarts: z.number().int().nonnegative(),
  /** The last deaths, oldest first. */
  deaths: z.array(z.strictObject({ at: isoTime, pid: z.number(), how: z.string() })),
  /** What there is to tell, in a sentence; empty when nothing happened. */
  text: z.string(),
});
export type BabysitterFile = z.infer<typeof babysitterFile>;
