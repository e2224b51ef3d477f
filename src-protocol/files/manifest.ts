// manifest.json of a campaign and of a trial: provenance, written before training and finished always.
import { z } from 'zod';
import { anyNumber } from '../number.ts';
import { isoTime } from './plain.ts';

export const manifestFile = z.strictObject({
  schema: z.literal(1),
  kind: z.enum(['campaign', 'trial', 'doctor']),
  /** `YYYYMMDDTHHMMSSZ-` and 8 hex digits. */
  run_id: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'interrupted']),
  started_at: isoTime,
  ended_at: isoTime.nullable(),
  /** Process that writes it, to tell `running` from `interrupted`. */
  process: z.strictObject({ pid: z.number(), start_time: z.string(), boot_id: z.string() }),
  repository: z
    .strictObject({
      commit: z.string().nullable(),
      branch: z.string().nullable(),
      dirty: z.boolean().nullable(),
      diff_sha256: z.string().nullable(),
    })
    .nullable(),
  program: z.strictObject({ name: z.string(), version: z.string(), commit: z.string().nullable() }),
  /** Lockfiles of the repository and of this program: path -> SHA-256. */
  lockfiles: z.record(z.string(), z.string()),
  frameworks: z.record(z.string(), z.string()),
  argv: z.array(z.string()),
  seeds: z.record(z.string(), z.number()),
  hardware: z.strictObject({
    platform: z.string(),
    architecture: z.string(),
    cpu_model: z.string(),
    usable_cores: z.number(),
    memory_bytes: z.number(),
    node: z.string(),
    gpus: z.union([z.literal('unknown'), z.array(z.strictObject({ uuid: z.string(), name: z.string(), vram_bytes: z.union([z.number(), z.literal('unknown')]) }))]),
  }),
  backend: z.string().nullable(),
  /** Environment variables by name only. */
  env_names: z.array(z.string()),
  error: z.strictObject({ type: z.string(), message: z.string() }).nullable(),
  facts: z.record(z.string(), z.union([anyNumber, z.string(), z.boolean(), z.null()])).default({}),
});
export type ManifestFile = z.infer<typeof manifestFile>;
