// Collects what a check finds, and counts what it looked at. This room and evidence.
import type { CheckFinding, CheckSeverity } from '../../../src-protocol/check.ts';
import type { Refusal } from '../../../src-protocol/refusal.ts';
import type { Files, Ports } from '../../ports.ts';
import { shownPath } from '../workspace/layout.ts';

export interface Counts {
  files: number;
  studies: number;
  trials: number;
  events: number;
  ledger_lines: number;
}

export interface Findings {
  readonly all: readonly CheckFinding[];
  readonly counts: Counts;
  /** `file` is absolute. */
  add(severity: CheckSeverity, file: string, message: string, more?: FindingMore): void;
  /** What a file that cannot be read or does not fit its schema was refused with. */
  refused(file: string, refusal: Refusal, more?: FindingMore): void;
}

export interface FindingMore {
  readonly line?: number | null;
  readonly fix?: string;
  readonly repairable?: boolean;
}

/** What can be checked from files alone, wherever they lie. */
export interface FileScope {
  readonly ports: { readonly files: CheckedFiles };
  readonly root: string;
  readonly found: Findings;
}

export type CheckedFiles = Pick<Files, 'stat' | 'readText' | 'readBytes' | 'readJournal'>;

export interface CheckScope extends FileScope {
  readonly ports: Ports;
}

export function makeFindings(root: string): Findings & { study: string | null } {
  const all: CheckFinding[] = [];
  const findings = {
    all,
    counts: { files: 0, studies: 0, trials: 0, events: 0, ledger_lines: 0 },
    study: null as string | null,
    add(severity: CheckSeverity, file: string, message: string, more: FindingMore = {}) {
      const { line = null, repairable = false } = more;
      const fix = more.fix ?? (repairable ? byRepair : 'Restore the file from a copy.');
      all.push({ severity, study: findings.study, file: shownPath(root, file), line, message, fix, repairable });
    },
    refused(file: string, refusal: Refusal, more: FindingMore = {}) {
      const isNewer = refusal.code === 'newer_schema';
      const problems = refusal.problems ?? [];
      const [first] = problems;
      const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
      const message = isNewer || first === undefined ? refusal.message : `${first.message}${rest}`;
      findings.add('broken', file, message, { line: first?.line ?? null, fix: isNewer ? refusal.next : (first?.fix ?? refusal.next), ...more, ...(isNewer ? { repairable: false, fix: refusal.next } : {}) });
    },
  };
  return findings;
}

export const byRepair = 'Run `rlxp check --repair`: it keeps a copy first.';

export function stateOf(all: readonly CheckFinding[]): 'clean' | 'warnings' | 'broken' {
  if (all.some((one) => one.severity === 'broken')) return 'broken';
  return all.some((one) => one.severity === 'warning') ? 'warnings' : 'clean';
}
