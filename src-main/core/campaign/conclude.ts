// Writes what a campaign concluded: verdict.json, winner.json, report.md. All of it derives from the records, so writing it
// again gives the same bytes but for times. Imported by this room and the check.
import { countText } from '../../../src-protocol/count-text.ts';
import type { ManifestFile } from '../../../src-protocol/files/manifest.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { VerdictFile, WinnerFile } from '../../../src-protocol/files/verdict.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import type { Files } from '../../ports.ts';
import { numberText } from '../report/number-text.ts';
import { reportMarkdown } from '../report/report-markdown.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { projectPaths, type RunPaths } from '../workspace/layout.ts';
import { rankStage, readNoise, scoreOf, verifyRecords, type CampaignView } from './judges.ts';
import { causesOf, rankingRows } from './report-view.ts';
import { baselineName, planRepeat, settledTrials } from './search-plan.ts';

export interface Conclusion {
  readonly view: CampaignView;
  readonly verdict: VerdictFile | null;
  readonly statusText: string;
  readonly manifest: ManifestFile | null;
  readonly approvalText: string;
  readonly spentS: number;
}

export async function writeConclusion(files: Files, options: { readonly root: string; readonly paths: RunPaths; readonly conclusion: Conclusion }): Promise<void> {
  const { paths } = options;
  const { verdict, winner, report } = conclusionTexts(options.conclusion);
  if (verdict !== null) await files.replaceFile(paths.verdict, verdict);
  if (winner !== null) await files.replaceFile(paths.winner, winner);
  await files.replaceFile(paths.report, report);
  await files.replaceFile(projectPaths(options.root).report, report);
}

/** The report alone, and the one on top where it was a copy of this study's. */
export async function writeReport(files: Files, options: { readonly root: string; readonly paths: RunPaths; readonly conclusion: Conclusion }): Promise<void> {
  const { paths } = options;
  const top = projectPaths(options.root).report;
  const before = await files.readText(paths.report).catch(() => null);
  const isOnTop = (await files.stat(top)) === null || (await files.readText(top).catch(() => null)) === before;
  const report = conclusionReport(options.conclusion);
  await files.replaceFile(paths.report, report);
  if (isOnTop) await files.replaceFile(top, report);
}

export interface ConclusionTexts {
  readonly verdict: string | null;
  readonly winner: string | null;
  readonly report: string;
}

/** The bytes of the three files; a conclusion without a verdict has a report only. */
export function conclusionTexts(conclusion: Conclusion): ConclusionTexts {
  const { verdict } = conclusion;
  const winner = verdict === null ? null : winnerFile(conclusion, verdict);
  return {
    verdict: verdict === null ? null : `${stringifyWire(verdict, 2)}\n`,
    winner: winner === null ? null : `${stringifyWire(winner, 2)}\n`,
    report: conclusionReport(conclusion),
  };
}

export function conclusionReport(conclusion: Conclusion): string {
  const { view } = conclusion;
  return reportMarkdown({
    study: view.study.name,
    verdict: conclusion.verdict,
    statusText: conclusion.statusText,
    records: view.records,
    ranking: rankingRows(view),
    causes: causesOf(view),
    changes: Object.fromEntries(view.study.candidates.map((candidate) => [candidate.name, changesOf(candidate)])),
    noiseText: noiseSentence(view),
    selfTestText: view.selfTest === null ? 'not run' : `${view.selfTest.passed ? 'passed' : 'failed'}; ${view.selfTest.text}`,
    warnings: warningsOf(view),
    manifest: conclusion.manifest,
    approvalText: conclusion.approvalText,
    spentS: conclusion.spentS,
  });
}

/** `agent_cfg.agent.learning_epochs: 4 -> 8`. */
export function changesOf(candidate: LoadedStudy['candidates'][number]): readonly string[] {
  return candidate.changes.map((change) => `${change.path}: ${valueText(change.before)} -> ${valueText(change.after)}`);
}

export function noiseSentence(view: CampaignView): string {
  if (view.study.stages.noise === null) return 'the stage is off, so the spread between seeds was not measured';
  const { seedSd, scores, determinism } = readNoise(view);
  if (scores.length === 0) return 'not measured yet';
  const spread = seedSd === null ? 'too few scored seeds to tell the spread' : `seed spread ${numberText(seedSd)} over ${countText(scores.length, 'seed')} of the baseline at screen budget`;
  const again = determinism === null ? '' : `; the same seed twice is ${determinism}`;
  return `${spread}${again}`;
}

function warningsOf(view: CampaignView): readonly string[] {
  const screened = view.records.filter((record) => record.stage === 'screen');
  return [...view.study.warnings.map((one) => one.message), ...(screened.length === 0 ? [] : rankStage(view, screened).warnings.map((one) => one.message))];
}

function winnerFile(conclusion: Conclusion, verdict: VerdictFile): WinnerFile | null {
  const { view, spentS } = conclusion;
  if (verdict.winner === null) return null;
  const declared = view.study.file.candidates.find((candidate) => candidate.name === verdict.winner);
  const { name: _name, ...candidate } = declared ?? { name: baselineName };
  const { refineScore } = verifyRecords(view, verdict.winner);
  const repeat = settledTrials(view.records).get(planRepeat(view.search, verdict.winner).identity);
  const score = repeat === undefined ? null : scoreOf(repeat);
  const { lowest_accepted: lowest, state, tolerance, determinism } = verdict.repeat;
  return {
    name: verdict.winner,
    candidate: JSON.parse(JSON.stringify(candidate)) as PlainMap,
    seed: view.search.baseSeed,
    timesteps: view.search.plan('refine', verdict.winner, view.search.baseSeed, 0).timesteps,
    refine_score: refineScore ?? NaN,
    verify_score: score,
    reproduced: state === 'reproduced',
    tolerance,
    margin: score === null || lowest === null ? null : score - lowest,
    total_campaign_hours: spentS / 3600,
    verdict: verdict.word,
    estimate: verdict.estimate,
    n_seeds: verdict.plan.used,
    collapses: verdict.collapses,
    determinism_class: determinism,
  };
}

function valueText(value: unknown): string {
  return value === undefined ? '(not set)' : JSON.stringify(value);
}
