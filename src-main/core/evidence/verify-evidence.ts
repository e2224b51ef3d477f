// Verifies a bundle from its container to its verdict, without a repository, a key or a disk to unpack to. This room only.
// Rules: docs/specs/evidence.md.
import { createHash } from 'node:crypto';
import { evidenceIndex, type EvidenceIndex } from '../../../src-protocol/files/evidence-index.ts';
import type { CheckFinding } from '../../../src-protocol/check.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { checkEvents } from '../check/check-events.ts';
import { givenUpIn } from '../check/check-run.ts';
import { makeFindings } from '../check/findings.ts';
import { readRecordJournal } from '../check/journal-reading.ts';
import { readAmendments, wantsAllLooks } from '../campaign/amendments.ts';
import { drawFreshSeeds } from '../campaign/fresh-seeds.ts';
import { searchWith, usedSeeds } from '../campaign/open-campaign.ts';
import { approvalSentence, type ReadView } from '../campaign/read-campaign.ts';
import { readSelfTest } from '../campaign/self-test-run.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { studyFromApproved } from '../study/assemble-study.ts';
import { runPaths } from '../workspace/layout.ts';
import { readJsonFile } from '../workspace/read-file.ts';
import { makeAccount, type Account } from './account.ts';
import { makeBundleFiles, type BundleFiles } from './bundle-files.ts';
import { bundlePath, bundleRoot, indexName, isKnownName } from './bundle-place.ts';
import { recomputeConclusion } from './recompute-conclusion.ts';
import { recomputeSelfTest } from './recompute-self-test.ts';
import { recomputeTrials, type TrialsScope } from './recompute-trials.ts';
import { verifyApproval, verifyBudget, verifyChain, type ApprovedValues } from './verify-approval.ts';
import { readContainer, shown, spoiled, type ZipContainer } from './zip-container.ts';

const asPacked = 'Get the file again from where it was packed. If it says the same there, run `rlxp check` there: the study itself is not whole.';

type Verified = OutputOf<'evidence_verify'>;

