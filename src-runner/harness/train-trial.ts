// Trains one trial as trial.json describes it. Imported by train.ts and tests.
import { countText } from '../../src-protocol/count-text.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { chooseBackend } from '../backend/choose.ts';
import { makeEnv } from '../envs/make-env.ts';
import { makePpo, type Ppo } from '../learners/ppo.ts';
import { makeStreams } from '../seeding/streams.ts';
import { encodeCheckpoint } from './checkpoint.ts';
import { checkpointSteps, saveCheckpoint } from './checkpoint-folder.ts';
import { openEventLog } from './event-log.ts';
import { makeProgress } from './progress.ts';
import { trainingScalars } from './training-figures.ts';
import type { TrialContext } from './trial-context.ts';

export interface TrainHooks {
  readonly isInterrupted: () => boolean;
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

export interface TrainResult {
  readonly outcome: 'finished' | 'interrupted';
  /** Environment steps summed over environments: the trial's timesteps rounded up to whole steps of all environments. */
  readonly step: number;
}

/** Writes the event log and checkpoints. An interruption is honoured after an update, with a checkpoint of what was reached. */
export async function trainTrial(context: TrialContext, hooks: TrainHooks): Promise<TrainResult> {
  const { trial, config } = context;
  const streams = makeStreams(trial.seed, config.agent.stream_offset);
  const env = await makeEnv({ entry: trial.entry, entryRoot: trial.entry_root, envCfg: trial.env_cfg, numEnvs: trial.num_envs, streams });
  const backend = await chooseBackend(trial.backend);
  const ppo = await makePpo({ env, backend, config, streams });
  const stepsEach = Math.ceil(trial.timesteps / env.numEnvs);
  const total = stepsEach * env.numEnvs;
  hooks.write(`training ${trial.candidate} on ${trial.entry}: ${countText(env.numEnvs, 'environment')}, seed ${trial.seed}, backend ${backend.name}`);

  const due = [...checkpointSteps(total)];
  const saveIfDue = async (step: number, isForced: boolean): Promise<void> => {
    if (!isForced && (due[0] === undefined || step < due[0])) return;
    while (due[0] !== undefined && due[0] <= step) due.shift();
    await saveCheckpoint(context.path(trial.checkpoints), step, await checkpointBytes(ppo, step));
  };
  const progress = makeProgress(total, hooks.write, hooks.nowMs);
  const log = openEventLog(context.path(trial.logs));
  try {
    await saveIfDue(0, false);
    for (let done = 0; done < stepsEach; ) {
      const count = Math.min(config.agent.rollouts, stepsEach - done);
      const figures = await ppo.iterate(count, done / stepsEach);
      done += count;
      const step = done * env.numEnvs;
      const episodes = ppo.window.summary();
      log.write(step, trainingScalars(figures, episodes, env.rewards !== env.trueRewards));
      progress.report(step, episodes?.meanReturn ?? null);
      // A turn of the event loop, or no signal would ever be seen.
      await nextTurn();
      const isInterrupted = hooks.isInterrupted();
      await saveIfDue(step, isInterrupted);
      if (isInterrupted && done < stepsEach) return { outcome: 'interrupted', step };
    }
    return { outcome: 'finished', step: total };
  } finally {
    log.close();
  }
}

async function checkpointBytes(ppo: Ppo, step: number): Promise<Uint8Array> {
  const { policy, value } = ppo.models;
  return encodeCheckpoint(
    {
      step,
      policy: await policy.read(),
      value: await value.read(),
      optimizer: await ppo.optimizer.read(),
      normalizer: ppo.normalizer?.read() ?? null,
    },
    { policy: policy.shape, value: value.shape },
  );
}
