// What a monitor rule decides, and the point it decided by. Imported by the rules, the monitor and the trial.
import type { MonitorRuleName } from '../../../../src-protocol/files/record.ts';

export interface MonitorDecision {
  readonly rule: MonitorRuleName;
  /** One sentence for a person. */
  readonly text: string;
  /** The deciding point; null where time decided before any point came. */
  readonly step: number | null;
  readonly value: number | null;
  /** The campaign's budget, not the trial's own, is used up: the trial may run again once there is more. */
  readonly isCampaignBudget?: true;
}
