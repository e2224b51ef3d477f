// PPO's update: several passes of minibatch steps over one rollout. Imported by learners/ppo.ts.
import type { Optimizer } from '../backend/compute.ts';
import type { ActorCritic } from '../models/actor-critic.ts';
import type { Generator } from '../seeding/generator.ts';
import { makeMinibatches, type Minibatch } from './minibatches.ts';
import type { PpoAgent } from './ppo.ts';
import { policyTraining, valueTraining } from './ppo-losses.ts';
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
  const eachMinibatch = makeMinibatches(rollout, models.policy.shape.inputs, order);
  const trainPolicy = policyTraining(models.policy, rollout.capacity);
  const trainValue = valueTraining(models.value, rollout.capacity);

  const trainOn = async (batch: Minibatch, learningRate: number) => {
    const { rows, observations, actions, logProbabilities, advantages, targets } = batch;
    const policy = await trainPolicy(observations, { rows, actions, oldLogProbabilities: logProbabilities, advantages, clip: agent.ratio_clip, entropyScale: agent.entropy_loss_scale });
    const value = await trainValue(observations, rows, targets, agent.value_loss_scale);
    const gradientNorm = await optimizer.step({ learningRate, maxGradientNorm: agent.grad_norm_clip });
    return { policy, value, gradientNorm };
  };

  return async (samples: number, learningRate: number): Promise<UpdateFigures> => {
    const fullSize = rollout.capacity / agent.mini_batches;
    const count = Math.max(1, Math.round(samples / fullSize));
    const sums = { policy: 0, value: 0, entropy: 0, clipped: 0, norm: 0, lastKl: 0 };
    for (let epoch = 0; epoch < agent.learning_epochs; epoch++) {
      sums.lastKl = 0;
      await eachMinibatch(samples, count, async (batch) => {
        const step = await trainOn(batch, learningRate);
        sums.policy += step.policy.loss;
        sums.clipped += step.policy.clipFraction;
        sums.lastKl += step.policy.approximateKl;
        sums.value += step.value;
        sums.entropy += step.policy.entropy;
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
