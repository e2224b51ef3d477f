// What a trial left behind, read from its folder: the truth about it, whatever its exit code says. Imported by this room and the doctor.
import path from 'node:path';
import { evaluationFile, type EvaluationFile } from '../../../src-protocol/files/evaluation.ts';
import type { Files } from '../../ports.ts';
import { findMatches, type FoundFile } from '../metrics/glob.ts';
import { digestBytes } from '../provenance/canonical-json.ts';
import { checkHeader, headerPrefixBytes, readHeaderLength } from './safetensors-header.ts';

export interface Checkpoint {
  readonly path: string;
  /** Below the trial's folder. */
  readonly relative: string;
  /** Changes when the checkpoint is written again. */
  readonly version: string;
  readonly modifiedMs: number;
  /** The step its name tells; null when there is no number in it. */
  readonly step: number | null;
}

/**
 * The newest checkpoint that is whole; null when there is none. Unfinished files (`.name`, `name.tmp`) do not count. With `upToStep`, the
 * one of the highest step up to it (or the nearest beyond, when there is none), where names hold their step: what a trial is judged by must not depend on how fast it was stopped.
 */
export async function findCheckpoint(files: Files, folder: string, glob: string, upToStep: number | null = null): Promise<Checkpoint | null> {
  const found = (await findMatches(files, folder, [glob])).filter(({ relative }) => !/^\.|\.(tmp|part|partial|lock)$/i.test(path.posix.basename(relative)));
  found.sort((a, b) => b.stat.modifiedMs - a.stat.modifiedMs || byNumbers(b.relative, a.relative));
  for (const candidate of upToStep === null ? found : inStepOrder(found, upToStep)) {
    if ((await checkpointProblem(files, candidate)) !== null) continue;
    const { identity, sizeBytes, modifiedMs } = candidate.stat;
    return { path: candidate.path, relative: candidate.relative, version: `${candidate.relative} ${identity} ${sizeBytes} ${modifiedMs}`, modifiedMs, step: stepInName(candidate.relative) };
  }
  return null;
}

/** Null when it can be loaded as far as the bytes tell: a .safetensors file by its header, anything else by not being empty. */
async function checkpointProblem(files: Files, { path: at, relative, stat }: FoundFile): Promise<string | null> {
  if (stat.kind === 'folder') return (await files.list(at)).length > 0 ? null : 'the folder is empty';
  if (stat.kind !== 'file') return `it is a ${stat.kind}`;
  if (stat.sizeBytes === 0) return 'the file is empty';
  if (!relative.endsWith('.safetensors')) return null;
  const length = readHeaderLength(await files.readSlice(at, 0, headerPrefixBytes), stat.sizeBytes);
  if (length === null) return 'its header does not fit the file';
  const header = await files.readSlice(at, headerPrefixBytes, length);
  if (header.length < length) return 'its header is cut';
  return checkHeader(new TextDecoder().decode(header), stat.sizeBytes - headerPrefixBytes - length);
}

/** Highest step up to `upToStep` first, then the nearest beyond it; as they are when a name holds no step. */
function inStepOrder(found: readonly FoundFile[], upToStep: number): readonly FoundFile[] {
  const steps = found.map((one) => ({ one, step: stepInName(one.relative) }));
  if (steps.some(({ step }) => step === null)) return found;
  const rank = (step: number | null) => ((step ?? 0) <= upToStep ? upToStep - (step ?? 0) : Number.MAX_SAFE_INTEGER / 2 + (step ?? 0));
  return steps.sort((a, b) => rank(a.step) - rank(b.step)).map(({ one }) => one);
}

/** The last whole number of a file's name: `agent_5000.pt` is 5000. */
function stepInName(relative: string): number | null {
  const numbers = path.posix.basename(relative).replace(/\.[^.]*$/, '').match(/\d+/g);
  return numbers === null ? null : Number(numbers[numbers.length - 1]);
}

/** 9 before 10. */
function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

export type EvaluationReading =
  | { readonly file: EvaluationFile; readonly problem: null }
  | { readonly file: null; readonly problem: string };

const mostEvaluationBytes = 256 * 1024 * 1024;
const mostDigestBytes = 64 * 1024 * 1024;

/** The evaluation at `at`, or in words why there is none. */
export async function readEvaluation(files: Files, at: string): Promise<EvaluationReading> {
  if ((await files.stat(at)) === null) return { file: null, problem: 'it wrote no evaluation' };
  try {
    const parsed = evaluationFile.safeParse(JSON.parse(await files.readText(at, { maxBytes: mostEvaluationBytes })));
    if (parsed.success) return { file: parsed.data, problem: null };
    const [issue] = parsed.error.issues;
    return { file: null, problem: `the evaluation is not valid at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unknown'}` };
  } catch (error) {
    return { file: null, problem: `the evaluation cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Null when the evaluated checkpoint is the chosen one byte for byte, as far as that can be checked (one file, at most 64 MB). */
export async function foreignCheckpoint(files: Files, chosen: Checkpoint, evaluation: EvaluationFile): Promise<string | null> {
  const stat = await files.stat(chosen.path);
  if (stat?.kind !== 'file' || stat.sizeBytes > mostDigestBytes || evaluation.checkpoint === null) return null;
  const ours = digestBytes(await files.readBytes(chosen.path, { maxBytes: mostDigestBytes }));
  return ours === evaluation.checkpoint.sha256 ? null : `it evaluated another checkpoint than ${chosen.relative}`;
}
