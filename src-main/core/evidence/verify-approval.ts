// What was approved, by its digests, and the ledger, by its chain: as far as both can be told without a key. This room only.
import { countText } from '../../../src-protocol/count-text.ts';
import path from 'node:path';
import { approvalFile, approvedFile, type ApprovalFile, type ApprovedFile } from '../../../src-protocol/files/approval.ts';
import type { LedgerLine } from '../../../src-protocol/files/ledger.ts';
import { studyFile } from '../../../src-protocol/files/study.ts';
import type { FileScope } from '../check/findings.ts';
import { approvalPaths } from '../contract/approval-paths.ts';
import { judgeBudget } from '../contract/budget-amendments.ts';
import { limitSeconds } from '../contract/budget-terms.ts';
import { subjectOf } from '../contract/live.ts';
import { readChain } from '../ledger/chain.ts';
import { compare, parseHead } from '../ledger/head.ts';
import { digest } from '../provenance/canonical-json.ts';
import { projectPaths } from '../workspace/layout.ts';
import { tryJsonFile, tryYamlFile } from '../workspace/read-file.ts';
import { bundleName, bundleRoot } from './bundle-place.ts';
import type { Account } from './account.ts';
import type { BundleFiles } from './bundle-files.ts';

/** The good lines of the ledger. */
export async function verifyChain({ ports, root, found }: FileScope, account: Account): Promise<readonly LedgerLine[]> {
  const { ledger, ledgerHead } = projectPaths(root);
  if ((await ports.files.stat(ledger)) === null) {
    found.add('broken', ledger, 'There is no ledger, so nothing shows what was approved.');
    return [];
  }
  const chain = readChain(await ports.files.readBytes(ledger));
  found.counts.ledger_lines += chain.lines.length;
  if (account.isRedacted(ledger)) {
    account.notComputed('the chain of the ledger', 'something that looks like a secret was blotted out of it');
    return chain.lines;
  }
  if (chain.damage !== null) found.add('broken', ledger, `It was changed: ${chain.damage.what}.`, { line: chain.damage.line });
  if (chain.tornBytes > 0) found.add('warning', ledger, `It ends in ${countText(chain.tornBytes, 'byte')} of a write that a crash cut short.`);
  const head = (await ports.files.stat(ledgerHead)) === null ? null : parseHead(await ports.files.readText(ledgerHead));
  const judgement = head === null ? null : compare(chain, head);
  if (judgement === null) found.add('broken', ledgerHead, 'The head of the ledger is missing or unreadable: a cut at its end would not show.');
  else if (judgement.state !== 'sound' && judgement.state !== 'unfinished') found.add('broken', ledger, judgement.text);
  account.computed('links of the ledger\'s chain', chain.lines.length);
  account.notComputed('the seals of approval and ledger', 'they hold under the key of the machine that made them; check them there with `rlxp check` and `rlxp ledger verify`');
  return chain.lines;
}

interface BudgetScope extends FileScope {
  readonly ports: { readonly files: BundleFiles };
}

export interface ApprovedValues {
  readonly approval: ApprovalFile;
  readonly approved: ApprovedFile;
}

/** Null when nothing can be computed from them. */
export async function verifyApproval({ ports, root, found }: FileScope, about: { readonly study: string; readonly lines: readonly LedgerLine[]; readonly account: Account }): Promise<ApprovedValues | null> {
  const { study, lines, account } = about;
  const paths = approvalPaths(root, study);
  const approval = await tryJsonFile(ports.files, paths.approval, approvalFile);
  const values = await tryJsonFile(ports.files, paths.approved, approvedFile);
  if (!approval.ok) found.refused(paths.approval, approval.refusal);
  if (!values.ok) found.refused(paths.approved, values.refusal);
  if (!approval.ok || !values.ok) return null;
  const { subject, digest: sealed } = approval.file;
  if (account.isRedacted(paths.approval) || account.isRedacted(paths.approved)) {
    account.notComputed('the digest of what was approved', 'something that looks like a secret was blotted out of it');
    return { approval: approval.file, approved: values.file };
  }
  if (subject.study !== study) found.add('broken', paths.approval, `It is an approval of the study ${subject.study}.`);
  if (digest(subject) !== sealed) found.add('broken', paths.approval, 'Its digest is not that of what it lists.');
  if (digest(subjectOf(study, values.file, { snapshot: subject.snapshot, packages: subject.packages_digest })) !== sealed) found.add('broken', paths.approved, 'Its values are not those that were approved.');
  const isTold = lines.some((line) => (line.kind === 'experiment_approved' || line.kind === 'amendment') && line.study === study && line.facts['digest'] === sealed);
  if (!isTold) found.add('broken', paths.approval, 'The ledger holds no line of this approval.');
  await verifyFrozen({ ports, root, found }, { study: paths.study, digest: subject.study_digest });
  account.computed('digests of what was approved', 3 + Object.keys(subject.gates).length);
  account.notComputed('the digests of the task\'s code and of its packages', `neither is in the bundle (${countText(subject.snapshot.length, 'file')} of code, listed in approval.json); compare them with a checkout of the commit in ${bundleName(bundleRoot, path.join(paths.folder, 'manifest.json'))}`);
  return { approval: approval.file, approved: values.file };
}

async function verifyFrozen({ ports, found }: FileScope, frozen: { readonly study: string; readonly digest: string }): Promise<void> {
  const reading = await tryYamlFile(ports.files, frozen.study, studyFile);
  if (!reading.ok) return found.refused(frozen.study, reading.refusal);
  const value: unknown = JSON.parse(JSON.stringify(reading.file.value));
  if (digest(value) !== frozen.digest) found.add('broken', frozen.study, 'It is not the study that was approved.');
}

/** Seconds that could be spent: the approval's, and what the amendments beside it raised. Infinite where they were blotted out. */
export async function verifyBudget({ ports, root, found }: BudgetScope, about: { readonly values: ApprovedValues; readonly lines: readonly LedgerLine[]; readonly account: Account }): Promise<number> {
  const { values, lines, account } = about;
  const path = approvalPaths(root, values.approval.subject.study).budget;
  const journal = await ports.files.readJournal(path);
  if (account.isRedacted(path)) {
    account.notComputed('the amendments of the budget', 'something that looks like a secret was blotted out of them');
    return Infinity;
  }
  const { terms, doubt, missing, amendments } = judgeBudget({ of: values, journal, lines, key: null });
  if (doubt !== null) found.add(doubt.isForeign ? 'warning' : 'broken', path, `${doubt.what}; it and every later line count for nothing.`, { line: doubt.line });
  else if (missing.length > 0) found.add('warning', path, `The ledger tells of ${countText(missing.length, 'amendment of the budget that is', 'amendments of the budget that are')} not here: a crash or a cut. ${missing.length === 1 ? 'It is' : 'They are'} not in force.`);
  account.computed('amendments of the budget', amendments.length);
  return limitSeconds(terms);
}
