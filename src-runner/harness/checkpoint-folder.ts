// Where checkpoints lie and which one is evaluated. Imported by the harness.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../src-main/durable/replace-file.ts';

const NAME = /^step_(\d{1,15})\.safetensors$/;

/** Steps at which a run of `timesteps` saves: every sixteenth from 0 to the end, so the halvings are among them. Ascending. */
export function checkpointSteps(timesteps: number): readonly number[] {
  const steps = Array.from({ length: 17 }, (_, sixteenths) => Math.ceil((sixteenths / 16) * timesteps));
  return [...new Set(steps)];
}

/** Writes `<folder>/step_<step>.safetensors` as a whole or not at all; gives its path. */
export async function saveCheckpoint(folder: string, step: number, bytes: Uint8Array): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `step_${step}.safetensors`);
  await replaceFile(path, bytes);
  return path;
}

/** The path of the checkpoint with the highest step. Throws an Error naming the folder when there is none. */
export async function newestCheckpoint(folder: string): Promise<string> {
  let best: { readonly name: string; readonly step: number } | null = null;
  for (const name of await namesIn(folder)) {
    const step = NAME.exec(name)?.[1];
    if (step !== undefined && (best === null || Number(step) > best.step)) best = { name, step: Number(step) };
  }
  if (best === null) throw new Error(`no checkpoint (step_<n>.safetensors) in ${folder}`);
  return join(folder, best.name);
}


async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
