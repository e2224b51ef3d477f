// Adam on flat float32 parameters with a joint limit on the gradient's norm. Imported by backend/plain.ts.
// Source: Kingma and Ba 2015, algorithm 1; torch.optim.Adam's defaults and order of operations.
import type { Optimizer } from '../compute.ts';
import type { PlainNetwork } from './network.ts';

const BETA1 = 0.9;
const BETA2 = 0.999;
const EPSILON = 1e-8;

export function makePlainAdam(networks: readonly PlainNetwork[]): Optimizer {
  const first = networks.map((network) => new Float32Array(network.parameterCount));
  const second = networks.map((network) => new Float32Array(network.parameterCount));
  let steps = 0;
  return {
    step({ learningRate, maxGradientNorm }) {
      steps += 1;
      const norm = Math.sqrt(networks.reduce((sum, network) => sum + squares(network.gradient), 0));
      // torch.nn.utils.clip_grad_norm_ divides by norm + 1e-6. A NaN norm clips nothing: the NaN shows in the losses.
      const scale = maxGradientNorm > 0 && norm > maxGradientNorm ? maxGradientNorm / (norm + 1e-6) : 1;
      const size = learningRate / (1 - BETA1 ** steps);
      const correction = Math.sqrt(1 - BETA2 ** steps);
      networks.forEach((network, i) => update(network, first[i]!, second[i]!, { scale, size, correction }));
      return norm;
    },
    read: () => ({ steps, first: first.map((m) => m.slice()), second: second.map((m) => m.slice()) }),
    write(state) {
      steps = state.steps;
      state.first.forEach((m, i) => first[i]!.set(m));
      state.second.forEach((m, i) => second[i]!.set(m));
    },
  };
}

function squares(values: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  return sum;
}

interface Scales {
  readonly scale: number;
  readonly size: number;
  readonly correction: number;
}

function update(network: PlainNetwork, first: Float32Array, second: Float32Array, { scale, size, correction }: Scales): void {
  const { parameters, gradient } = network;
  for (let i = 0; i < parameters.length; i++) {
    const g = gradient[i]! * scale;
    const m = BETA1 * first[i]! + (1 - BETA1) * g;
    const v = BETA2 * second[i]! + (1 - BETA2) * g * g;
    first[i] = m;
    second[i] = v;
    parameters[i] = parameters[i]! - (size * m) / (Math.sqrt(v) / correction + EPSILON);
  }
}
