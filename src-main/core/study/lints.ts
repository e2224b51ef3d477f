// Advice on a study that may run as it is. Imported by this room only. Rules: docs/specs/study.md, S22 to S26.
import { countText } from '../../../src-protocol/count-text.ts';
import type { StudyFile } from '../../../src-protocol/files/study.ts';
import { getPath } from '../workspace/merge.ts';
import { warningAt, type Finding, type Source } from './finding.ts';
import type { ResolvedCandidate } from './loaded-study.ts';

type Study = Source<StudyFile>;

export const fewestCandidates = 8;
export const mostCandidates = 12;

export function lintStudy(study: Study, candidates: readonly ResolvedCandidate[], isBundled: boolean): readonly Finding[] {
  return [...lintAxes(study, candidates), ...lintCount(study), ...lintStages(study), ...(isBundled ? lintUpdates(study, candidates) : [])];
}

function lintAxes(study: Study, candidates: readonly ResolvedCandidate[]): readonly Finding[] {
  return candidates.flatMap((candidate, index): Finding[] => {
    if (candidate.changes.length < 2) return [];
    const paths = candidate.changes.map((change) => `\`${change.path}\``).join(', ');
    return [warningAt(study, ['candidates', index], { message: `\`${candidate.name}\` changes ${countText(candidate.changes.length, 'setting')} (${paths}): which of them helped will stay unknown`, fix: 'Make one candidate per setting.' })];
  });
}

/** The baseline counts: the list as it is written holds 8 to 12 entries. */
function lintCount(study: Study): readonly Finding[] {
  const count = study.value.candidates.length;
  if (count >= fewestCandidates && count <= mostCandidates) return [];
  const message = count < fewestCandidates ? `${countText(count, 'candidate is', 'candidates are')} few` : `${count} candidates are many: the best of many looks better than it is`;
  return [warningAt(study, ['candidates'], { message, fix: `Search with ${fewestCandidates} to ${mostCandidates} candidates, the baseline included.` })];
}

function lintStages(study: Study): readonly Finding[] {
  const { stages, candidates } = study.value;
  const findings: Finding[] = [];
  if (stages.screen.monitor.plateau !== undefined) {
    findings.push(warningAt(study, ['stages', 'screen', 'monitor', 'plateau'], { message: 'the plateau rule does nothing in screen: it ends refine trials only', fix: 'Move it to `refine`.' }));
  }
  if (stages.refine.top_k > candidates.length - 1) {
    findings.push(warningAt(study, ['stages', 'refine', 'top_k'], { message: `top_k is ${stages.refine.top_k}, but beside the baseline there ${candidates.length === 2 ? 'is' : 'are'} only ${countText(candidates.length - 1, 'candidate')}`, fix: 'Lower `top_k`, or add candidates.' }));
  }
  if (stages.refine.timesteps < stages.screen.timesteps) {
    findings.push(warningAt(study, ['stages', 'refine', 'timesteps'], { message: 'refine trains for fewer timesteps than screen', fix: 'Give refine the full budget.' }));
  }
  if (stages.verify.looks === undefined && stages.verify.fresh_seeds === undefined) {
    findings.push(warningAt(study, ['stages', 'verify'], { message: 'no fresh seeds: the verdict can only say whether the result repeats, never that it is better', fix: 'Add `looks: [5, 8, 10]` to `verify` if the budget allows.' }));
  }
  return findings;
}

function lintUpdates(study: Study, candidates: readonly ResolvedCandidate[]): readonly Finding[] {
  return candidates.flatMap((candidate, index): Finding[] => {
    const rollouts = getPath(candidate.agent_cfg, 'agent.rollouts');
    const timesteps = study.value.stages.screen.timesteps;
    if (typeof rollouts !== 'number' || rollouts * candidate.num_envs <= timesteps) return [];
    return [warningAt(study, ['candidates', index], { message: `\`${candidate.name}\` collects ${countText(rollouts * candidate.num_envs, 'step')} for one update, more than the ${countText(timesteps, 'timestep')} of screen`, fix: 'Train longer, or lower `rollouts` or `num_envs`.' })];
  });
}
