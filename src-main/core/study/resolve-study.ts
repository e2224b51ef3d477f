// From the values of the files to a resolved study: defaults, aliases, limits. Imported by this room only.
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { ContractFile } from '../../../src-protocol/files/contract.ts';
import type { StudyFile } from '../../../src-protocol/files/study.ts';
import type { ResolvedBase, ResolvedEval, ResolvedStages } from './loaded-study.ts';
import { devicesOf } from './stage-checks.ts';
import { studyCost, type StudyCost } from './study-cost.ts';

export function resolveBase(study: Readonly<StudyFile>, contract: Readonly<ContractFile> | null): ResolvedBase {
  const { base } = study;
  const [first = 'cpu', ...others] = devicesOf(study);
  return {
    task: base.task,
    seed: base.seed,
    num_envs: base.num_envs,
    devices: [first, ...others],
    backend: base.backend,
    min_free_vram_mb: base.min_free_vram_mb,
    vram_wait_s: base.vram_wait_s,
    min_free_disk_mb: base.min_free_disk_mb ?? 1024,
    max_trial_s: Math.min(base.max_trial_s, contract?.gates.budget.value?.per_trial_s ?? Infinity),
  };
}

export function resolveEval(study: Readonly<StudyFile>): ResolvedEval {
  const { num_envs, max_steps, seed, deterministic, episodes_per_env, min_episodes } = study.eval;
  return { num_envs, max_steps, seed, deterministic, episodes_per_env: episodes_per_env ?? Math.ceil((min_episodes ?? num_envs) / num_envs) };
}

export function resolveStages(study: Readonly<StudyFile>): ResolvedStages {
  const { noise, screen, refine, verify } = study.stages;
  // One trial at a time per device; a CPU counts as one device per slot.
  const devices = devicesOf(study);
  const full = devices.every((device) => device === 'cpu') ? screen.max_parallel : devices.length;
  return {
    noise: noise === 'off' ? null : { seeds: Array.from({ length: noise.seeds }, (_, index) => study.base.seed + index), timesteps: screen.timesteps },
    screen,
    refine: { ...refine, max_parallel: refine.max_parallel ?? full },
    verify: {
      timesteps: refine.timesteps,
      max_parallel: refine.max_parallel ?? full,
      tolerance: verify.tolerance,
      looks: verify.looks ?? verify.fresh_seeds ?? [],
      collapse_below: verify.collapse_below ?? null,
      floor: verify.floor ?? null,
      monitor: refine.monitor,
    },
  };
}

export function resolveCost(study: Readonly<StudyFile>, contract: Readonly<ContractFile> | null): StudyCost {
  const stages = resolveStages(study);
  return studyCost({
    noiseSeeds: stages.noise?.seeds.length ?? 0,
    candidates: study.candidates.length,
    topK: stages.refine.top_k,
    looks: stages.verify.looks,
    perTrialS: resolveBase(study, contract).max_trial_s,
    screenSlots: stages.screen.max_parallel,
    refineSlots: stages.refine.max_parallel,
    leastReserveS: (contract?.gates.budget.value?.verify_reserve_hours ?? 0) * 3600,
  });
}

export function isBundled(adapter: Readonly<AdapterFile> | null): boolean {
  return adapter?.framework === 'bundled';
}
