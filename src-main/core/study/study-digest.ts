// What makes two studies, or two trials' settings, the same. Rooms that may import study may import it.
// Rules: docs/specs/study.md, S27 to S29.
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { StudyFile } from '../../../src-protocol/files/study.ts';
import { digest } from '../provenance/canonical-json.ts';
import type { ResolvedCandidate } from './loaded-study.ts';
import { resolveEval } from './resolve-study.ts';

/** What the study searches, with aliases resolved; candidates by name, since their order means nothing. */
export function searchForm(study: Readonly<StudyFile>): PlainMap {
  const { task, seed, num_envs, device, backend, resume } = study.base;
  const { noise, screen, refine, verify } = study.stages;
  const { looks, fresh_seeds, ...verifyRest } = verify;
  return plainCopy({
    study: study.study,
    base: { task, seed, num_envs, device: typeof device === 'string' ? [device] : device, backend, resume },
    eval: resolveEval(study),
    stages: {
      noise,
      screen: { timesteps: screen.timesteps, monitor: screen.monitor },
      refine: { top_k: refine.top_k, timesteps: refine.timesteps, monitor: refine.monitor },
      verify: { ...verifyRest, looks: looks ?? fresh_seeds ?? [] },
    },
    ranking: study.ranking,
    candidates: Object.fromEntries(study.candidates.map(({ name, env_cfg, agent_cfg, num_envs: envs }) => [name, { env_cfg, agent_cfg, num_envs: envs }])),
  });
}

/** Budgets and slots: how much, how many at once, how long to wait. An amendment may change them without a new search. */
export function budgetForm(study: Readonly<StudyFile>): PlainMap {
  const { max_trial_s, min_free_vram_mb, vram_wait_s, min_free_disk_mb } = study.base;
  const { screen, refine } = study.stages;
  return plainCopy({
    base: { max_trial_s, min_free_vram_mb, vram_wait_s, min_free_disk_mb },
    stages: { screen: { max_parallel: screen.max_parallel, stagger_s: screen.stagger_s }, refine: { max_parallel: refine.max_parallel } },
  });
}

/** Part of every trial's identity: unchanged by budgets, slots, notes and the order of candidates. */
export function searchDigest(study: Readonly<StudyFile>): string {
  return digest(searchForm(study));
}

/** What a trial of this candidate is trained with, timesteps included. */
export function settingsDigest(candidate: Pick<ResolvedCandidate, 'env_cfg' | 'agent_cfg' | 'num_envs'>, timesteps: number): string {
  return digest({ env_cfg: candidate.env_cfg, agent_cfg: candidate.agent_cfg, num_envs: candidate.num_envs, timesteps });
}

/** Leaves out what is undefined, as JSON does. */
function plainCopy(value: object): PlainMap {
  return JSON.parse(JSON.stringify(value)) as PlainMap;
}
