// Reads trial.json and gives a run its context: parsed settings and absolute paths. Imported by the harness.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { bundledAgent, type BundledAgent } from '../../src-protocol/files/agent.ts';
import { trialFile, type TrialFile } from '../../src-protocol/files/trial.ts';

export interface TrialContext {
  readonly trial: TrialFile;
  readonly config: BundledAgent;
  /** Absolute; paths in the trial are relative to it. */
  readonly folder: string;
  /** Absolute path of a path written in the trial. */
  readonly path: (written: string) => string;
}

/** Throws an Error naming the file and the first wrong setting. */
export async function readTrial(file: string): Promise<TrialContext> {
  const path = resolve(file);
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  const trial = parse(trialFile, json, path);
  if (trial.framework !== 'bundled') throw new Error(`${path}: framework is "${trial.framework}", this runner serves "bundled"`);
  const folder = dirname(path);
  return {
    trial,
    config: parse(bundledAgent, trial.agent_cfg, `${path}: agent_cfg`),
    folder,
    path: (written) => resolve(folder, written),
  };
}

function parse<S extends z.ZodType>(schema: S, value: unknown, name: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new Error(`${name}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}
