// Everything runTrial is told. Rooms from trial leftwards may import it.
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { MonitorRules } from '../../../src-protocol/files/study.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import type { Ports, ProcessIdentity } from '../../ports.ts';
import type { PrimaryMetric } from '../evaluation/summarise.ts';
import type { MetricPoint } from '../metrics/metric-point.ts';
import type { TailFinding } from '../metrics/metric-tail.ts';
import type { LaunchPlan } from './launch-plan.ts';
import type { StopCause } from './trial-outcome.ts';
import type { TrialProgress } from './trial-progress.ts';

/** `cause` is read once `signal` has aborted. */
export interface TrialControl {
  readonly signal: AbortSignal;
  readonly cause: StopCause;
}

export interface RunTrialOptions {
  readonly ports: Pick<Ports, 'files' | 'clock' | 'entropy' | 'processes' | 'machine' | 'git' | 'node' | 'log'>;
  readonly plan: LaunchPlan;
  readonly trial: TrialFile;
  /** The trial's folder, new with every attempt. */
  readonly folder: string;
  /** The repository being tuned. */
  readonly root: string;
  readonly campaignRunId: string;
  readonly adapter: AdapterFile;
  readonly rules: MonitorRules;
  /** Longest time of the training, and of the evaluation. */
  readonly maxTrialMs: number;
  /** What the campaign's budget still allows, asked at every look; absent: not limited. */
  readonly campaignLeftMs?: () => number;
  readonly metric: PrimaryMetric;
  /** The agent normalises observations: an evaluation without the statistics is not valid. */
  readonly needsNormalizer?: boolean;
  /** Normalised settings of the candidate, for the record. */
  readonly settings: PlainMap;
  readonly settingsDigest: string;
  readonly frameworks?: Readonly<Record<string, string>>;
  /** Hides secrets in one text. */
  readonly redact: (text: string) => string;
  /** Throws a refusal when approval or budget no longer hold; called right before each of the two processes starts. */
  readonly checkLaunch: () => Promise<void>;
  /** Called when the disk refused the evaluation: resolves to true when it takes more, and the evaluation alone is run again; absent: never. */
  readonly untilRoom?: (why: string) => Promise<boolean>;
  readonly control: TrialControl;
  /** Between SIGINT, SIGTERM and SIGKILL. */
  readonly graceMs: number;
  readonly onProgress?: (progress: TrialProgress) => void;
  readonly onStarted?: (identity: ProcessIdentity, phase: TrialProgress['phase']) => void;
  /** Points as they could first be read. */
  readonly onPoints?: (points: readonly MetricPoint[]) => void;
  readonly onFinding?: (finding: TailFinding) => void;
  /** Peak of the trial's device memory so far; absent: unknown. */
  readonly peakVramBytes?: () => number | 'unknown';
}
