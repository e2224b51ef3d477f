// What each candidate is trained with: task and candidate merged and defaults filled in. Imported by this room only.
import { bundledAgent } from '../../../src-protocol/files/agent.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { CandidateSettings, StudyFile } from '../../../src-protocol/files/study.ts';
import type { TaskFile } from '../../../src-protocol/files/task.ts';
import { differences, mergeSettings } from '../workspace/merge.ts';
import type { ResolvedCandidate } from './loaded-study.ts';

export interface CandidateValues {
  readonly study: Readonly<StudyFile>;
  readonly task: Readonly<TaskFile>;
  /** Whether the bundled runner trains, whose agent settings are known and have defaults. */
  readonly isBundled: boolean;
}

export interface Settings {
  readonly env_cfg: PlainMap;
  readonly agent_cfg: PlainMap;
  readonly num_envs: number;
}

/** `placeOf` says where the candidate at an index of the list stands. */
export function resolveCandidates(values: CandidateValues, placeOf: (index: number) => ResolvedCandidate['at']): readonly ResolvedCandidate[] {
  const plain = asMap(settingsOf({}, values));
  return values.study.candidates.map((candidate, index): ResolvedCandidate => {
    const settings = settingsOf(candidate, values);
    return {
      name: candidate.name,
      ...settings,
      canonical_env_cfg: mergeSettings(settings.env_cfg, values.task.canonical),
      changes: differences(plain, asMap(settings)),
      note: candidate.note ?? null,
      at: placeOf(index),
    };
  });
}

/** Settings of a trial as one map; also what two candidates are compared by. */
export function asMap(settings: Settings): PlainMap {
  return { env_cfg: settings.env_cfg, agent_cfg: settings.agent_cfg, num_envs: settings.num_envs };
}

function settingsOf(candidate: Partial<CandidateSettings>, { study, task, isBundled }: CandidateValues): Settings {
  const agent = mergeSettings(task.agent, candidate.agent_cfg ?? {});
  return {
    env_cfg: mergeSettings(task.env, candidate.env_cfg ?? {}),
    agent_cfg: isBundled ? withDefaults(agent) : agent,
    num_envs: candidate.num_envs ?? study.base.num_envs,
  };
}

/** Settings that do not fit are reported by agent-checks.ts; the defaults are laid under them, so that only they show as changes. */
function withDefaults(agent: PlainMap): PlainMap {
  const parsed = bundledAgent.safeParse(agent);
  if (parsed.success) return parsed.data as unknown as PlainMap;
  return mergeSettings(bundledAgent.parse({}) as unknown as PlainMap, agent);
}
