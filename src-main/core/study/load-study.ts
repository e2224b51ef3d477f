// Loading a study: read its files, check them against each other, and give everything resolved or everything that is
// wrong. Any room that may import study may import it. Rules: docs/specs/study.md.
import { countText } from '../../../src-protocol/count-text.ts';
import { makeRefusal, RefusalError, type Problem, type RefusalCode } from '../../../src-protocol/refusal.ts';
import type { Machine, NodeRuntime } from '../../ports.ts';
import { checkAdapter, lintFlush } from './adapter-checks.ts';
import { checkAgents } from './agent-checks.ts';
import { assembleStudy } from './assemble-study.ts';
import { checkBaseline, checkBatches, checkCandidateNames, checkDistinct } from './candidate-checks.ts';
import { checkBudget, checkCheckpointRule, checkEvaluation, checkOpenGates, checkScope, checkTaskAndHardware } from './contract-checks.ts';
import { errorAt, type Finding } from './finding.ts';
import { lintStudy } from './lints.ts';
import type { LoadedStudy, ResolvedCandidate } from './loaded-study.ts';
import { resolveCandidates } from './resolve-candidates.ts';
import { isBundled, resolveCost, resolveEval } from './resolve-study.ts';
import { checkDevice, checkGateAxis, checkGateSteps, checkLooks, checkSeeds } from './stage-checks.ts';
import { checkPrograms } from './program-checks.ts';
import { missingStudy, readStudyParts, studySourcePath, type StudyFiles, type StudyParts } from './study-parts.ts';

export { listStudies } from './study-parts.ts';

export interface LoadStudyOptions {
  readonly files: StudyFiles;
  /** Where the profiles of adapters lie. */
  readonly node: Pick<NodeRuntime, 'engineFolder'>;
  /** Absolute path of the repository. */
  readonly root: string;
  readonly study: string;
  /** Where bare names of programs are looked up. With it, what the commands name has to be on this machine; without it nothing is looked for. */
  readonly machine?: Pick<Machine, 'env'>;
  /** Read runs/<study>/study.yaml, the copy frozen at approval, instead of studies/<study>.yaml. */
  readonly frozen?: boolean;
  /** Findings of these codes do not count: a doctor measures what a budget would need. */
  readonly leaveOut?: readonly RefusalCode[];
}

