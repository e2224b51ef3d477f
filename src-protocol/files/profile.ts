// resources/profiles/<name>.yaml: what is known about a trainer, as data that an adapter starts from.
import { z } from 'zod';
import { plainMap, slug } from './plain.ts';

export const profileFile = z.strictObject({
  profile: slug,
  /** One sentence for a person choosing. */
  about: z.string().min(1),
  /** Keys of adapter.yaml that a project has to say itself, each with what to write: nothing could be assumed for it. */
  asks: z.record(z.string().min(1), z.string().min(1)).default({}),
  /** What adapter.yaml starts from. Checked as part of the adapter it is merged into. */
  adapter: plainMap,
});
export type ProfileFile = z.infer<typeof profileFile>;
