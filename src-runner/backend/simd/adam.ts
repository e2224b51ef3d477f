// Adam of the simd backends: the norm over all networks, then one kernel call for each. Imported by backend/simd.ts.
// Source: backend/plain/adam.ts, which it is tested against.
import type { Optimizer } from '../compute.ts';
import type { SimdNetwork } from './network.ts';

const BETA1 = 0.9;
const BETA2 = 0.999;

export function makeSimdAdam(networks: readonly SimdNetwork[]): Optimizer {
  const parts = networks.map((network) => {
    const { arena, parameterCount: count } = network;
    return { network, count, padded: Math.ceil(count / 4) * 4, firstAt: arena.take(count), secondAt: arena.take(count) };
  });
  let steps = 0;
  return {
    step({ learningRate, maxGradientNorm }) {
      steps += 1;
      const norm = Math.sqrt(parts.reduce((sum, { network, count }) => sum + network.kernels.squares(network.gradientAt, count), 0));
      // torch.nn.utils.clip_grad_norm_ divides by norm + 1e-6. A NaN norm clips nothing: the NaN shows in the losses.
      const scale = maxGradientNorm > 0 && norm > maxGradientNorm ? maxGradientNorm / (norm + 1e-6) : 1;
      const size = learningRate / (1 - BETA1 ** steps);
      const correction = Math.sqrt(1 - BETA2 ** steps);
      for (const { network, padded, firstAt, secondAt } of parts) {
        network.kernels.adam(network.parametersAt, network.gradientAt, firstAt, secondAt, padded, scale, size, correction);
        network.changed();
      }
      return norm;
    },
    read: () => ({
      steps,
      first: parts.map(({ network, count, firstAt }) => network.arena.floats(firstAt, count).slice()),
      second: parts.map(({ network, count, secondAt }) => network.arena.floats(secondAt, count).slice()),
    }),
    write(state) {
      steps = state.steps;
      parts.forEach(({ network, count, firstAt, secondAt }, i) => {
        network.arena.floats(firstAt, count).set(state.first[i]!);
        network.arena.floats(secondAt, count).set(state.second[i]!);
      });
    },
  };
}
