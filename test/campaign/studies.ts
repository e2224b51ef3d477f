// Small studies for the tests of this folder, built from parts.
import { base, monitor } from './project.ts';

export interface StudyParts {
  readonly noise?: string;
  readonly screenSteps?: number;
  readonly refineSteps?: number;
  readonly slots?: number;
  readonly topK?: number;
  readonly verify?: string;
  readonly monitor?: string;
  /** Lines of candidates beside the baseline. */
  readonly candidates: readonly string[];
  readonly base?: string;
}

export function studyText(parts: StudyParts): string {
  const { noise = '{ seeds: 2 }', screenSteps = 4096, refineSteps = 6144, slots = 2, topK = 1, verify = '{ looks: [2, 3] }', monitor: rules = monitor } = parts;
  return `study: quick
${parts.base ?? base}
stages:
  noise: ${noise}
  screen: { timesteps: ${screenSteps}, max_parallel: ${slots}, ${rules} }
  refine: { timesteps: ${refineSteps}, top_k: ${topK}, ${rules} }
  verify: ${verify}
candidates:
  - { name: baseline }
${parts.candidates.map((line) => `  - ${line}\n`).join('')}`;
}

export const fast = '{ name: lr-high, agent_cfg: { agent: { learning_rate: 0.004 } } }';
/** Trains exactly as the baseline does, whatever its settings say. */
export const twin = '{ name: twin, env_cfg: { faults: { diverge_after: 100000000 } } }';
export const diverges = '{ name: diverges, env_cfg: { faults: { diverge_after: 1500 } } }';
export const hangs = '{ name: hangs, env_cfg: { faults: { hang_after: 1500 } } }';
