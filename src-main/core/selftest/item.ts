// One row of the self-test's table, made of what was found. This room only.
import { countText } from '../../../src-protocol/count-text.ts';
import type { Ports } from '../../ports.ts';
import type { Problem, Refusal } from '../../../src-protocol/refusal.ts';
import type { SelftestItem } from '../../../src-protocol/selftest.ts';

export type SelftestPorts = Pick<Ports, 'files' | 'clock' | 'secrets' | 'locks' | 'machine' | 'git' | 'node'>;

type Name = Pick<SelftestItem, 'subject' | 'name'>;

export interface Findings {
  readonly failed?: readonly Problem[];
  readonly warned?: readonly Problem[];
}

/** `text` is shown when nothing was found. */
export function itemOf(name: Name, text: string, { failed = [], warned = [] }: Findings = {}): SelftestItem {
  const problems = [...failed, ...warned];
  const state = failed.length > 0 ? 'failed' : warned.length > 0 ? 'warning' : 'ok';
  const count = countText(problems.length, 'problem');
  return { ...name, state, text: problems.length === 0 ? text : count, problems };
}

/** What a file was refused with, as problems that name it. */
export function problemsOf(refusal: Refusal, file: string): readonly Problem[] {
  const rows = (refusal.differences ?? []).map(({ what, approved, now }) => `${what}: ${approved ?? 'absent'} -> ${now ?? 'absent'}`);
  if (refusal.problems !== undefined && refusal.problems.length > 0) return refusal.problems;
  return [{ file, line: null, column: null, message: [refusal.message, ...rows].join(' '), fix: refusal.next }];
}

/** Something that only a change of this program can mend. */
export function bugOf(file: string, message: string): Problem {
  return { file, line: null, column: null, message, fix: 'This is a fault of the program or of its installation: install it again, and report it if it stays.' };
}
