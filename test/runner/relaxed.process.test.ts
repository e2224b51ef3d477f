// The relaxed-SIMD twin in processes started as a campaign starts them, on any Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { relaxedSimdFlags } from '../../src-main/adapters/node-runtime.ts';
import { readSafetensors } from '../../src-runner/harness/safetensors.ts';
import { makeTrialRoot } from './trial-folder.ts';

const engine = fileURLToPath(new URL('../../out/engine/', import.meta.url));
const trials = makeTrialRoot();
const flags = relaxedSimdFlags(process.versions.node);

beforeAll(() => {
  if (!existsSync(join(engine, 'kernels', 'relaxed.wasm'))) throw new Error('out/engine/kernels is not built; run the build first');
});
afterAll(() => trials.dispose());

describe('the relaxed module', () => {
  it('RU58: trains and evaluates in a process, twice the same; the other module evaluates its checkpoint', () => {
    const one = trials.trial('one', { backend: 'simd-relaxed' });
    const two = trials.trial('two', { backend: 'simd-relaxed' });
    const exact = trials.trial('exact', { backend: 'simd' });
    for (const path of [one, two]) expect(run(flags, 'train', path).status).toBe(0);
    expect(run([], 'train', exact).stdout).toContain('backend simd');
    expect(digest(one)).toBe(digest(two));
    const [a, b] = [firstCheckpoint(one), firstCheckpoint(exact)];
    expect(a.get('policy.0.weight')).toEqual(b.get('policy.0.weight'));
    const crossed = trials.trial('crossed', { backend: 'simd', checkpoint: join(dirname(one), 'checkpoints/step_1000.safetensors') });
    expect(run([], 'evaluate', crossed)).toMatchObject({ status: 0 });
    expect(run(flags, 'evaluate', one)).toMatchObject({ status: 0 });
    expect(run(flags, 'evaluate', two)).toMatchObject({ status: 0 });
    expect(readFileSync(join(dirname(one), 'evaluation.json'), 'utf8')).toBe(readFileSync(join(dirname(two), 'evaluation.json'), 'utf8'));
  });

  it.runIf(flags.length > 0)('RU58: without the flag the trial ends with 1 and says what is missing', () => {
    const { status, stderr } = run([], 'train', trials.trial('bare', { backend: 'simd-relaxed' }));
    expect(status).toBe(1);
    expect(stderr).toContain('start it with --experimental-wasm-relaxed-simd');
  });
});

function run(nodeFlags: readonly string[], entry: 'train' | 'evaluate', trial: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeFlags, join(engine, `${entry}.js`), trial], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function digest(trial: string): string {
  return createHash('sha256').update(readFileSync(join(dirname(trial), 'checkpoints/step_1000.safetensors'))).digest('hex');
}

function firstCheckpoint(trial: string) {
  return readSafetensors(readFileSync(join(dirname(trial), 'checkpoints/step_0.safetensors'))).tensors;
}
