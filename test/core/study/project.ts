// A small repository in memory with a good study, for the study tests: `project.with(file, from, to)` breaks one thing.
import path from 'node:path';
import { RefusalError, type Problem, type Refusal } from '../../../src-protocol/refusal.ts';
import type { FileError, FileStat } from '../../../src-main/ports.ts';
import { checkStudy, loadStudy } from '../../../src-main/core/study/load-study.ts';
import type { LoadedStudy } from '../../../src-main/core/study/loaded-study.ts';
import type { StudyFiles } from '../../../src-main/core/study/study-parts.ts';

const root = '/repo';
/** Profiles lie below /repo/engine/resources/profiles of the texts. */
const node = { engineFolder: '/repo/engine' };

export const goodStudy = `study: quick
base: { task: cartpole, seed: 42, num_envs: 8, device: cpu, max_trial_s: 60 }
eval: { num_envs: 10, max_steps: 500, min_episodes: 20, seed: 7 }
stages:
  screen:
    timesteps: 8192
    max_parallel: 2
    monitor: { min_reward_gates: [{ step: 4096, min_reward: 5 }], hang_s: 5 }
  refine: { top_k: 3, timesteps: 16384, monitor: { plateau: {} } }
  verify: { looks: [5, 8, 10] }
candidates:
  - { name: baseline }
  - { name: epochs4, agent_cfg: { agent: { learning_epochs: 4 } } }
  - { name: epochs20, agent_cfg: { agent: { learning_epochs: 20 } } }
  - { name: lr1e-3, agent_cfg: { agent: { learning_rate: 1e-3 } } }
  - { name: wide, agent_cfg: { models: { hidden: [128, 128] } } }
  - { name: gae90, agent_cfg: { agent: { lambda: 0.9 } } }
  - { name: envs16, num_envs: 16 }
  - { name: shaped, env_cfg: { shaping: { angle: 0.5 } } }
`;

export const goodTask = `entry: CartPole-v1
env: { shaping: { angle: 0 } }
agent:
  agent: { rollouts: 64, learning_epochs: 10, mini_batches: 4 }
canonical: { shaping: { angle: 0 } }
reward_weights: [shaping.angle]
score_scale: 100
`;

export const goodAdapter = `framework: bundled
metrics:
  rollout/ep_rew_mean: { meaning: reward }
`;

export const goodContract = `schema: 1
project: demo
gates:
  task: { status: draft, value: { task: cartpole } }
  metric: { status: draft, value: {} }
  scope:
    status: draft
    value:
      may_change: [agent_cfg, num_envs, env_cfg.shaping]
      never: [agent_cfg.agent.stream_offset]
  budget: { status: draft, value: { wall_hours: 2, per_trial_s: 60 } }
  hardware: { status: draft, value: { devices: [cpu], max_parallel: 2 } }
  baseline: { status: draft, value: { what: the task as it is } }
  evaluation: { status: draft, value: { episodes_per_env: 2, num_envs: 10, seed: 7 } }
  experiment: { status: draft, value: { study: quick } }
`;

export interface Project {
  readonly texts: Readonly<Record<string, string>>;
  readonly files: StudyFiles;
  /** Replaces `from`, which must be there, in the file that ends with `file`; an undefined `to` removes the file. */
  with(file: string, from: string, to: string): Project;
  /** Gives a file another text; null removes it. */
  set(file: string, text: string | null): Project;
  load(study?: string, frozen?: boolean): Promise<LoadedStudy>;
  /** The refusal of loading; fails the test when it loads. */
  refusal(study?: string): Promise<Refusal>;
  /** `file:line message` of each problem. */
  said(study?: string): Promise<readonly string[]>;
  warned(): Promise<readonly string[]>;
}

export function goodProject(): Project {
  return makeProject({
    '.rlxp/studies/quick.yaml': goodStudy,
    '.rlxp/tasks/cartpole.yaml': goodTask,
    '.rlxp/adapter.yaml': goodAdapter,
    '.rlxp/contract.yaml': goodContract,
  });
}

function makeProject(texts: Readonly<Record<string, string>>): Project {
  const files = memoryFiles(texts);
  const nameOf = (file: string) => Object.keys(texts).find((name) => name.endsWith(file)) ?? file;
  const project: Project = {
    texts,
    files,
    with: (file, from, to) => {
      const text = texts[nameOf(file)] ?? '';
      if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
      return project.set(file, text.replace(from, () => to));
    },
    set: (file, text) => {
      const { [nameOf(file)]: _old, ...others } = texts;
      return makeProject(text === null ? others : { ...others, [nameOf(file)]: text });
    },
    load: (study = 'quick', frozen = false) => loadStudy({ files, node, root, study, frozen }),
    refusal: async (study = 'quick') => {
      try {
        await loadStudy({ files, node, root, study });
      } catch (error) {
        if (error instanceof RefusalError) return error.refusal;
        throw error;
      }
      throw new Error('the study loaded');
    },
    said: async (study) => ((await project.refusal(study)).problems ?? []).map(sentence),
    warned: async () => (await checkStudy({ files, node, root, study: 'quick' })).warnings.map(sentence),
  };
  return project;
}

function sentence(problem: Problem): string {
  return `${problem.file.replace('.rlxp/', '')}:${problem.line ?? '-'} ${problem.message} | ${problem.fix}`;
}

function memoryFiles(texts: Readonly<Record<string, string>>): StudyFiles {
  const nameOf = (file: string) => path.posix.relative(root, file);
  return {
    readText: (file, options) => {
      const text = texts[nameOf(file)];
      if (text === undefined) return Promise.reject(fileError('ENOENT', file));
      const isTooBig = options?.maxBytes !== undefined && Buffer.byteLength(text) > options.maxBytes;
      return isTooBig ? Promise.reject(fileError('ETOOBIG', file)) : Promise.resolve(text);
    },
    stat: (file) => Promise.resolve(texts[nameOf(file)] === undefined ? null : fileStat),
    realPath: (file) => (texts[nameOf(file)] === undefined ? Promise.reject(fileError('ENOENT', file)) : Promise.resolve(file)),
    list: (folder) => {
      const prefix = `${nameOf(folder)}/`;
      const below = Object.keys(texts).filter((name) => name.startsWith(prefix));
      return Promise.resolve([...new Set(below.map((name) => name.slice(prefix.length).split('/')[0] ?? ''))].sort());
    },
  };
}

const fileStat: FileStat = { kind: 'file', sizeBytes: 1, modifiedMs: 0, identity: '1:1', mode: 0o644 };

function fileError(code: string, file: string): FileError {
  return Object.assign(new Error(code), { code, path: file });
}
