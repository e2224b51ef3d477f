// One training pass of PPO's two networks over a minibatch: the backend's own where it has one, else composed of forward, loss and
// backward. Imported by learners/ppo-update.ts and tests.
import type { Maybe, Network, PolicyBatch, PolicyFigures } from '../backend/compute.ts';
import { logSoftmax } from '../losses/categorical.ts';
import { meanEntropy } from '../losses/entropy.ts';
import { ppoSurrogate } from '../losses/ppo-surrogate.ts';
import { valueLoss } from '../losses/value.ts';

type PolicyTraining = (observations: Float32Array, batch: PolicyBatch) => Maybe<PolicyFigures>;
type ValueTraining = (observations: Float32Array, rows: number, targets: Float32Array, scale: number) => Maybe<number>;

/** For minibatches of at most `mostRows`; leaves the gradient of the loss in the network. */
export function policyTraining(network: Network, mostRows: number): PolicyTraining {
  return network.trainPolicy ?? composedPolicyTraining(network, mostRows);
}

/** Likewise; gives the unscaled mean squared error. */
export function valueTraining(network: Network, mostRows: number): ValueTraining {
  return network.trainValue ?? composedValueTraining(network, mostRows);
}

export function composedPolicyTraining(network: Network, mostRows: number): PolicyTraining {
  const { outputs } = network.shape;
  const logProbabilities = new Float32Array(mostRows * outputs);
  const gradient = new Float32Array(mostRows * outputs);
  return async (observations, { rows, actions, oldLogProbabilities, advantages, clip, entropyScale }) => {
    logSoftmax(await network.forward(observations, rows), rows, outputs, logProbabilities);
    gradient.fill(0, 0, rows * outputs);
    const surrogate = ppoSurrogate({ rows, count: outputs, logProbabilities, actions, oldLogProbabilities, advantages, clip }, gradient);
    const entropy = meanEntropy(logProbabilities, rows, outputs, -entropyScale, gradient);
    await network.backward(gradient, rows);
    return { ...surrogate, entropy };
  };
}

export function composedValueTraining(network: Network, mostRows: number): ValueTraining {
  const gradient = new Float32Array(mostRows);
  return async (observations, rows, targets, scale) => {
    const loss = valueLoss({ rows, values: await network.forward(observations, rows), targets, scale }, gradient);
    await network.backward(gradient, rows);
    return loss;
  };
}
