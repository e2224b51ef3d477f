// What each gate asks a person, and a value to start from. This room only.
import type { GateName } from '../../../src-protocol/files/contract.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';

export const gateQuestions: Readonly<Record<GateName, string>> = {
  task: 'What is to be learned?',
  metric: 'Which number decides what is better, and what must not get worse for it?',
  scope: 'Which settings may candidates change, and which must never change?',
  budget: 'How many hours may this cost, and how long may one trial take?',
  hardware: 'Which devices may be used, how many at once, and are they shared?',
  baseline: 'What is trained unchanged, for everything else to be compared with?',
  evaluation: 'Under which fixed conditions is every policy scored?',
  experiment: 'Which study is to run, and why?',
};

/** Each parses as the value of its gate. */
export const gateExamples: Readonly<Record<GateName, PlainMap>> = {
  task: { task: 'balance', what: 'Balance a pole on a cart.' },
  metric: { primary: 'score', direction: 'maximise' },
  scope: { may_change: ['agent_cfg', 'env_cfg.rewards'] },
  budget: { wall_hours: 2, per_trial_s: 300 },
  hardware: { devices: ['cpu'], max_parallel: 2 },
  baseline: { what: 'PPO with the settings of the task' },
  evaluation: { num_envs: 10, episodes_per_env: 2, seed: 7777 },
  experiment: { study: 'quick', why: 'What is to be found out.' },
};
