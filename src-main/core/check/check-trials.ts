// Checks that every record is what the approved study plans, and has what it claims: folder, trial.json, evaluation, checkpoint.
// This room and evidence.
import { countText } from '../../../src-protocol/count-text.ts';
import { isAbsolute, join } from 'node:path';
import { evaluationFile } from '../../../src-protocol/files/evaluation.ts';
import type { EvaluationSummary, TrialRecord } from '../../../src-protocol/files/record.ts';
import { trialFile, type TrialFile } from '../../../src-protocol/files/trial.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import { needsNormalizer, primaryMetric } from '../campaign/launch-rules.ts';
import type { ReadView } from '../campaign/read-campaign.ts';
import { isTerminal } from '../campaign/search-plan.ts';
import { summarise } from '../evaluation/summarise.ts';
import { digestBytes } from '../provenance/canonical-json.ts';
import { planTrial } from '../study/plan-trials.ts';
import { trialPaths, type RunPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import type { FileScope } from './findings.ts';

/** Larger ones are left to their evaluation's word. */
const mostDigestBytes = 64 * 1024 * 1024;
const maxEvaluationBytes = 256 * 1024 * 1024;

export function checkIdentities({ found }: FileScope, paths: RunPaths, view: ReadView): void {
  const settled = new Map<string, number>();
  const folders = new Map<string, number>();
  for (const [index, record] of view.records.entries()) {
    const line = index + 1;
    const broken = (message: string) => found.add('broken', paths.trials, message, { line, fix: 'Keep a copy of the folder; restore the file from a copy, or start over with `--fresh`.' });
    const planned = plannedOf(view, record);
    if (record.study !== view.study.name) broken(`The record is of the study ${record.study}.`);
    else if (planned === null) broken(`The approved study has no candidate ${record.candidate}.`);
    else if (planned.identity !== record.identity) broken(`${record.folder} is not what the approved study plans under its name: its identity differs, so it would be trained again.`);
    const before = settled.get(record.identity);
    if (isTerminal(record)) {
      if (before !== undefined) broken(`${record.folder} was settled already in line ${before}.`);
      else settled.set(record.identity, line);
    }
    const same = folders.get(record.folder);
    if (same !== undefined) broken(`The folder ${record.folder} stands in line ${same} as well.`);
    folders.set(record.folder, line);
  }
}

function plannedOf({ study }: ReadView, record: TrialRecord): { readonly identity: string } | null {
  if (!study.candidates.some(({ name }) => name === record.candidate)) return null;
  const { stage, candidate, seed, repeat, timesteps } = record;
  return planTrial(study, stage === 'extra' ? { stage, candidate, seed, repeat, timesteps } : { stage, candidate, seed, repeat });
}

export async function checkArtifacts(scope: FileScope, paths: RunPaths, view: ReadView): Promise<void> {
  const { ports, found } = scope;
  const terminal = view.records.map((record, index) => ({ record, line: index + 1 })).filter(({ record }) => isTerminal(record));
  if (terminal.length === 0) return;
  if ((await ports.files.stat(paths.trialFolders)) === null) {
    found.add('warning', paths.trialFolders, 'The folders of the trials are not here (version control leaves them out): records cannot be proved from their evaluations.', { fix: 'Copy them from where the campaign ran, if you want to prove or replay a result.' });
    return;
  }
  for (const { record, line } of terminal) await checkOne(scope, { paths, view, record, line });
}

interface One {
  readonly paths: RunPaths;
  readonly view: ReadView;
  readonly record: TrialRecord;
  readonly line: number;
}

async function checkOne({ ports, found }: FileScope, one: One): Promise<void> {
  const { paths, view, record, line } = one;
  const folder = join(paths.trialFolders, record.folder);
  const at = trialPaths(folder);
  const lost = 'Restore the folder from a copy; the record stands, but nothing proves it any more.';
  found.counts.files += 2;
  if ((await ports.files.stat(at.trial)) === null) {
    found.add('broken', at.trial, `The record in line ${line} of trials.jsonl claims this trial, and its trial.json is gone.`, { fix: lost });
    return;
  }
  const trial = await tryJsonFile(ports.files, at.trial, trialFile);
  if (!trial.ok) return found.refused(at.trial, trial.refusal, { fix: lost });
  if (trial.file.identity !== record.identity || trial.file.attempt !== record.attempt) found.add('broken', at.trial, `It is another trial than the record in line ${line} of trials.jsonl.`, { fix: lost });
  if (record.evaluation !== null) await checkEvaluation({ ports, found, root: view.study.root }, { ...one, trial: trial.file, evaluation: record.evaluation, folder });
}

interface Evaluated extends One {
  readonly trial: TrialFile;
  readonly evaluation: EvaluationSummary;
  readonly folder: string;
}

async function checkEvaluation({ ports, found }: FileScope, { view, record, line, trial, evaluation, folder }: Evaluated): Promise<void> {
  const at = join(folder, trial.evaluation_file);
  if ((await ports.files.stat(at)) === null) {
    return found.add('broken', at, `The record in line ${line} of trials.jsonl rests on this evaluation, and it is gone.`, { fix: 'Restore the folder from a copy.' });
  }
  const reading = await tryJsonFile(ports.files, at, evaluationFile, { maxBytes: maxEvaluationBytes });
  if (!reading.ok) return found.refused(at, reading.refusal);
  const candidate = view.study.candidates.find(({ name }) => name === record.candidate);
  const summary = summarise(reading.file, { expected: trial.evaluation, metric: primaryMetric(view.study), needsNormalizer: candidate !== undefined && needsNormalizer(view.study, candidate) });
  if (whatItSays(summary, evaluation.valid) !== whatItSays(evaluation, evaluation.valid)) {
    found.add('broken', at, `Its episodes give ${scoreText(summary)}, and the record in line ${line} of trials.jsonl says ${scoreText(evaluation)}.`, { fix: 'One of the two was changed: restore it from a copy.' });
  }
  const claimed = reading.file.checkpoint;
  if ((claimed?.sha256 ?? null) !== record.checkpoint_sha256) found.add('broken', at, `It evaluated another checkpoint than the record in line ${line} of trials.jsonl says.`, { fix: 'Restore it from a copy.' });
  if (claimed === null || trial.checkpoint === null) return;
  const path = isAbsolute(trial.checkpoint) ? trial.checkpoint : join(folder, trial.checkpoint);
  const stat = await ports.files.stat(path);
  if (stat === null) return found.add('warning', path, `The checkpoint of ${record.folder} is gone: its causes cannot be replayed.`, { fix: 'Restore it from a copy, if you need it.' });
  if (stat.kind !== 'file' || stat.sizeBytes > mostDigestBytes) return;
  found.counts.files += 1;
  if (digestBytes(await ports.files.readBytes(path, { maxBytes: mostDigestBytes })) !== claimed.sha256) found.add('broken', path, `It is not the checkpoint that ${record.folder} was scored with.`, { fix: 'Restore it from a copy.' });
}

/** A record whose evaluation proved nothing about its training keeps the episodes and drops the score. */
function whatItSays(summary: EvaluationSummary, isValid: boolean): string {
  return stringifyWire(isValid ? summary : { ...summary, valid: false, problem: null, score: null, score_low: null, score_high: null });
}

function scoreText({ valid, score, episodes }: EvaluationSummary): string {
  return `${valid ? `a score of ${score}` : 'no valid score'} over ${countText(episodes, 'episode')}`;
}
