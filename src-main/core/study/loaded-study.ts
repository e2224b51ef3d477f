// A study as the rest of the core sees it: read, checked, every default and alias resolved. Any room right of study's
// importers may import it. Blocks that mirror a file keep the file's own key names.
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { ContractFile } from '../../../src-protocol/files/contract.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { MonitorRules, StudyFile } from '../../../src-protocol/files/study.ts';
import type { TaskFile } from '../../../src-protocol/files/task.ts';
import type { Problem } from '../../../src-protocol/refusal.ts';
import type { SettingChange } from '../workspace/merge.ts';
import type { StudyCost } from './study-cost.ts';

export const baselineName = 'baseline';

export interface ResolvedBase {
  readonly task: string;
  readonly seed: number;
  readonly num_envs: number;
  readonly devices: readonly [string, ...string[]];
  readonly backend: 'plain' | 'simd' | 'simd-relaxed' | 'auto';
  readonly min_free_vram_mb: number;
  readonly vram_wait_s: number;
  readonly min_free_disk_mb: number;
  /** Wall seconds of one trial: the smaller of the study's and the contract's limit. */
  readonly max_trial_s: number;
}

export interface ResolvedEval {
  readonly num_envs: number;
  readonly max_steps: number;
  readonly episodes_per_env: number;
  readonly seed: number;
  readonly deterministic: boolean;
}

export interface ResolvedStages {
  /** Null when the stage is off. */
  readonly noise: { readonly seeds: readonly number[]; readonly timesteps: number } | null;
  readonly screen: { readonly timesteps: number; readonly max_parallel: number; readonly stagger_s: number; readonly monitor: MonitorRules };
  readonly refine: { readonly top_k: number; readonly timesteps: number; readonly max_parallel: number; readonly monitor: MonitorRules };
  readonly verify: {
    readonly timesteps: number;
    readonly max_parallel: number;
    readonly tolerance: number;
    /** Counts of fresh seeds, rising; empty when only the pipeline repeat runs. */
    readonly looks: readonly number[];
    readonly collapse_below: number | null;
    readonly floor: number | null;
    /** Refine's: verify trains exactly as refine does. */
    readonly monitor: MonitorRules;
  };
}

/** What a trial of this candidate is trained with: task and candidate merged, defaults of the bundled agent filled in. */
export interface ResolvedCandidate {
  readonly name: string;
  readonly env_cfg: PlainMap;
  readonly agent_cfg: PlainMap;
  readonly num_envs: number;
  /** `env_cfg` with the task's canonical block forced over it: what every evaluation runs under. */
  readonly canonical_env_cfg: PlainMap;
  /** Against the baseline, with paths such as `agent_cfg.agent.learning_epochs`; empty for the baseline. */
  readonly changes: readonly SettingChange[];
  readonly note: string | null;
  readonly at: { readonly file: string; readonly line: number; readonly column: number };
}

export interface LoadedStudy {
  readonly name: string;
  readonly root: string;
  readonly source: { readonly path: string; readonly file: string; readonly isFrozen: boolean };
  /** The file's values with defaults filled in; what digests are taken of. */
  readonly file: Readonly<StudyFile>;
  readonly base: ResolvedBase;
  readonly eval: ResolvedEval;
  readonly stages: ResolvedStages;
  readonly tie_band: number;
  /** In the order of the file. */
  readonly candidates: readonly ResolvedCandidate[];
  readonly baseline: ResolvedCandidate;
  readonly task: Readonly<TaskFile>;
  readonly adapter: Readonly<AdapterFile>;
  readonly contract: Readonly<ContractFile>;
  readonly cost: StudyCost;
  /** Lints and checks that could not be made; they stop nothing. */
  readonly warnings: readonly Problem[];
}
