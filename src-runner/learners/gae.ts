// Generalised advantage estimation over a rollout of N environments. Imported by learners.
// Source: Schulman et al. 2016; an episode's end cuts the recursion, and a truncated one keeps its bootstrap value.

export interface GaeInput {
  readonly steps: number;
  readonly numEnvs: number;
  /** steps x numEnvs, as all arrays here: index t * numEnvs + env. */
  readonly rewards: Float32Array;
  readonly values: Float32Array;
  /** Value of what follows each step: of the next observation, of the final one where truncated; ignored where terminated. */
  readonly nextValues: Float32Array;
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
  readonly discount: number;
  readonly lambda: number;
}

/** Fills `advantages` and `targets` (advantage + value), each steps x numEnvs. */
export function generalisedAdvantages(input: GaeInput, advantages: Float32Array, targets: Float32Array): void {
  const { steps, numEnvs, discount, lambda } = input;
  for (let env = 0; env < numEnvs; env++) {
    let following = 0;
    for (let t = steps - 1; t >= 0; t--) {
      const i = t * numEnvs + env;
      const isTerminated = input.terminated[i] === 1;
      const next = isTerminated ? 0 : input.nextValues[i]!;
      const delta = input.rewards[i]! + discount * next - input.values[i]!;
      const continues = isTerminated || input.truncated[i] === 1 ? 0 : 1;
      following = delta + discount * lambda * continues * following;
      advantages[i] = following;
      targets[i] = following + input.values[i]!;
    }
  }
}

/** (A - mean) / max(1e-4, population standard deviation), in place over the first `count`. */
export function standardise(values: Float32Array, count: number): void {
  let mean = 0;
  for (let i = 0; i < count; i++) mean += values[i]!;
  mean /= count;
  let variance = 0;
  for (let i = 0; i < count; i++) variance += (values[i]! - mean) ** 2;
  const spread = Math.max(1e-4, Math.sqrt(variance / count));
  for (let i = 0; i < count; i++) values[i] = (values[i]! - mean) / spread;
}
