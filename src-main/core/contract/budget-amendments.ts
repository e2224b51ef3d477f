// The budget in force: what the approval says, and every amendment beside it that is genuine. Core rooms left of contract may import it.
import { budgetAmendment, type BudgetAmendment, type BudgetTerms } from '../../../src-protocol/files/budget-amendment.ts';
import type { LedgerLine } from '../../../src-protocol/files/ledger.ts';
import { verifyLedger } from '../ledger/ledger.ts';
import { digest, digestText } from '../provenance/canonical-json.ts';
import { isSealOf, machineMark, makeSeal } from '../provenance/seal.ts';
import { approvalPaths } from './approval-paths.ts';
import { approvedTerms, isRaise } from './budget-terms.ts';
import type { JournalFile } from '../../ports.ts';
import type { ApprovalPorts, Genuine } from './open-approval.ts';

/** Where trust in budget.jsonl ends: this line and everything after it count for nothing. */
export interface BudgetDoubt {
  /** 1-based. */
  readonly line: number;
  readonly what: string;
  /** Sealed on another machine, and not spoilt for all we know. */
  readonly isForeign: boolean;
}

export interface BudgetReading {
  /** What may be spent now. */
  readonly terms: BudgetTerms;
  /** Every genuine amendment, also those of an earlier approval of the study, oldest first. */
  readonly amendments: readonly BudgetAmendment[];
  readonly doubt: BudgetDoubt | null;
  /** Digests of amendments that the ledger tells of and the file does not hold: they are not in force. */
  readonly missing: readonly string[];
}

const domain = 'rlxp budget amendment v1';

/** The ledger must be one that can be trusted: whoever opened the approval has asked. */
export async function readBudget(ports: ApprovalPorts, root: string, of: Pick<Genuine, 'approval' | 'approved'>): Promise<BudgetReading> {
  const { study } = of.approval.subject;
  const journal = await ports.files.readJournal(approvalPaths(root, study).budget);
  return judgeBudget({ of, journal, lines: (await verifyLedger(ports, root)).lines, key: await ports.secrets.machineKey() });
}

export interface BudgetEvidence {
  readonly of: Pick<Genuine, 'approval' | 'approved'>;
  readonly journal: JournalFile;
  /** The ledger's, as far as it can be trusted. */
  readonly lines: readonly LedgerLine[];
  /** Null on a machine that only holds a copy: seals are not judged then, everything else is. */
  readonly key: Uint8Array | null;
}

export function judgeBudget({ of, journal, lines, key }: BudgetEvidence): BudgetReading {
  const { study } = of.approval.subject;
  const told = toldByLedger(lines, study);
  const machine = key === null ? of.approval.machine : machineMark(key);
  const amendments: BudgetAmendment[] = [];
  let terms = approvedTerms(of.approved);
  let doubt: BudgetDoubt | null = null;
  for (const { number: line, value } of journal.lines) {
    const parsed = budgetAmendment.safeParse(value);
    const what = parsed.success ? doubtOf(parsed.data, { before: amendments.at(-1), study, key, machine, told }) : 'it is no amendment of a budget';
    const isCurrent = parsed.success && parsed.data.approval === of.approval.digest;
    const isWrongRaise = isCurrent && (digest(parsed.data.before) !== digest(terms) || !isRaise(terms, parsed.data.budget));
    if (!parsed.success || what !== null || isWrongRaise) {
      doubt = { line, what: what ?? 'it is no raise of what was in force', isForeign: parsed.success && machine !== null && parsed.data.machine !== machine };
      break;
    }
    amendments.push(parsed.data);
    if (isCurrent) terms = parsed.data.budget;
  }
  if (doubt === null && journal.damage !== null) doubt = { line: journal.damage.line, what: `it is ${journal.damage.reason}`, isForeign: false };
  const held = new Set(amendments.map((one) => one.digest));
  return { terms, amendments, doubt, missing: [...told].filter((one) => !held.has(one)) };
}

/** Binds an answer to the budget that was shown. */
export function budgetDigest({ terms, amendments }: Pick<BudgetReading, 'terms' | 'amendments'>): string {
  return digest({ terms, last: amendments.at(-1)?.digest ?? null });
}

export function amendmentDigest({ seq, study, approval, before, budget, prev }: Pick<BudgetAmendment, 'seq' | 'study' | 'approval' | 'before' | 'budget' | 'prev'>): string {
  return digest({ seq, study, approval, before, budget, prev });
}

export function sealAmendment(key: Uint8Array, one: Pick<BudgetAmendment, 'digest' | 'by' | 'at'>): Pick<BudgetAmendment, 'machine' | 'seal'> {
  return { machine: machineMark(key), seal: makeSeal(key, domain, sealedFields(one)) };
}

/** What the next line's `prev` must be. */
export function chainedTo(last: BudgetAmendment | undefined): string {
  return last?.digest ?? digestText('');
}

interface Around {
  readonly before: BudgetAmendment | undefined;
  readonly study: string;
  readonly key: Uint8Array | null;
  /** Mark of the machine whose seals count; null when that is not known. */
  readonly machine: string | null;
  readonly told: ReadonlySet<string>;
}

/** Null when it is genuine: in its place in the chain, as it was sealed, and told by the ledger. */
function doubtOf(one: BudgetAmendment, { before, study, key, machine, told }: Around): string | null {
  if (one.study !== study) return `it amends ${one.study}`;
  if (one.seq !== (before === undefined ? 0 : before.seq + 1) || one.prev !== chainedTo(before)) return 'it does not follow the line before: one was lost, repeated or moved';
  if (amendmentDigest(one) !== one.digest) return 'its digest is not that of what it says';
  if (machine !== null && one.machine !== machine) return `${one.by} sealed it on another machine`;
  if (key !== null && !isSealOf(one.seal, key, domain, sealedFields(one))) return 'its seal does not hold';
  return told.has(one.digest) ? null : 'the ledger holds no line of it';
}

function sealedFields({ digest: sealed, by, at }: Pick<BudgetAmendment, 'digest' | 'by' | 'at'>): readonly unknown[] {
  return [sealed, by, at];
}

/** Of this run: what was amended before it was set aside stays with the run that was. */
function toldByLedger(lines: readonly LedgerLine[], study: string): ReadonlySet<string> {
  const ours = lines.filter((line) => line.study === study);
  const sinceArchived = ours.slice(ours.findLastIndex((line) => line.kind === 'archived') + 1);
  return new Set(sinceArchived.flatMap(({ kind, facts }) => (kind === 'amendment' && facts['what'] === budgetFact && typeof facts['digest'] === 'string' ? [facts['digest']] : [])));
}

/** `what` of a ledger line `amendment` that is about the budget alone. */
export const budgetFact = 'budget';
