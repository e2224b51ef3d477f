// The tools of the contract: contract_show, gate_set, gate_confirm, study_approve, approval_check. The workbench imports it.
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import type { Handler } from '../dispatch/handler.ts';
import { digest as digestOfSubject } from '../provenance/canonical-json.ts';
import { readApprovable } from './approvable.ts';
import { approve, type ApprovePorts } from './approval.ts';
import { budgetDigest, readBudget } from './budget-amendments.ts';
import { checkApproval, checkLive, type ApprovalCheck } from './check-approval.ts';
import { readContract } from './contract-file.ts';
import { confirmGate, readGates, setGate } from './gate-changes.ts';
import { gateExamples, gateQuestions } from './gate-questions.ts';
import { openApproval } from './open-approval.ts';
import { setAsideAlone } from './set-aside.ts';
import type { GateState, GateView } from './gates.ts';

export const contractShow: Handler<'contract_show'> = async ({ root }, { ports }) => {
  const { project } = await readContract(ports.files, root);
  const gates = await readGates(ports, root);
  return { project, gates: gates.map(showGate) };
};

export const gateSet: Handler<'gate_set'> = async ({ root, gate, value, evidence }, { ports, caller }) => {
  const view = await setGate(ports, root, { gate, value, by: caller.by, ...(evidence === undefined ? {} : { evidence }) });
  return { gate, status: shownStatus(view.state), value: mapOf(view), digest: digestOf(view) };
};

export const gateConfirm: Handler<'gate_confirm'> = async ({ root, gate, digest }, { ports, caller }) => {
  const view = await confirmGate(ports, root, { gate, by: caller.by, ...(digest === undefined ? {} : { digest }) });
  if (view.confirmed === null) throw new Error(`the gate ${gate} is not confirmed after it was`);
  const { gates } = await readContract(ports.files, root);
  const open = (await readGates(ports, root)).filter((one) => one.state !== 'confirmed').map((one) => ({ gate: one.gate, status: shownStatus(one.state) }));
  return { gate, value: mapOf(view), by: view.confirmed.by, at: view.confirmed.at, digest: digestOf(view), open, study: gates.experiment.value?.study ?? null };
};

export const studyApprove: Handler<'study_approve'> = async ({ root, study, agents_may_start, fresh, digest }, { ports, caller }) => {
  if (fresh) {
    await readApprovable(ports, root, study);
    await setAsideAlone(ports, root, { study, by: caller.by });
  }
  const approval = await approve(ports, root, { study, by: caller.by, agentsMayStart: agents_may_start, ...(digest === undefined ? {} : { digest }) });
  return { study, by: approval.by, at: approval.at, digest: approval.digest, agents_may_start: approval.agents_may_start, files: approval.subject.snapshot.length };
};

export const approvalCheck: Handler<'approval_check'> = async ({ root, study }, { ports }) => {
  await readContract(ports.files, root);
  const check = await checkApproval(ports, root, study);
  const digest = await digestToApprove(ports, root, study);
  const budget = await budgetInForce(ports, root, study);
  if (!check.ok) {
    return { study, state: stateOf(check), kind: null, by: null, at: null, agents_may_start: false, digest, differences: [...check.differences], budget, text: check.text };
  }
  const { kind, by, at, agents_may_start } = check.approval;
  const live = await checkLive(ports, root, study);
  if (!live.ok) {
    const text = `${study} was approved by ${by}, and its run uses what was approved. The repository has changed since: a new run needs a new approval.`;
    return { study, state: stateOf(check), kind, by, at, agents_may_start, digest, differences: [...live.differences], budget, text };
  }
  return { study, state: stateOf(check), kind, by, at, agents_may_start, digest, differences: [], budget, text: `${study} is approved by ${by}, and nothing it covers has changed.` };
};

/** One word for lists and screens. */
export function stateOf(check: ApprovalCheck): 'none' | 'valid' | 'lapsed' | 'elsewhere' {
  if (check.ok) return 'valid';
  switch (check.code) {
    case 'not_approved':
      return 'none';
    case 'approved_elsewhere':
      return 'elsewhere';
    case 'approval_lapsed':
    case 'damaged':
      return 'lapsed';
  }
}

/** A lapsed gate counts as a draft; its differences say why it is no longer confirmed. */
export function shownStatus(state: GateState): 'missing' | 'draft' | 'confirmed' {
  return state === 'lapsed' ? 'draft' : state;
}

function showGate(view: GateView) {
  return {
    gate: view.gate,
    question: gateQuestions[view.gate],
    example: gateExamples[view.gate],
    status: shownStatus(view.state),
    value: view.value as PlainMap | null,
    evidence: [...view.evidence],
    confirmed: view.confirmed === null ? null : { by: view.confirmed.by, at: view.confirmed.at },
    digest: view.digest,
    differences: [...view.differences],
  };
}

/** Null without a genuine approval. */
async function budgetInForce(ports: ApprovePorts, root: string, study: string): Promise<OutputOf<'approval_check'>['budget']> {
  const opened = await openApproval(ports, root, study);
  if (!opened.ok) return null;
  const reading = await readBudget(ports, root, opened);
  return { terms: reading.terms, amendments: reading.amendments.length, digest: budgetDigest(reading) };
}

/** The digest of what would be approved now; null while something stands in the way. */
async function digestToApprove(ports: ApprovePorts, root: string, study: string): Promise<string | null> {
  try {
    return digestOfSubject((await readApprovable(ports, root, study)).subject);
  } catch (error) {
    if (error instanceof RefusalError) return null;
    throw error;
  }
}

function mapOf(view: GateView): PlainMap {
  return view.value as PlainMap;
}

function digestOf(view: GateView): string {
  if (view.digest === null) throw new Error(`the gate ${view.gate} has no value`);
  return view.digest;
}
