// Changing a gate: anybody drafts one, only a person confirms one. Core rooms left of contract may import it.
import { gateValues, type GateName } from '../../../src-protocol/files/contract.ts';
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import { adoptLedger, appendLedger, verifyLedger, type LedgerPorts } from '../ledger/ledger.ts';
import { withShortLock } from '../ledger/short-lock.ts';
import { schemaProblems } from '../workspace/schema-problems.ts';
import { editContract, readContract } from './contract-file.ts';
import { gateDigest, viewGates, type GateView } from './gates.ts';

export interface GateDraft {
  readonly gate: GateName;
  /** As the caller gave it: checked here, and written without the defaults. */
  readonly value: PlainMap;
  /** Kept as it is when absent. */
  readonly evidence?: readonly string[];
  readonly by: string;
}

/**
 * Writes a draft of a gate. A confirmed gate that says something else by it lapses, and a ledger line says so; the same value again leaves
 * it confirmed. Throws RefusalError: bad_input, and what reading the contract or a damaged ledger throws.
 */
export async function setGate(ports: LedgerPorts, root: string, draft: GateDraft): Promise<GateView> {
  const value = checkValue(draft);
  return underLock(ports, root, async () => {
    const before = await viewOne(ports, root, draft.gate);
    const isSame = before.digest === gateDigest(value);
    const isKept = isSame && before.state === 'confirmed';
    if (before.state === 'confirmed' && !isSame) {
      const facts = { gate: draft.gate, confirmed_digest: before.digest, digest: gateDigest(value) };
      await appendLedger(ports, root, { kind: 'gate_lapsed', by: draft.by, study: null, facts });
    }
    const contract = await readContract(ports.files, root);
    await editContract(ports.files, root, new Map([[draft.gate, {
      status: isKept ? 'confirmed' : 'draft',
      ...(isSame ? {} : { value: draft.value }),
      ...(draft.evidence === undefined ? {} : { evidence: draft.evidence }),
      confirmed: isKept ? contract.gates[draft.gate].confirmed : null,
    }]]));
    return viewOne(ports, root, draft.gate);
  });
}

export interface GateConfirmation {
  readonly gate: GateName;
  /** Name of the person. */
  readonly by: string;
  /** Digest of what the person was shown. */
  readonly digest?: string;
}

/**
 * Records that a person stands by a gate: the ledger line first, because it decides, then its mirror in contract.yaml. Confirming twice
 * writes once. Throws RefusalError: gate_missing, approval_lapsed (another value was shown), damaged.
 */
export async function confirmGate(ports: LedgerPorts, root: string, { gate, by, digest }: GateConfirmation): Promise<GateView> {
  return underLock(ports, root, async () => {
    const view = await viewOne(ports, root, gate);
    if (view.digest === null) return refuse('gate_missing', `The gate ${gate} has no value to confirm.`);
    if (digest !== undefined && digest !== view.digest) {
      return refuse('approval_lapsed', `The gate ${gate} changed since it was shown; nothing was confirmed.`, { next: 'Look at the gate again with `rlxp contract show`, then confirm it.' });
    }
    if (view.state === 'confirmed') return view;
    await adoptLedger(ports, root, by);
    const line = await appendLedger(ports, root, { kind: 'gate_confirmed', by, study: null, facts: { gate, digest: view.digest, value: view.value } });
    await editContract(ports.files, root, new Map([[gate, { status: 'confirmed', confirmed: { by, at: line.at, digest: view.digest } }]]));
    return viewOne(ports, root, gate);
  });
}

/** All gates as they stand, under no lock. */
export async function readGates(ports: LedgerPorts, root: string): Promise<readonly GateView[]> {
  const contract = await readContract(ports.files, root);
  const ledger = await verifyLedger(ports, root);
  return viewGates(contract, ledger.ok ? ledger.lines : []);
}

export function underLock<Result>(ports: LedgerPorts, root: string, work: () => Promise<Result>): Promise<Result> {
  return withShortLock(ports, { root, kind: 'contract', purpose: 'changing the contract' }, work);
}

async function viewOne(ports: LedgerPorts, root: string, gate: GateName): Promise<GateView> {
  const view = (await readGates(ports, root)).find((one) => one.gate === gate);
  if (view === undefined) throw new Error(`no gate ${gate}`);
  return view;
}

function checkValue(draft: GateDraft): Plain {
  const schema = gateValues[draft.gate];
  const parsed = schema.safeParse(draft.value);
  if (parsed.success) return parsed.data as Plain;
  return refuse('bad_input', `The value is no value of the gate ${draft.gate}.`, {
    problems: schemaProblems(parsed.error, { file: 'value', schema, value: draft.value, places: null }),
  });
}
