// report.md: what a campaign concluded, for people, from values alone. Rooms from report leftwards may import it.
import { countText } from '../../../src-protocol/count-text.ts';
import type { ManifestFile } from '../../../src-protocol/files/manifest.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { VerdictFile } from '../../../src-protocol/files/verdict.ts';
import type { CandidateCauses, RankingRow } from '../../../src-protocol/ranking.ts';
import { causesSection } from './causes-section.ts';
import { durationText, numberText } from './number-text.ts';
import { seedsSection } from './seeds-section.ts';
import { markdownTable } from './table.ts';

export interface ReportInput {
  readonly study: string;
  /** Null while the campaign has not concluded. */
  readonly verdict: VerdictFile | null;
  /** Stands in the title's place while there is no verdict. */
  readonly statusText: string;
  readonly records: readonly TrialRecord[];
  readonly ranking: readonly RankingRow[];
  readonly causes: readonly CandidateCauses[];
  /** Candidate -> its changes against the baseline, each as `path: before -> after`. */
  readonly changes: Readonly<Record<string, readonly string[]>>;
  readonly noiseText: string;
  readonly selfTestText: string;
  readonly warnings: readonly string[];
  readonly manifest: ManifestFile | null;
  readonly approvalText: string;
  readonly spentS: number;
}

export function reportMarkdown(input: ReportInput): string {
  return [
    headSection(input),
    seedsSection(input.verdict),
    rankingSection(input),
    causesSection(input.causes),
    changesSection(input),
    trialsSection(input.records.filter((record) => record.stage !== 'extra')),
    extraSection(input.records.filter((record) => record.stage === 'extra')),
    checksSection(input),
    provenanceSection(input),
  ]
    .filter((section) => section !== null)
    .join('\n\n')
    .concat('\n');
}

function headSection({ study, verdict, statusText }: ReportInput): string {
  if (verdict === null) return `# ${study}: no verdict yet\n\n${statusText}`;
  const bullets = verdict.sentences.map((sentence) => `- ${sentence}`).join('\n');
  return `# ${study}: ${verdict.word.replaceAll('_', ' ')}\n\n**${verdict.headline}**\n\n${bullets}`;
}

function rankingSection({ ranking }: ReportInput): string | null {
  if (ranking.length === 0) return null;
  const rows = ranking.map((row) => [
    row.rank === null ? '-' : String(row.rank),
    row.candidate,
    row.stage,
    numberText(row.score),
    row.score_low === null ? '' : `${numberText(row.score_low)} to ${numberText(row.score_high)}`,
    row.t90_steps === null ? '-' : String(Math.round(row.t90_steps)),
    row.note,
  ]);
  const table = markdownTable(['#', 'candidate', 'stage', 'score', 'episodes say', 't90 (steps)', 'note'], rows, { right: [0, 3, 5] });
  return `## Ranking\n\nRefined candidates first, then those that stayed in screen at its smaller budget. One training run each, so neighbours may swap with another seed; the verdict above does not rest on this table.\n\n${table}`;
}

function changesSection({ changes }: ReportInput): string {
  const rows = Object.entries(changes).map(([name, list]) => [name, list.length === 0 ? '(as it is)' : list.map((change) => `\`${change}\``).join(', ')]);
  return `## What each candidate changes\n\n${markdownTable(['candidate', 'changes'], rows)}`;
}

function trialsSection(records: readonly TrialRecord[]): string | null {
  if (records.length === 0) return null;
  return `## Trials\n\nt90: time until the smoothed training reward had made 90 % of its own gain.\n\n${trialsTable(records)}${whyEarly(records)}`;
}

function extraSection(records: readonly TrialRecord[]): string | null {
  if (records.length === 0) return null;
  return `## Extra trials\n\nAsked for one by one, at a budget of their own. They enter neither the ranking nor the verdict.\n\n${trialsTable(records)}${whyEarly(records)}`;
}

function trialsTable(records: readonly TrialRecord[]): string {
  const rows = records.map((record) => [
    record.folder.split('/').at(-1) ?? record.folder,
    record.rule === null ? record.status : `${record.status} (${record.rule})`,
    String(record.steps),
    (record.wall_s / 60).toFixed(2),
    numberText(record.train_reward_min),
    numberText(record.train_reward_final),
    numberText(record.evaluation?.metrics['return'] ?? record.evaluation?.score ?? null),
    record.evaluation?.success_rate == null ? '-' : numberText(record.evaluation.success_rate),
    record.t90_s === null ? '-' : `${numberText(record.t90_s)} s`,
    numberText(record.evaluation?.score ?? null),
  ]);
  const head = ['trial', 'status', 'steps', 'minutes', 'lowest train reward', 'final train reward', 'eval return', 'success rate', 't90', 'score'];
  return markdownTable(head, rows, { right: [2, 3, 4, 5, 6, 7, 8, 9] });
}

function whyEarly(records: readonly TrialRecord[]): string {
  const early = records.filter((record) => record.status !== 'completed').map((record) => `- \`${record.folder.split('/').at(-1) ?? ''}\`: ${record.reason.text}`);
  return early.length === 0 ? '' : `\n\nWhy trials ended before their last step:\n\n${early.join('\n')}`;
}

function checksSection({ noiseText, selfTestText, warnings }: ReportInput): string {
  const lines = [`- Noise: ${noiseText}`, `- Evaluator self-test: ${selfTestText}`, ...warnings.map((text) => `- Warning: ${text}`)];
  return `## Checks\n\n${lines.join('\n')}`;
}

function provenanceSection({ manifest, approvalText, spentS, records }: ReportInput): string {
  const lines = [`- Approval: ${approvalText}`, `- Device time: ${durationText(spentS)} for ${countText(records.length, 'trial')}`];
  if (manifest !== null) {
    const { repository, program, hardware } = manifest;
    const commit = repository === null ? 'not under git' : repository.commit === null ? 'under git, without a commit' : `commit ${repository.commit.slice(0, 12)}${repository.dirty === true ? ', with uncommitted changes' : ''}`;
    lines.push(
      `- Run: ${manifest.run_id}, started ${manifest.started_at}`,
      `- Repository: ${commit}`,
      `- Program: ${program.name} ${program.version}${program.commit === null ? '' : ` (${program.commit.slice(0, 12)})`}`,
      `- Machine: ${hardware.cpu_model}, ${hardware.usable_cores} usable cores, ${hardware.platform} ${hardware.architecture}, Node ${hardware.node}`,
    );
  }
  return `## Provenance\n\n${lines.join('\n')}`;
}
