// The four files a study rests on, read but not yet checked against each other. Imported by this room only.
import path from 'node:path';
import type { z } from 'zod';
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import { contractFile, type ContractFile } from '../../../src-protocol/files/contract.ts';
import { slug } from '../../../src-protocol/files/plain.ts';
import { studyFile, type StudyFile } from '../../../src-protocol/files/study.ts';
import { taskFile, type TaskFile } from '../../../src-protocol/files/task.ts';
import { makeRefusal, type Refusal } from '../../../src-protocol/refusal.ts';
import type { Files, NodeRuntime } from '../../ports.ts';
import { tryAdapter } from '../workspace/read-adapter.ts';
import { projectPaths, runPaths, shownPath, studyPath, taskPath } from '../workspace/layout.ts';
import { nearestWord } from '../../../src-protocol/nearest.ts';
import { tryYamlFile, type FileReading, type YamlFile } from '../workspace/read-file.ts';
import type { YamlDocument } from '../workspace/yaml-document.ts';
import { errorAt, type Finding, type Source } from './finding.ts';

/** What loading a study needs of the disk. */
export type StudyFiles = Pick<Files, 'readText' | 'stat' | 'list' | 'realPath'>;

export interface StudyPlace {
  readonly files: StudyFiles;
  /** Where profiles lie. */
  readonly node: Pick<NodeRuntime, 'engineFolder'>;
  readonly root: string;
  readonly study: string;
  /** Read the copy that was frozen at approval instead of the one being written. */
  readonly isFrozen: boolean;
}

/** A file that could not be read is null here and a finding beside. */
export interface StudyParts {
  readonly study: Source<StudyFile> | null;
  readonly task: Source<TaskFile> | null;
  readonly adapter: Source<AdapterFile> | null;
  readonly contract: Source<ContractFile> | null;
}

export function studySourcePath(place: Pick<StudyPlace, 'root' | 'study' | 'isFrozen'>): string {
  return place.isFrozen ? runPaths(place.root, place.study).study : studyPath(place.root, place.study);
}

/** Reads all four, whatever is wrong with any of them, so that everything can be reported at once. */
export async function readStudyParts(place: StudyPlace): Promise<{ readonly parts: StudyParts; readonly findings: readonly Finding[] }> {
  const { files, root } = place;
  const project = projectPaths(root);
  const read = <S extends z.ZodType>(file: string, schema: S) => tryYamlFile(files, file, schema, { shownAs: shownPath(root, file) });
  const studyAt = studySourcePath(place);
  const [study, adapter, contract] = await Promise.all([read(studyAt, studyFile), tryAdapter(place), read(project.contract, contractFile)]);
  const taskName = study.ok ? study.file.value.base.task : taskNameIn(study.document);
  const task = taskName === null ? null : await read(taskPath(root, taskName), taskFile);

  const parts: StudyParts = {
    study: sourceOf(study, shownPath(root, studyAt)),
    task: task === null || taskName === null ? null : sourceOf(task, shownPath(root, taskPath(root, taskName))),
    adapter: sourceOf(adapter, shownPath(root, project.adapter)),
    contract: sourceOf(contract, shownPath(root, project.contract)),
  };
  return { parts, findings: [...failures(study), ...(await taskFailures(task, parts.study, place)), ...failures(adapter), ...failures(contract)] };
}

/** Names of the studies being written, sorted. */
export async function listStudies(files: Pick<Files, 'list'>, root: string): Promise<readonly string[]> {
  return yamlNames(await files.list(projectPaths(root).studies));
}

/** The refusal for a study that is not there, naming the nearest that is. */
export async function missingStudy(place: StudyPlace): Promise<Refusal> {
  const file = shownPath(place.root, studySourcePath(place));
  if (place.isFrozen) return makeRefusal('not_found', `The study ${place.study} has no run: ${file} does not exist.`);
  const known = await listStudies(place.files, place.root);
  const near = nearestWord(place.study, known);
  const hint = near !== null ? `Did you mean \`${near}\`?` : known.length === 0 ? `Write ${file}; no study exists yet.` : `The studies here are ${known.join(', ')}.`;
  return makeRefusal('not_found', `There is no study ${place.study}: ${file} does not exist.`, {
    problems: [{ file, line: null, column: null, message: 'the file does not exist', fix: hint }],
    next: hint,
  });
}

function sourceOf<T>(reading: FileReading<YamlFile<T>>, file: string): Source<T> | null {
  return reading.ok ? { file, value: reading.file.value, document: reading.file.document } : null;
}

function failures(reading: FileReading<unknown>): readonly Finding[] {
  if (reading.ok) return [];
  const { code, problems } = reading.refusal;
  return (problems ?? []).map((problem) => ({ weight: 'error', code, problem }));
}

/** A missing task is the study's mistake more often than the task's: point at the line that names it. */
async function taskFailures(task: FileReading<unknown> | null, study: Source<StudyFile> | null, place: StudyPlace): Promise<readonly Finding[]> {
  if (task === null || task.ok) return [];
  if (task.refusal.code !== 'not_found' || study === null) return failures(task);
  const name = study.value.base.task;
  const known = yamlNames(await place.files.list(projectPaths(place.root).tasks));
  const near = nearestWord(name, known);
  const fix = near === null ? `Write ${shownPath(place.root, taskPath(place.root, name))}, or name a task that exists.` : `Did you mean \`${near}\`?`;
  return [errorAt(study, ['base', 'task'], { code: 'not_found', message: `there is no task \`${name}\` in .rlxp/tasks`, fix })];
}

function taskNameIn(document: YamlDocument | undefined): string | null {
  const value = document?.value as { readonly base?: { readonly task?: unknown } } | null | undefined;
  const name = slug.safeParse(value?.base?.task);
  return name.success ? name.data : null;
}

function yamlNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.endsWith('.yaml')).map((name) => path.basename(name, '.yaml'));
}
