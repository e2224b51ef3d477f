// What each gate asks a person. This room only.
import type { GateName } from '../../../src-protocol/files/contract.ts';

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
