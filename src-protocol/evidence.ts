// Tools that pack a study's evidence into one file, and verify such a file on any machine (docs/specs/evidence.md).
import { z } from 'zod';
import { checkFinding } from './check.ts';
import { slug } from './files/plain.ts';
import { filePath, root, study, writeRefusals } from './place.ts';
import { shortVerdict } from './ranking.ts';
import { tool } from './tool.ts';

const count = z.number().int().nonnegative();
const leftOut = z.strictObject({ what: z.string(), why: z.string() });

export const evidencePack = tool({
  name: 'evidence_pack',
  title: 'Pack the evidence',
  use: 'Packs one zip from which another machine recomputes every number of a study: records, episodes, event files, approval, ledger and what was concluded from them. No secrets; checkpoints only when asked for. `rlxp evidence verify FILE` checks it anywhere. The same files give the same bytes.',
  effect: 'write',
  input: z.strictObject({
    root,
    study,
    out: filePath.optional().describe('The zip to write [.rlxp/runs/<study>/evidence-<study>.zip]; it ends in .zip'),
    checkpoints: z.boolean().default(false).describe('Pack the evaluated checkpoints too'),
  }),
  output: z.strictObject({
    study: slug,
    /** Absolute. */
    file: z.string(),
    bytes: count,
    sha256: z.string(),
    entries: count,
    left_out: z.array(leftOut),
    redacted: z.array(z.string()),
    without_paths: z.array(z.string()),
  }),
  refusals: [...writeRefusals, 'already_exists', 'bad_input', 'needs_person', 'campaign_running', 'approved_elsewhere'],
  cli: { path: ['evidence'], positional: ['study'] },
});

export const evidenceVerify = tool({
  name: 'evidence_verify',
  title: 'Verify evidence',
  use: 'Verifies a zip that `rlxp evidence` packed, on any machine, without its repository and without a key: the container, every digest, the ledger\'s chain; and computes scores, training figures, ranking, verdict and report again from episodes and event files. Says what was computed and what could not be. Extracts nothing.',
  effect: 'read',
  input: z.strictObject({ file: filePath.describe('The zip to verify') }),
  output: z.strictObject({
    file: z.string(),
    study: slug,
    /** `in_part`: nothing is wrong, and some of what could be computed again is not in the zip. */
    state: z.enum(['holds', 'in_part', 'broken']),
    made_by: z.string(),
    checked_by: z.string(),
    entries: count,
    bytes: count,
    verdict: shortVerdict.nullable(),
    recomputed: z.array(z.strictObject({ what: z.string(), count })),
    not_recomputed: z.array(leftOut),
    /** `file` is a name inside the zip. */
    findings: z.array(checkFinding),
  }),
  refusals: ['not_found', 'invalid_file', 'damaged', 'newer_schema'],
  cli: { path: ['evidence', 'verify'], positional: ['file'] },
});
