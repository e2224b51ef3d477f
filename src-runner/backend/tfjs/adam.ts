// Adam of the tfjs backends, on the flat tensors of the networks. Imported by backend/tfjs.ts.
// Source: backend/plain/adam.ts, which it is tested against.
import type { Tensor1D } from '@tensorflow/tfjs-core';
import type { Optimizer } from '../compute.ts';
import { use, type Tf, type TfjsEngine } from './engine.ts';
import { take, type TfjsNetwork } from './network.ts';

const BETA1 = 0.9;
const BETA2 = 0.999;
const EPSILON = 1e-8;

interface Moments {
  readonly network: TfjsNetwork;
  first: Tensor1D;
  second: Tensor1D;
}

export function makeTfjsAdam(engine: TfjsEngine, networks: readonly TfjsNetwork[]): Optimizer {
  const { tf } = engine;
  use(engine);
  const moments: Moments[] = networks.map((network) => ({ network, first: tf.zeros([network.parameterCount]), second: tf.zeros([network.parameterCount]) }));
  let steps = 0;
  return {
    async step({ learningRate, maxGradientNorm }) {
      use(engine);
      const squares = await take(tf.tidy(() => tf.stack(networks.map((network) => tf.sum(tf.square(network.gradient()))))));
      const norm = Math.sqrt(squares.reduce((sum, value) => sum + value, 0));
      steps += 1;
      // torch.nn.utils.clip_grad_norm_ divides by norm + 1e-6. A NaN norm clips nothing: the NaN shows in the losses.
      const scale = maxGradientNorm > 0 && norm > maxGradientNorm ? maxGradientNorm / (norm + 1e-6) : 1;
      const size = learningRate / (1 - BETA1 ** steps);
      const correction = Math.sqrt(1 - BETA2 ** steps);
      use(engine);
      for (const one of moments) update(tf, one, { scale, size, correction });
      return norm;
    },
    async read() {
      const numbers = (tensors: readonly Tensor1D[]) => Promise.all(tensors.map((tensor) => tensor.data<'float32'>().then((values) => values.slice())));
      return { steps, first: await numbers(moments.map(({ first }) => first)), second: await numbers(moments.map(({ second }) => second)) };
    },
    write(state) {
      use(engine);
      steps = state.steps;
      moments.forEach((one, i) => {
        tf.dispose([one.first, one.second]);
        one.first = tf.tensor1d(state.first[i]!.slice());
        one.second = tf.tensor1d(state.second[i]!.slice());
      });
    },
  };
}

interface Scales {
  readonly scale: number;
  readonly size: number;
  readonly correction: number;
}

function update(tf: Tf, one: Moments, { scale, size, correction }: Scales): void {
  const { network } = one;
  const next = tf.tidy(() => {
    const gradient = scale === 1 ? network.gradient() : tf.mul(network.gradient(), scale);
    const first = tf.add(tf.mul(one.first, BETA1), tf.mul(gradient, 1 - BETA1)) as Tensor1D;
    const second = tf.add(tf.mul(one.second, BETA2), tf.mul(tf.square(gradient), 1 - BETA2)) as Tensor1D;
    const change = tf.div(tf.mul(first, size), tf.add(tf.div(tf.sqrt(second), correction), EPSILON));
    return { first, second, parameters: tf.sub(network.parameters(), change) as Tensor1D };
  });
  tf.dispose([one.first, one.second]);
  one.first = next.first;
  one.second = next.second;
  network.replace(next.parameters);
}