/** Throws RefusalError: not_found, invalid_file, newer_schema, and `damaged` for a container that is not as it was written. */
export async function verifyEvidence(ports: Pick<Ports, 'files' | 'node'>, file: string): Promise<Verified> {
  const container = await readContainer(ports.files, file);
  const files = makeBundleFiles(ports.files, container);
  const index = await readIndex(files, container);
  await checkDigests(files, container, index);

  const account = makeAccount(index);
  for (const { what, why } of index.left_out) account.notComputed(what, why);
  const found = makeFindings(bundleRoot);
  found.study = index.study;
  const scope: TrialsScope = { ports: { files }, root: bundleRoot, found };
  const { program, study } = index;
  const checkedBy = programText({ name: 'rlxp-workbench', version: ports.node.version, commit: ports.node.commit });
  const verdict = await recompute(scope, { index, account, isSameProgram: programText(program) === checkedBy });
  const findings = found.all.filter((one) => !isCheckpointLeftOut(one, index)).map((one) => ({ ...one, file: one.file.replace(/^\.rlxp\//, ''), fix: asPacked, repairable: false }));
  const isBroken = findings.some((one) => one.severity === 'broken');
  return {
    file,
    study,
    state: isBroken ? 'broken' : account.isPartial ? 'in_part' : 'holds',
    made_by: programText(program),
    checked_by: checkedBy,
    entries: container.entries.length,
    bytes: container.sizeBytes,
    verdict,
    recomputed: [...account.recomputed],
    not_recomputed: [...account.notRecomputed],
    findings,
  };
}

async function readIndex(files: BundleFiles, { entries }: ZipContainer): Promise<EvidenceIndex> {
  if (entries.at(-1)?.name !== indexName) return spoiled(`${indexName} is not its last entry`);
  const index = await readJsonFile(files, bundlePath(indexName), evidenceIndex, { shownAs: indexName, maxBytes: 32 * 1024 * 1024 });
  const listed = new Map(index.entries.map((entry) => [entry.name, entry]));
  for (const { name, bytes } of entries.slice(0, -1)) {
    if (!isKnownName(index.study, name)) return spoiled(`${shown(name)} is no file of the study ${index.study}`);
    if (listed.get(name)?.bytes !== bytes) return spoiled(`${shown(name)} is not in its index with ${bytes} bytes`);
  }
  const held = new Set(entries.map((entry) => entry.name));
  const gone = index.entries.find(({ name }) => !held.has(name));
  if (gone !== undefined) return spoiled(`${shown(gone.name)} is in its index and not in the zip`);
  if (listed.size !== index.entries.length) return spoiled('its index names a file twice');
  return index;
}

/** Reads every entry to its end, so that length and checksum are held against each as well. */
async function checkDigests(files: BundleFiles, { entries }: ZipContainer, index: EvidenceIndex): Promise<void> {
  const wanted = new Map(index.entries.map((entry) => [entry.name, entry.sha256]));
  for (const entry of entries) {
    const hash = createHash('sha256');
    for await (const piece of files.content(entry)) hash.update(piece);
    if (entry.name !== indexName && hash.digest('hex') !== wanted.get(entry.name)) spoiled(`${shown(entry.name)} was changed: its SHA-256 is not the one in its index`);
  }
}

interface Recomputing {
  readonly index: EvidenceIndex;
  readonly account: Account;
  readonly isSameProgram: boolean;
}

async function recompute(scope: TrialsScope, { index, account, isSameProgram }: Recomputing): Promise<Verified['verdict']> {
  const { ports, root, found } = scope;
  const { study } = index;
  account.computed('digests of files', index.entries.length);
  const lines = await verifyChain(scope, account);
  const values = await verifyApproval(scope, { study, lines, account });
  const paths = runPaths(root, study);
  const journal = await readRecordJournal(ports.files, paths.trials);
  found.counts.trials += journal.good.length;
  if (journal.damage !== null) found.add('broken', paths.trials, `The line cannot be trusted: ${journal.damage.what}.`, { line: journal.damage.line });
  if (values === null || journal.damage !== null) return null;
  try {
    const budgetS = await verifyBudget(scope, { values, lines, account });
    const view = await openView(ports.files, { values, records: journal.good, index, account, budgetS });
    checkSeeds(scope, view, index);
    await recomputeTrials(scope, view, account);
    await recomputeSelfTest(scope, view, account);
    await checkEvents(scope, paths, { records: view.records, givenUp: givenUpIn(lines, study), isLive: false });
    const expected = await recomputeConclusion(scope, { view, lines, account, isSameProgram });
    return expected.verdict === null ? null : shortOf(expected.verdict);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    found.refused(paths.folder, error.refusal);
    return null;
  }
}

interface ViewParts {
  readonly values: ApprovedValues;
  readonly records: readonly TrialRecord[];
  readonly index: EvidenceIndex;
  readonly account: Account;
  readonly budgetS: number;
}

/** The study as every door sees it, but for the draw of fresh seeds, which needs the machine's key. */
async function openView(files: BundleFiles, { values, records, index, account, budgetS }: ViewParts): Promise<ReadView> {
  const { approval, approved } = values;
  const study = studyFromApproved(approved, bundleRoot);
  const paths = runPaths(bundleRoot, study.name);
  const count = study.stages.verify.looks.at(-1) ?? 0;
  const isBundled = approval.kind === 'bundled-example';
  const used = isBundled ? [] : index.fresh_seeds;
  // Seeds that nobody trained on stand for the unseen ones: no record can be theirs.
  const rest = drawFreshSeeds({ machineKey: null, subject: isBundled ? study.name : 'unseen', count: Math.max(0, count - used.length), taken: new Set([...usedSeeds(study), ...used, ...(isBundled ? [] : records.map((record) => record.seed))]) });
  if (!isBundled && used.length > 0) account.notComputed('the draw of the fresh seeds', 'it needs the key of the machine that drew them');
  return {
    study,
    search: searchWith(study, [...used, ...rest]),
    records,
    selfTest: await readSelfTest({ ports: { files }, paths }),
    isCompletingLooks: wantsAllLooks(await readAmendments(files, paths.folder)),
    budgetS,
    approvalText: approvalSentence(approval),
  };
}

function checkSeeds({ root, found }: TrialsScope, { search, study, records }: ReadView, index: EvidenceIndex): void {
  const { trials } = runPaths(root, study.name);
  const fresh = new Set(search.freshSeeds);
  const before = usedSeeds(study);
  if (new Set(index.fresh_seeds).size !== index.fresh_seeds.length || index.fresh_seeds.some((seed) => before.has(seed))) found.add('broken', trials, 'A fresh seed was used before.');
  for (const [line, record] of records.entries()) {
    const isFresh = record.stage === 'verify' && record.repeat === 0;
    if (isFresh && !fresh.has(record.seed)) found.add('broken', trials, `${record.folder} was trained on a seed that is none of the study's fresh ones.`, { line: line + 1 });
  }
}

function isCheckpointLeftOut(finding: CheckFinding, index: EvidenceIndex): boolean {
  return finding.severity === 'warning' && finding.message.startsWith('The checkpoint of ') && !index.entries.some(({ name }) => name === finding.file.replace(/^\.rlxp\//, ''));
}

function shortOf(verdict: string): Verified['verdict'] {
  const { word, headline } = JSON.parse(verdict) as NonNullable<Verified['verdict']>;
  return { word, headline };
}

function programText({ name, version, commit }: EvidenceIndex['program']): string {
  return `${name} ${version}${commit === null ? '' : ` (${commit.slice(0, 12)})`}`;
}
