// What may be wrong with the list of candidates. Imported by this room only. Rules: docs/specs/study.md, S5 to S9, S12.
import type { StudyFile } from '../../../src-protocol/files/study.ts';
import type { TaskFile } from '../../../src-protocol/files/task.ts';
import { canonicalJson } from '../provenance/canonical-json.ts';
import { getPath } from '../workspace/merge.ts';
import { nearestWord } from '../../../src-protocol/nearest.ts';
import type { PathKey } from '../workspace/yaml-document.ts';
import { errorAt, type Finding, type Source } from './finding.ts';
import { baselineName, type ResolvedCandidate } from './loaded-study.ts';
import { asMap } from './resolve-candidates.ts';

type Study = Source<StudyFile>;

export function checkCandidateNames(study: Study): readonly Finding[] {
  const names = study.value.candidates.map((candidate) => candidate.name);
  const repeated = names.flatMap((name, index): Finding[] => {
    const first = names.indexOf(name);
    if (first === index) return [];
    const line = study.document.keyAt(['candidates', first]).line;
    return [errorAt(study, ['candidates', index, 'name'], { message: `the candidate name \`${name}\` is used a second time (first on line ${line})`, fix: 'Give each candidate a name of its own.' })];
  });
  return names.includes(baselineName) ? repeated : [...repeated, noBaseline(study, names)];
}

function noBaseline(study: Study, names: readonly string[]): Finding {
  const near = nearestWord(baselineName, names);
  const fix = near === null ? `Add \`- { name: ${baselineName} }\` to the candidates.` : `Rename \`${near}\` to \`${baselineName}\` if it is the unmodified task, or add \`- { name: ${baselineName} }\`.`;
  return errorAt(study, ['candidates'], { atKey: true, message: `there is no candidate \`${baselineName}\`: nothing could be compared with the task as it is`, fix });
}

export function checkBaseline(study: Study, candidates: readonly ResolvedCandidate[]): readonly Finding[] {
  return candidates.flatMap((candidate, index): Finding[] => {
    if (candidate.name !== baselineName || candidate.changes.length === 0) return [];
    const paths = candidate.changes.map((change) => `\`${change.path}\``).join(', ');
    return [errorAt(study, ['candidates', index], { message: `the baseline changes ${paths}: it must be the task as it is`, fix: 'Move these settings into a candidate of their own, or into the task file.' })];
  });
}

/** Compares effective settings, so that a default written out counts as the default. */
export function checkDistinct(study: Study, candidates: readonly ResolvedCandidate[]): readonly Finding[] {
  const texts = candidates.map((candidate) => canonicalJson(asMap(candidate)));
  return candidates.flatMap((candidate, index): Finding[] => {
    const other = candidates[texts.indexOf(texts[index] ?? '')];
    if (other === undefined || other === candidate || other.name === candidate.name) return [];
    const pair = `\`${other.name}\` (line ${other.at.line}) and \`${candidate.name}\` (line ${candidate.at.line})`;
    const fix = other.changes.length === 0 ? `Remove \`${candidate.name}\`, or let it change a setting.` : 'Remove one of them, or let them differ in a setting.';
    return [errorAt(study, ['candidates', index], { message: `the candidates ${pair} have the same settings once defaults are filled in`, fix })];
  });
}

const batchPaths = ['agent_cfg.agent.rollouts', 'agent_cfg.agent.mini_batches', 'num_envs'] as const;

/** The bundled agent cuts rollouts * num_envs samples into equal minibatches. */
export function checkBatches(study: Study, task: Source<TaskFile>, candidates: readonly ResolvedCandidate[]): readonly Finding[] {
  return candidates.flatMap((candidate, index): Finding[] => {
    const [rollouts, batches] = [getPath(candidate.agent_cfg, 'agent.rollouts'), getPath(candidate.agent_cfg, 'agent.mini_batches')];
    if (typeof rollouts !== 'number' || typeof batches !== 'number') return [];
    const samples = rollouts * candidate.num_envs;
    if (samples % batches === 0) return [];
    const changed = candidate.changes.find((change) => batchPaths.some((path) => path === change.path));
    const message = `\`${candidate.name}\`: rollouts * num_envs = ${rollouts} * ${candidate.num_envs} = ${samples} samples cannot be cut into ${batches} equal minibatches`;
    const words = { message, fix: `Choose \`mini_batches\` so that it divides ${samples}.` };
    if (changed !== undefined) return [errorAt(study, placeOf(changed.path, index), words)];
    return candidate.name === baselineName ? [errorAt(task, ['agent', 'agent', 'mini_batches'], { ...words, atKey: true })] : [];
  });
}

function placeOf(path: string, index: number): readonly PathKey[] {
  return ['candidates', index, ...path.split('.')];
}
