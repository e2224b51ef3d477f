// What a trial ended as, before it has a place in trials.jsonl. Rooms from trial leftwards may import it.
import type { MonitorRuleName, TrialRecord } from '../../../src-protocol/files/record.ts';
import type { MonitorDecision } from './rules/decision.ts';

/** A TrialRecord but for its place in the journal. */
export type TrialOutcome = Omit<TrialRecord, 'seq'>;

export type StopCause = 'stop' | 'skip' | 'pause_now';

/** The end of a trial as far as its status goes. `null` in place of it: nothing has ended it yet. */
export interface Ending {
  readonly status: TrialRecord['status'];
  readonly rule: MonitorRuleName | null;
  readonly reason: TrialRecord['reason'];
}

type Code = TrialRecord['reason']['code'];

export function failedBy(cause: 'own' | 'infrastructure', code: Code, text: string, rule: MonitorRuleName | null = null): Ending {
  return { status: 'failed', rule, reason: { code, text, cause, step: null, value: null } };
}

/** `skip` settles a trial; after `stop` and `pause_now` it runs again. */
export function cancelledBy(cause: StopCause): Ending {
  const text = cause === 'skip' ? 'skipped by request' : cause === 'stop' ? 'the campaign was stopped' : 'the campaign was paused';
  return { status: 'cancelled', rule: null, reason: { code: cause === 'skip' ? 'skip' : 'stop', text, cause: null, step: null, value: null } };
}

/** Null for `linger`, which ends a process and not a trial, and for `plateau`, whose trial goes on to its evaluation. */
export function endedByRule(decision: MonitorDecision): Ending | null {
  const { rule, text, step, value } = decision;
  const reason = { text, step, value, cause: null };
  switch (rule) {
    case 'nan':
      return { status: 'failed', rule, reason: { ...reason, code: 'nan', cause: 'own' } };
    case 'hung':
      return { status: 'failed', rule, reason: { ...reason, code: 'hung', cause: 'own' } };
    case 'oom':
      return { status: 'failed', rule, reason: { ...reason, code: 'oom', cause: 'infrastructure' } };
    case 'gate':
      return { status: 'early_stopped', rule, reason: { ...reason, code: 'gate' } };
    case 'budget':
      // More budget lets it run again.
      if (decision.isCampaignBudget === true) return { status: 'cancelled', rule, reason: { ...reason, code: 'stop' } };
      return { status: 'early_stopped', rule, reason: { ...reason, code: 'budget' } };
    case 'plateau':
    case 'linger':
      return null;
  }
}
