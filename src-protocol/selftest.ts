// The tool that tests this program and the files of a repository without starting anything (docs/specs/selftest.md).
import { z } from 'zod';
import { root } from './place.ts';
import { problem } from './refusal.ts';
import { tool } from './tool.ts';

export const selftestSubject = z.enum(['repository', 'contract', 'adapter', 'task', 'study', 'profile', 'fixture', 'smoke']);

export const selftestItem = z.strictObject({
  subject: selftestSubject,
  name: z.string(),
  state: z.enum(['ok', 'warning', 'failed']),
  /** What was looked at, or what is wrong, in one sentence. */
  text: z.string(),
  /** Each with file, line and fix. */
  problems: z.array(problem),
});
export type SelftestItem = Readonly<z.infer<typeof selftestItem>>;

export const selftestRun = tool({
  name: 'selftest_run',
  title: 'Test the program',
  use: 'Checks contract, adapter, tasks and studies of a repository, the profiles and examples shipped with this program, and the program\'s own decisions on trials in memory. Starts no process, needs no GPU, network or simulator, changes nothing, and takes a few seconds.',
  effect: 'read',
  input: z.strictObject({ root }),
  output: z.strictObject({
    root: z.string(),
    /** The worst state of all items. */
    state: z.enum(['ok', 'warning', 'failed']),
    items: z.array(selftestItem),
  }),
  refusals: [],
  cli: { path: ['selftest'] },
});