/** What a study is, or all that is wrong with it; for screens that show a draft. */
export interface StudyCheck {
  /** Null when there are errors. */
  readonly study: LoadedStudy | null;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Throws RefusalError with every problem at once. Its code is that of the problems when they share one, else invalid_file. */
export async function loadStudy(options: LoadStudyOptions): Promise<LoadedStudy> {
  const { study, errors } = await inspect(options);
  if (study !== null) return study;
  const count = countText(errors.length, 'problem');
  throw new RefusalError(
    makeRefusal(codeOf(errors), `The study ${options.study} has ${count}.`, { problems: errors.map((finding) => finding.problem) }),
  );
}

/** As loadStudy, but gives the problems back. Throws RefusalError (not_found) only when there is no such study. */
export async function checkStudy(options: LoadStudyOptions): Promise<StudyCheck> {
  const { study, errors, warnings } = await inspect(options);
  return { study, errors: errors.map((finding) => finding.problem), warnings };
}

async function inspect(options: LoadStudyOptions): Promise<{ study: LoadedStudy | null; errors: readonly Finding[]; warnings: readonly Problem[] }> {
  const place = { files: options.files, node: options.node, root: options.root, study: options.study, isFrozen: options.frozen === true };
  if ((await options.files.stat(studySourcePath(place))) === null) throw new RefusalError(await missingStudy(place));
  const { parts, findings: unread } = await readStudyParts(place);
  const candidates = resolvedCandidates(parts);
  const { files, node, root, machine } = options;
  const programs = machine === undefined ? [] : await checkPrograms({ ports: { files, node, machine }, root }, parts.adapter, parts.task);
  const findings = [...unread, ...checkName(parts, options.study), ...checkParts(parts), ...checkCandidates(parts, candidates), ...programs];
  const errors = inOrder(findings.filter((finding) => finding.weight === 'error' && options.leaveOut?.includes(finding.code) !== true));
  const warnings = findings.filter((finding) => finding.weight === 'warning').map((finding) => finding.problem);
  return { study: errors.length > 0 ? null : assemble(options, parts, candidates, warnings), errors, warnings };
}

function resolvedCandidates({ study, task, adapter }: StudyParts): readonly ResolvedCandidate[] {
  if (study === null || task === null) return [];
  const values = { study: study.value, task: task.value, isBundled: isBundled(adapter?.value ?? null) };
  return resolveCandidates(values, (index) => ({ file: study.file, ...study.document.keyAt(['candidates', index]) }));
}

function checkName({ study }: StudyParts, name: string): readonly Finding[] {
  if (study === null || study.value.study === name) return [];
  return [errorAt(study, ['study'], { message: `the file is called ${name}, but its study is \`${study.value.study}\``, fix: 'Give the file and the study the same name.' })];
}

function checkParts({ study, adapter, contract }: StudyParts): readonly Finding[] {
  if (study === null) return [];
  const alone = [...checkCandidateNames(study), ...checkGateSteps(study), ...checkLooks(study), ...checkSeeds(study)];
  const withAdapter = adapter === null ? [] : [...checkGateAxis(study, adapter), ...checkDevice(study, adapter), ...lintFlush(study, adapter)];
  if (contract === null) return [...alone, ...withAdapter];
  return [
    ...alone,
    ...withAdapter,
    ...checkOpenGates(contract),
    ...checkTaskAndHardware(study, contract),
    ...checkEvaluation(study, contract, resolveEval(study.value).episodes_per_env),
    ...(adapter === null ? [] : checkCheckpointRule(adapter, contract)),
    ...checkBudget(study, contract, resolveCost(study.value, contract.value)),
  ];
}

function checkCandidates({ study, task, adapter, contract }: StudyParts, list: readonly ResolvedCandidate[]): readonly Finding[] {
  if (study === null || task === null) return [];
  const bundled = isBundled(adapter?.value ?? null);
  return [
    ...checkBaseline(study, list),
    ...checkDistinct(study, list),
    ...(bundled ? [...checkAgents(study, task), ...checkBatches(study, task, list)] : []),
    ...(contract === null ? [] : checkScope(study, contract, list)),
    ...(adapter === null ? [] : checkAdapter(adapter, list)),
    ...lintStudy(study, list, bundled),
  ];
}

function assemble(options: LoadStudyOptions, parts: StudyParts, candidates: readonly ResolvedCandidate[], warnings: readonly Problem[]): LoadedStudy {
  const { study, task, adapter, contract } = parts;
  if (study === null || task === null || adapter === null || contract === null) throw new Error('a study without errors has all its parts');
  const isFrozen = options.frozen === true;
  const path = studySourcePath({ root: options.root, study: options.study, isFrozen });
  const values = { study: study.value, task: task.value, adapter: adapter.value, contract: contract.value };
  return assembleStudy(values, { root: options.root, source: { path, file: study.file, isFrozen }, candidates, warnings });
}

/** File by file in the order they were read, each from top to bottom. */
function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const files = [...new Set(findings.map(({ problem }) => problem.file))];
  return files.flatMap((file) => findings.filter(({ problem }) => problem.file === file).sort((a, b) => (a.problem.line ?? 0) - (b.problem.line ?? 0)));
}

function codeOf(errors: readonly Finding[]): RefusalCode {
  const codes = new Set(errors.map((finding) => finding.code));
  const [only] = codes;
  return codes.size === 1 && only !== undefined ? only : 'invalid_file';
}
