// Builds trial.json: the effective settings of one trial, with the canonical block forced over them for its evaluation.
// Rooms from trial leftwards may import it.
import type { PlainMap, StageName } from '../../../src-protocol/files/plain.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import type { LoadedStudy, ResolvedCandidate } from '../study/loaded-study.ts';
import { mergeSettings } from '../workspace/merge.ts';

export interface TrialRequest {
  readonly candidate: Pick<ResolvedCandidate, 'name' | 'env_cfg' | 'agent_cfg' | 'num_envs' | 'canonical_env_cfg'>;
  readonly stage: StageName;
  readonly seed: number;
  readonly repeat: number;
  readonly attempt: number;
  readonly identity: string;
  readonly timesteps: number;
  /** One device; null takes the study's first. */
  readonly device: string | null;
  /** As threadsPerTrial says. */
  readonly threads: number | null;
  /** Absolute folder that the task's entry is resolved against: the read-only snapshot. */
  readonly entryRoot: string;
}

export type TrialSource = Pick<LoadedStudy, 'name' | 'base' | 'eval' | 'task' | 'adapter'>;

export function makeTrialFile(study: TrialSource, request: TrialRequest): TrialFile {
  const { candidate } = request;
  const { framework } = study.adapter;
  return {
    schema: 1,
    study: study.name,
    stage: request.stage,
    candidate: candidate.name,
    seed: request.seed,
    repeat: request.repeat,
    attempt: request.attempt,
    identity: request.identity,
    framework,
    task: study.base.task,
    entry: study.task.entry,
    entry_root: request.entryRoot,
    env_cfg: candidate.env_cfg,
    agent_cfg: candidate.agent_cfg,
    num_envs: candidate.num_envs,
    timesteps: request.timesteps,
    device: request.device ?? study.base.devices[0],
    backend: framework === 'bundled' ? study.base.backend : null,
    threads: request.threads,
    logs: 'logs',
    checkpoints: 'checkpoints',
    evaluation_file: 'evaluation.json',
    checkpoint: null,
    evaluation: { policy: 'checkpoint', env_cfg: candidate.canonical_env_cfg, ...study.eval },
  };
}

export interface EvaluationVariant {
  readonly policy: TrialFile['evaluation']['policy'];
  /** Training settings it pretends to have had. */
  readonly env_cfg: PlainMap;
  readonly canonical: PlainMap;
  /** Absolute; null for policies that need none. */
  readonly checkpoint: string | null;
}

/** The same trial, evaluated another way: for the evaluator self-test. It lives in a folder of its own. */
export function withEvaluation(trial: TrialFile, variant: EvaluationVariant): TrialFile {
  return {
    ...trial,
    env_cfg: variant.env_cfg,
    checkpoint: variant.checkpoint,
    evaluation: { ...trial.evaluation, policy: variant.policy, env_cfg: mergeSettings(variant.env_cfg, variant.canonical) },
  };
}
