// Checks what a user's makeEnv returned against the contract, in words that name what is wrong. Imported by user-env.ts.
import type { VectorEnv } from './vector-env.ts';

type Unknown = Readonly<Record<string, unknown>>;
const METHODS = ['reset', 'step', 'cause'] as const;
const OPTIONAL_METHODS = ['success', 'metrics'] as const;

/** Throws an Error "<name>: ..." unless `value` has the shape of a VectorEnv of `numEnvs` copies. */
export function checkEnv(value: unknown, numEnvs: number, name: string): VectorEnv {
  const fail = (what: string): never => {
    throw new Error(`${name}: ${what}`);
  };
  if (typeof value !== 'object' || value === null) return fail(`returned ${describe(value)}, not an environment object`);
  const env = value as Unknown;
  if (env['numEnvs'] !== numEnvs) fail(`numEnvs is ${describe(env['numEnvs'])}, but ${numEnvs} copies were asked for`);
  const size = env['observationSize'];
  if (!isCount(size)) return fail(`observationSize must be a positive integer, not ${describe(size)}`);
  if (!isCount(env['actionCount'])) fail(`actionCount must be a positive integer, not ${describe(env['actionCount'])}`);
  const limit = env['timeLimit'];
  if (limit !== null && !isCount(limit)) fail(`timeLimit must be a positive integer or null, not ${describe(limit)}`);
  const arrays = [
    ['observations', Float32Array, numEnvs * size],
    ['finalObservations', Float32Array, numEnvs * size],
    ['rewards', Float64Array, numEnvs],
    ['trueRewards', Float64Array, numEnvs],
    ['terminated', Uint8Array, numEnvs],
    ['truncated', Uint8Array, numEnvs],
  ] as const;
  for (const [key, kind, length] of arrays) {
    const array = env[key];
    if (!(array instanceof kind) || array.length !== length) {
      fail(`${key} must be a ${kind.name} of length ${length}, not ${describe(array)}`);
    }
  }
  for (const key of METHODS) {
    if (typeof env[key] !== 'function') fail(`${key} must be a function, not ${describe(env[key])}`);
  }
  for (const key of OPTIONAL_METHODS) {
    if (env[key] !== undefined && typeof env[key] !== 'function') fail(`${key} must be a function or absent, not ${describe(env[key])}`);
  }
  return value as VectorEnv;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const kind = value.constructor?.name ?? 'object';
    return 'length' in value ? `a ${kind} of length ${String(value.length)}` : `a ${kind}`;
  }
  return typeof value === 'function' ? 'a function' : typeof value === 'string' ? JSON.stringify(value) : String(value);
}
