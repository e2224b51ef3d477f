// The eight gates as they stand: what each says, whether a person stands by it, and what changed since. Core rooms left of contract may import it.
import { gateNames, type ContractFile, type GateName } from '../../../src-protocol/files/contract.ts';
import type { LedgerLine } from '../../../src-protocol/files/ledger.ts';
import type { Plain } from '../../../src-protocol/files/plain.ts';
import type { Difference } from '../../../src-protocol/refusal.ts';
import { linesThatCount } from '../ledger/ledger.ts';
import { digest } from '../provenance/canonical-json.ts';
import { differencesBetween } from './differences.ts';

/** `lapsed`: the file says confirmed, but not for this content or not on this machine. */
export type GateState = 'missing' | 'draft' | 'confirmed' | 'lapsed';

export interface GateView {
  readonly gate: GateName;
  readonly state: GateState;
  /** The value with its defaults filled in; null when the gate has none. */
  readonly value: Plain;
  readonly evidence: readonly string[];
  /** Digest of the value; null when the gate has none. */
  readonly digest: string | null;
  /** Who stands by it; null unless the state is confirmed. */
  readonly confirmed: { readonly by: string; readonly at: string } | null;
  /** What changed since it was confirmed; empty unless the state is lapsed. */
  readonly differences: readonly Difference[];
  /** Completes "The gate budget ...". */
  readonly text: string;
}

/** Every gate, judged against the confirmations in the ledger: contract.yaml only mirrors them. */
export function viewGates(contract: ContractFile, ledger: readonly LedgerLine[]): readonly GateView[] {
  const lines = linesThatCount(ledger);
  return gateNames.map((gate) => viewGate(gate, contract, lines));
}

/** The digest that a confirmation and an approval are bound to: of the value alone, so comments, order and evidence do not count. */
export function gateDigest(value: unknown): string {
  return digest(value);
}

function viewGate(gate: GateName, contract: ContractFile, lines: readonly LedgerLine[]): GateView {
  const { status, value, evidence, confirmed } = contract.gates[gate];
  const now = value === null ? null : gateDigest(value);
  const backing = lastConfirmation(gate, lines);
  const view = { gate, value: value as Plain, evidence, digest: now, confirmed: null, differences: [] };
  if (status !== 'confirmed') {
    const isEmpty = value === null;
    return { ...view, state: isEmpty ? 'missing' : 'draft', text: isEmpty ? 'has no value yet' : 'is a draft that nobody confirmed' };
  }
  if (now !== null && confirmed?.digest === now && backing?.digest === now) {
    return { ...view, state: 'confirmed', confirmed: { by: confirmed.by, at: confirmed.at }, text: `was confirmed by ${confirmed.by}` };
  }
  if (backing === null) {
    const here = { what: gate, approved: null, now: 'no confirmation of it in the ledger of this machine' };
    return { ...view, state: 'lapsed', differences: [here], text: 'says confirmed, but the ledger of this machine holds no confirmation of it' };
  }
  const differences = backing.digest === now ? mirrorDiffers(gate) : valueDiffers(gate, backing, value);
  return { ...view, state: 'lapsed', differences, text: 'changed after it was confirmed' };
}

interface Confirmation {
  readonly digest: string;
  /** The value that was confirmed; undefined when the ledger holds its digest only. */
  readonly value: Plain | undefined;
}

/** A gate is confirmed by its own line, or together with the others by an approval of a bundled example. */
function lastConfirmation(gate: GateName, lines: readonly LedgerLine[]): Confirmation | null {
  for (const line of lines.toReversed()) {
    const found = confirmationIn(gate, line);
    if (found !== null) return found;
  }
  return null;
}

function confirmationIn(gate: GateName, line: LedgerLine): Confirmation | null {
  if (line.kind === 'gate_confirmed' && line.facts['gate'] === gate) return { digest: String(line.facts['digest']), value: line.facts['value'] };
  const gates = line.kind === 'experiment_approved' ? line.facts['gates'] : undefined;
  if (typeof gates !== 'object' || gates === null || Array.isArray(gates)) return null;
  const found = (gates as Readonly<Record<string, Plain>>)[gate];
  return typeof found === 'string' ? { digest: found, value: undefined } : null;
}

function valueDiffers(gate: GateName, backing: Confirmation, value: unknown): readonly Difference[] {
  if (backing.value === undefined) return [{ what: gate, approved: `digest ${backing.digest.slice(0, 12)}`, now: 'another value' }];
  return differencesBetween(gate, backing.value, value ?? undefined);
}

function mirrorDiffers(gate: GateName): readonly Difference[] {
  return [{ what: `${gate}: its confirmation in contract.yaml`, approved: 'as the ledger holds it', now: 'edited by hand' }];
}
