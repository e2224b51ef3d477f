// What verdict.json, winner.json and report.md must say, from the records alone, and whether they do. This room and evidence.
import { winnerFile } from '../../../src-protocol/files/verdict.ts';
import type { ManifestFile } from '../../../src-protocol/files/manifest.ts';
import type { Files } from '../../ports.ts';
import { conclusionTexts } from '../campaign/conclude.ts';
import { nextStepOf, readVerdict } from '../campaign/judges.ts';
import type { ReadView } from '../campaign/read-campaign.ts';
import type { RunPaths } from '../workspace/layout.ts';
import { byRepair, type FileScope } from './findings.ts';

export interface Expected {
  /** `open`: there is more to train, so nothing is concluded yet. */
  readonly kind: 'concluded' | 'blocked' | 'open';
  readonly text: string;
  /** Null: the file must not be there. */
  readonly verdict: string | null;
  readonly winner: string | null;
  readonly report: string | null;
}

export function expectedConclusion(view: ReadView, facts: { readonly spentS: number; readonly manifest: ManifestFile | null }): Expected {
  const step = nextStepOf(view);
  if (step.kind !== 'conclude' && step.kind !== 'blocked') return { kind: 'open', text: 'more is to be trained', verdict: null, winner: null, report: null };
  const verdict = step.kind === 'conclude' ? readVerdict(view, step.winner) : null;
  const statusText = step.kind === 'blocked' ? step.reason : (verdict?.headline ?? '');
  const texts = conclusionTexts({ view, verdict, statusText, manifest: facts.manifest, approvalText: view.approvalText, spentS: facts.spentS });
  return { kind: step.kind === 'blocked' ? 'blocked' : 'concluded', text: statusText, ...texts };
}

export interface ConclusionCheck {
  readonly view: ReadView;
  readonly expected: Expected;
  /** campaign.json says that the campaign came to its end. */
  readonly mustConclude: boolean;
  /** Of a report whose last section alone is another: an approval that was renewed afterwards makes one. */
  readonly provenance: 'warning' | 'broken';
}

export async function checkConclusion({ ports, found }: FileScope, paths: RunPaths, { view, expected, mustConclude, provenance }: ConclusionCheck): Promise<void> {
  // All looks were asked for after a verdict: it stands until they are trained.
  if (expected.kind === 'open' && view.isCompletingLooks) return;
  if (expected.kind === 'open' && mustConclude) found.add('broken', paths.campaign, 'It says that the campaign came to its end, and its records do not.', { repairable: true });
  for (const { path, before, otherLine } of await standingOf(ports.files, paths, expected)) {
    if (before !== 'missing') found.counts.files += 1;
    if (before === 'unfounded' && path !== paths.report) found.add('broken', path, 'It stands here, and the records do not conclude it.', { fix: byRepair, repairable: true });
    if (before === 'missing' && mustConclude) found.add('broken', path, 'It is missing, although the campaign came to its end.', { fix: 'Run `rlxp check --repair`: it derives from the records.', repairable: true });
    if (before === 'different' && otherLine === null) found.add('broken', path, 'It is not what the records say.', { fix: byRepair, repairable: true });
    if (before === 'different' && otherLine !== null) found.add(provenance, path, `Its section on provenance is not what manifest and approval say: "${otherLine}".`, { fix: byRepair, repairable: true });
  }
}

export interface StandingFile {
  readonly path: string;
  /** Null: it must not be there. */
  readonly text: string | null;
  /** What stands there now, times aside. */
  readonly before: 'equal' | 'different' | 'missing' | 'unfounded';
  /** The first line of a report's section on provenance that is another, where the rest of it is the same; null otherwise. */
  readonly otherLine: string | null;
}

/** The three files that derive from the records, where one stands or must stand. */
export async function standingOf(files: Pick<Files, 'stat' | 'readText'>, paths: RunPaths, expected: Expected): Promise<readonly StandingFile[]> {
  const wanted = [
    { path: paths.verdict, text: expected.verdict, isSame: isEqual },
    { path: paths.winner, text: expected.winner, isSame: isSameWinner },
    { path: paths.report, text: expected.report, isSame: isSameReport },
  ];
  const standing: StandingFile[] = [];
  for (const { path, text, isSame } of wanted) {
    const now = await textOf(files, path);
    if (text === null && now !== null) standing.push({ path, text, before: 'unfounded', otherLine: null });
    if (text === null) continue;
    const isRest = now !== null && isSame(now, text);
    const otherLine = isRest && path === paths.report ? otherProvenance(now, text) : null;
    standing.push({ path, text, before: now === null ? 'missing' : isRest && otherLine === null ? 'equal' : 'different', otherLine });
  }
  return standing;
}

/** Null when there is none; what is no text reads as something else than any text of ours. */
async function textOf(files: Pick<Files, 'stat' | 'readText'>, path: string): Promise<string | null> {
  if ((await files.stat(path)) === null) return null;
  return files.readText(path).catch(() => '');
}

function isEqual(now: string, wanted: string): boolean {
  return now === wanted;
}

/** The hours spent are a time, no result. */
function isSameWinner(now: string, wanted: string): boolean {
  const hours = hoursIn(now);
  return hours !== null && now === wanted.replace(hoursPattern, () => `"total_campaign_hours": ${hours}`) && isWinner(now);
}

const hoursPattern = /"total_campaign_hours": ([^,\n]+)/;

function hoursIn(text: string): string | null {
  return hoursPattern.exec(text)?.[1] ?? null;
}

function isWinner(text: string): boolean {
  try {
    return winnerFile.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** The last section, which tells when and where it ran, is compared by its lines. */
function isSameReport(now: string, wanted: string): boolean {
  return beforeProvenance(now) === beforeProvenance(wanted);
}

const provenanceHead = '\n## Provenance\n';

function beforeProvenance(text: string): string {
  return text.split(provenanceHead)[0] ?? '';
}

/** The time spent is what it was when the report was written. Without a manifest only the approval's line can be held to anything. */
function otherProvenance(now: string, wanted: string): string | null {
  const hasManifest = linesOf(wanted).some((line) => line.startsWith('- Run:'));
  const [here, there] = [linesOf(now), linesOf(wanted)].map((lines) => (hasManifest ? lines : lines.filter((line) => line.startsWith('- Approval:')))) as [readonly string[], readonly string[]];
  const index = Array.from({ length: Math.max(here.length, there.length) }, (_, at) => at).find((at) => here[at] !== there[at]);
  return index === undefined ? null : (here[index] ?? `${there[index] ?? ''} is missing`);
}

function linesOf(text: string): readonly string[] {
  return (text.split(provenanceHead)[1] ?? '').split('\n').map((line) => line.replace(/^- Device time: .* for /, '- Device time: ... for '));
}
