// runs/<study>/extra.json: an extra trial that was asked for and is not finished. The campaign process reads it when it starts, and
// removes it when it ends; a process that died and is started again takes it up.
import { z } from 'zod';
import { isoTime, slug } from './plain.ts';

export const extraWish = z.strictObject({
  candidate: slug,
  timesteps: z.number().int().positive(),
  seed: z.number().int().nonnegative(),
  /** 1: to its end, after the same trial was ended at a plateau. */
  repeat: z.number().int().min(0).max(1),
  /** No plateau ends it. */
  full: z.boolean(),
  by: z.string(),
  at: isoTime,
  /** How the campaign stood, and stands again afterwards; null when it never came to an end of its own. */
  stood: z.strictObject({ status: z.enum(['completed', 'blocked', 'stopped', 'failed']), text: z.string() }).nullable(),
});
export type ExtraWish = z.infer<typeof extraWish>;
