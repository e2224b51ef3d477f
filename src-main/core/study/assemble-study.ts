// From the values of the four files to a LoadedStudy; nothing is checked here. Rooms that may import study may import it.
import { adapterFile, type AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { ApprovedFile } from '../../../src-protocol/files/approval.ts';
import { contractFile, gateNames, type ContractFile } from '../../../src-protocol/files/contract.ts';
import { studyFile, type StudyFile } from '../../../src-protocol/files/study.ts';
import { taskFile, type TaskFile } from '../../../src-protocol/files/task.ts';
import type { Problem } from '../../../src-protocol/refusal.ts';
import { runPaths, shownPath } from '../workspace/layout.ts';
import { baselineName, type LoadedStudy, type ResolvedCandidate } from './loaded-study.ts';
import { resolveCandidates } from './resolve-candidates.ts';
import { isBundled, resolveBase, resolveCost, resolveEval, resolveStages } from './resolve-study.ts';

export interface StudyValues {
  readonly study: Readonly<StudyFile>;
  readonly task: Readonly<TaskFile>;
  readonly adapter: Readonly<AdapterFile>;
  readonly contract: Readonly<ContractFile>;
}

export interface StudyOrigin {
  readonly root: string;
  readonly source: LoadedStudy['source'];
  readonly candidates: readonly ResolvedCandidate[];
  readonly warnings: readonly Problem[];
}

export function assembleStudy(values: StudyValues, origin: StudyOrigin): LoadedStudy {
  const { study, task, adapter, contract } = values;
  const baseline = origin.candidates.find((candidate) => candidate.name === baselineName);
  if (baseline === undefined) throw new Error('a study that passed its checks has a baseline');
  return {
    name: study.study,
    root: origin.root,
    source: origin.source,
    file: study,
    base: resolveBase(study, contract),
    eval: resolveEval(study),
    stages: resolveStages(study),
    tie_band: study.ranking.tie_band,
    candidates: origin.candidates,
    baseline,
    task,
    adapter,
    contract,
    cost: resolveCost(study, contract),
    warnings: origin.warnings,
  };
}

/**
 * The study of a running campaign from the values that were approved, whatever the files of the repository say now.
 * The values passed every check when they were approved; `approved` must have been checked against its digests.
 */
export function studyFromApproved(approved: ApprovedFile, root: string): LoadedStudy {
  const study = studyFile.parse(approved.study);
  const task = taskFile.parse(approved.task);
  const adapter = adapterFile.parse(approved.adapter);
  const gates = Object.fromEntries(gateNames.map((gate) => [gate, { status: 'confirmed', value: approved.gates[gate] }]));
  const contract = contractFile.parse({ schema: 1, project: 'approved', gates });
  const path = runPaths(root, study.study).study;
  const file = shownPath(root, path);
  const candidates = resolveCandidates({ study, task, isBundled: isBundled(adapter) }, () => ({ file, line: 1, column: 1 }));
  return assembleStudy({ study, task, adapter, contract }, { root, source: { path, file, isFrozen: true }, candidates, warnings: [] });
}
