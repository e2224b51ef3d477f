// Tools that verify every invariant of a repository's files, and mend what can be mended safely (docs/specs/check.md).
import { z } from 'zod';
import { slug } from './files/plain.ts';
import { readRefusals, root, study, writeRefusals } from './place.ts';
import { tool } from './tool.ts';

/** `ok`: worth knowing; `warning`: nothing is lost and nothing is wrong yet; `broken`: something here must not be trusted. */
export const checkSeverity = z.enum(['ok', 'warning', 'broken']);
export type CheckSeverity = z.infer<typeof checkSeverity>;

export const checkFinding = z.strictObject({
  severity: checkSeverity,
  /** Null for files of the whole repository. */
  study: slug.nullable(),
  /** Relative to the repository. */
  file: z.string(),
  line: z.number().int().positive().nullable(),
  /** What it means. */
  message: z.string(),
  fix: z.string(),
  /** Whether `rlxp check --repair` mends it. */
  repairable: z.boolean(),
});
export type CheckFinding = Readonly<z.infer<typeof checkFinding>>;

const count = z.number().int().nonnegative();

const checkReport = {
  root: z.string(),
  /** The worst severity: `clean` when nothing is worse than `ok`. */
  state: z.enum(['clean', 'warnings', 'broken']),
  findings: z.array(checkFinding),
  looked_at: z.strictObject({ files: count, studies: count, trials: count, events: count, ledger_lines: count }),
};

const input = z.strictObject({ root, study: study.optional().describe('Only the run of this study, and what belongs to the repository') });

export const repositoryCheck = tool({
  name: 'repository_check',
  title: 'Check the files',
  use: 'Verifies every invariant of a repository: records, plan, evaluations, checkpoints, approval, copied code, ledger, what derives from the records, processes and files that a crash left. Names file, line, meaning and fix of each finding, and changes nothing.',
  effect: 'read',
  input,
  output: z.strictObject(checkReport),
  refusals: readRefusals,
  cli: { path: ['check'], positional: ['study'], instead: { switch: 'repair', tool: 'repository_repair', does: 'mends what it finds' } },
});

export const repositoryRepair = tool({
  name: 'repository_repair',
  title: 'Repair the files',
  use: 'Checks a repository and mends what can be mended safely: torn and damaged journals are cut back to what can be trusted, what derives from the records is written anew, leftovers of a crash go. Every damaged file is copied beside itself first. Refused while a campaign runs.',
  effect: 'write',
  input,
  output: z.strictObject({
    ...checkReport,
    repaired: z.array(z.strictObject({ study: slug.nullable(), file: z.string(), did: z.string(), copy: z.string().nullable() })),
    /** Trials whose records lay behind a damage: they run again. */
    rerun: z.array(z.strictObject({ study: slug, trial: z.string() })),
  }),
  refusals: [...writeRefusals, 'campaign_running'],
  cli: { path: ['repair'], positional: ['study'] },
});
