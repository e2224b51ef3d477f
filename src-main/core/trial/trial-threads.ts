// How many threads the numeric libraries of one trial may start, so that trials that run at once share the cores instead of fighting
// for them. Rooms from trial leftwards may import it.
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { Machine } from '../../ports.ts';

/** The one that the others go by where they are not set (MKL, OpenBLAS, NumExpr, BLIS, torch), and that a person knows. */
const openMp = 'OMP_NUM_THREADS';

/**
 * Read at start by OpenMP (torch, scikit-learn), MKL, OpenBLAS, NumExpr, BLIS, Apple's Accelerate and TensorFlow. Numba's is left out:
 * it is a hard limit, and a program that asks for more dies.
 */
export const threadNames: readonly string[] = [
  ...[openMp, 'MKL_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMEXPR_NUM_THREADS', 'BLIS_NUM_THREADS', 'VECLIB_MAXIMUM_THREADS'],
  ...['TF_NUM_INTRAOP_THREADS', 'TF_NUM_INTEROP_THREADS'],
];

export interface ThreadsOptions {
  readonly adapter: Pick<AdapterFile, 'threads_per_trial'>;
  /** Trials that may run at once. */
  readonly slots: number;
  readonly machine: Pick<Machine, 'env' | 'hardware'>;
}

/** Null: nothing is set, and each library takes what it takes. adapter.yaml comes first, then the environment, then an equal share. */
export async function threadsPerTrial({ adapter, slots, machine }: ThreadsOptions): Promise<number | null> {
  const said = adapter.threads_per_trial;
  if (said !== undefined) return said === 'off' ? null : said;
  const own = machine.env(openMp);
  if (own !== undefined) return countIn(own);
  return slots > 1 ? Math.max(1, Math.floor((await machine.hardware()).usableCores / slots)) : null;
}

/** The variables that hold a trial to `threads`. What stands in the environment stays, unless adapter.yaml says a number. */
export function threadVariables(threads: number | null, { adapter, machine }: { readonly adapter: Pick<AdapterFile, 'threads_per_trial'>; readonly machine: Pick<Machine, 'env'> }): Readonly<Record<string, string>> {
  if (threads === null) return {};
  const isSaid = typeof adapter.threads_per_trial === 'number';
  const names = threadNames.filter((name) => isSaid || machine.env(name) === undefined);
  return Object.fromEntries(names.map((name) => [name, String(threads)]));
}

/** `4`, or the outermost level of `4,3,2`; null for what no library understands. */
function countIn(value: string): number | null {
  const [, count] = /^\s*0*([1-9]\d{0,5})\s*(?:,|$)/.exec(value) ?? [];
  return count === undefined ? null : Number(count);
}
