// experiments.yaml: proposed studies, each with a reason and what it rests on. Approval is not recorded here: the seal
// in runs/<study>/approval.json is the authority.
import { z } from 'zod';
import { slug } from './plain.ts';

export const experiment = z.strictObject({
  study: slug,
  why: z.string().default(''),
  evidence: z.array(z.string()).default([]),
  status: z.enum(['proposed', 'approved', 'withdrawn']).default('proposed'),
});

export const experimentsFile = z.strictObject({ schema: z.literal(1), experiments: z.array(experiment) });
export type ExperimentsFile = z.infer<typeof experimentsFile>;
