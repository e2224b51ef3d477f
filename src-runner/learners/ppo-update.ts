// PPO's update: several passes of minibatch steps over one rollout. Imported by learners/ppo.ts.
import type { Optimizer } from '../backend/compute.ts';
import { logSoftmax } from '../losses/categorical.ts';
import { meanEntropy } from '../losses/entropy.ts';
import { ppoSurrogate } from '../losses/ppo-surrogate.ts';
import { valueLoss } from '../losses/value.ts';
import type { ActorCritic } from '../models/actor-critic.ts';
import type { Generator } from '../seeding/generator.ts';
import { makeMinibatches, type Minibatch } from './minibatches.ts';
import type { PpoAgent } from './ppo.ts';
import type { Rollout } from './rollout.ts';

/** Means over the update's minibatches, except the KL estimate: that of the last pass, where the policy has moved most. */
export interface UpdateFigures {
  /** The surrogate alone. */
  readonly policyLoss: number;
  /** Times value_loss_scale, as skrl logs it. */
  readonly valueLoss: number;
  /** Minus entropy_loss_scale times the mean entropy, as skrl logs it. */
  readonly entropyLoss: number;
  /** Nats. */
  readonly entropy: number;
  readonly kl: number;
  readonly clipFraction: number;
  /** Before clipping. */
  readonly gradientNorm: number;
}

export interface PpoUpdateParts {
  readonly agent: PpoAgent;
  readonly models: ActorCritic;
  readonly optimizer: Optimizer;
  readonly rollout: Rollout;
  readonly order: Generator;
}

/** Gives update(samples, learningRate): trains on the first `samples` of the rollout, whose advantages are ready. */
export function makePpoUpdate({ agent, models, optimizer, rollout, order }: PpoUpdateParts) {
  const { inputs, outputs } = models.policy.shape;
  const eachMinibatch = makeMinibatches(rollout, inputs, order);
  const logProbabilities = new Float32Array(rollout.capacity * outputs);
  const logitGradient = new Float32Array(rollout.capacity * outputs);
  const valueGradient = new Float32Array(rollout.capacity);

  const trainOn = async (batch: Minibatch, learningRate: number) => {
    const { rows } = batch;
    logSoftmax(await models.policy.forward(batch.observations, rows), rows, outputs, logProbabilities);
    logitGradient.fill(0, 0, rows * outputs);
    const surrogate = ppoSurrogate(
      { rows, count: outputs, logProbabilities, actions: batch.actions, oldLogProbabilities: batch.logProbabilities, advantages: batch.advantages, clip: agent.ratio_clip },
      logitGradient,
    );
    const entropy = meanEntropy(logProbabilities, rows, outputs, -agent.entropy_loss_scale, logitGradient);
    await models.policy.backward(logitGradient, rows);
    const values = await models.value.forward(batch.observations, rows);
    const value = valueLoss({ rows, values, targets: batch.targets, scale: agent.value_loss_scale }, valueGradient);
    await models.value.backward(valueGradient, rows);
    const gradientNorm = await optimizer.step({ learningRate, maxGradientNorm: agent.grad_norm_clip });
    return { surrogate, entropy, value, gradientNorm };
  };

  return async (samples: number, learningRate: number): Promise<UpdateFigures> => {
    const fullSize = rollout.capacity / agent.mini_batches;
    const count = Math.max(1, Math.round(samples / fullSize));
    const sums = { policy: 0, value: 0, entropy: 0, clipped: 0, norm: 0, lastKl: 0 };
    for (let epoch = 0; epoch < agent.learning_epochs; epoch++) {
      sums.lastKl = 0;
      await eachMinibatch(samples, count, async (batch) => {
        const step = await trainOn(batch, learningRate);
        sums.policy += step.surrogate.loss;
        sums.clipped += step.surrogate.clipFraction;
        sums.lastKl += step.surrogate.approximateKl;
        sums.value += step.value;
        sums.entropy += step.entropy;
        sums.norm += step.gradientNorm;
      });
    }
    const steps = agent.learning_epochs * count;
    return {
      policyLoss: sums.policy / steps,
      valueLoss: (agent.value_loss_scale * sums.value) / steps,
      entropyLoss: (-agent.entropy_loss_scale * sums.entropy) / steps,
      entropy: sums.entropy / steps,
      kl: sums.lastKl / count,
      clipFraction: sums.clipped / steps,
      gradientNorm: sums.norm / steps,
    };
  };
}
