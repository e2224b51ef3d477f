// What a person is shown before they approve something, and the digest that binds the answer to it. Imported by confirm.ts.
import type { Client } from '../../../src-protocol/client.ts';
import type { OutputOf, ToolName } from '../../../src-protocol/index.ts';
import { makeRefusal } from '../../../src-protocol/refusal.ts';
import type { Result } from '../../../src-protocol/refusal.ts';
import { budgetLines } from '../present/campaign.ts';
import { gateLines, differenceLines } from '../present/contract.ts';
import { wouldLines } from '../present/doctor.ts';
import type { Look } from '../present/look.ts';
import { studyLines } from '../present/study.ts';
import { plainLines } from '../present/words.ts';

export interface Preview {
  readonly lines: readonly string[];
  /** Goes into the call's `digest`: what was not shown cannot be approved. */
  readonly digest: string | null;
}

export type PreviewOf = (client: Client, input: Readonly<Record<string, unknown>>, look: Look) => Promise<Result<Preview>>;

/** Tools of the effects `approve` and `destroy` that show more than their name. */
export const previews: Readonly<Partial<Record<ToolName, PreviewOf>>> = {
  gate_confirm: previewGate,
  study_approve: previewStudy,
  campaign_amend: previewAmend,
  doctor_approve: previewDoctor,
};

async function previewGate(client: Client, input: Readonly<Record<string, unknown>>, look: Look): Promise<Result<Preview>> {
  const shown = await client.call('contract_show', { root: String(input['root']) });
  if (!shown.ok) return shown;
  const gate = shown.output.gates.find((one) => one.gate === input['gate']);
  if (gate === undefined || gate.value === null) {
    return { ok: false, refusal: makeRefusal('gate_missing', `the gate ${String(input['gate'])} has no value yet`) };
  }
  return { ok: true, output: { lines: ['You are about to confirm this gate:', '', ...gateLines(gate, look)], digest: gate.digest } };
}

async function previewAmend(client: Client, input: Readonly<Record<string, unknown>>, look: Look): Promise<Result<Preview>> {
  const study = String(input['study']);
  const check = await client.call('approval_check', { root: String(input['root']), study });
  if (!check.ok) return check;
  const { budget } = check.output;
  if (budget === null) return { ok: false, refusal: makeRefusal('not_approved', check.output.text) };
  const wanted = (name: keyof typeof budget.terms): number | null => (typeof input[name] === 'number' ? input[name] : budget.terms[name]);
  const after = { wall_hours: wanted('wall_hours') ?? 0, gpu_hours: wanted('gpu_hours'), per_trial_s: wanted('per_trial_s') ?? 0 };
  const changes = budgetLines(budget.terms, after);
  const lines = [`You are about to raise the budget of ${look.bold(study)}, for the campaign as it was approved:`, '', ...(changes.length === 0 ? ['  (nothing is raised)'] : changes)];
  return { ok: true, output: { lines, digest: budget.digest } };
}

async function previewStudy(client: Client, input: Readonly<Record<string, unknown>>, look: Look): Promise<Result<Preview>> {
  const place = { root: String(input['root']), study: String(input['study']) };
  const check = await client.call('study_check', place);
  if (!check.ok) return check;
  if (check.output.problems.length > 0) {
    return { ok: false, refusal: makeRefusal('invalid_file', `${place.study} has problems`, { problems: check.output.problems }) };
  }
  const contract = await client.call('contract_show', { root: place.root });
  if (!contract.ok) return contract;
  const approval = await client.call('approval_check', place);
  if (!approval.ok) return approval;
  const open = contract.output.gates.filter((gate) => gate.status !== 'confirmed');
  const [first] = open;
  if (approval.output.digest === null && first !== undefined) {
    const next = first.status === 'missing' ? `rlxp contract set ${first.gate} --value JSON` : `rlxp contract confirm ${first.gate}`;
    return { ok: false, refusal: makeRefusal('gate_missing', `these gates are not confirmed: ${open.map((gate) => `${gate.gate} (${gate.status})`).join(', ')}`, { next: `Run \`${next}\`, and so on for each.` }) };
  }
  const agents = input['agents_may_start'] === true ? 'Agents MAY start this campaign.' : 'Agents may not start this campaign.';
  const lines = [
    'You are about to approve this study, with everything it rests on:',
    '',
    look.bold(place.study),
    ...studyLines(check.output, look),
    ...check.output.warnings.map((warning) => `warning: ${warning}`),
    '',
    ...contract.output.gates.flatMap((gate) => contractLines(gate, look)),
    agents,
    ...differenceLines(approval.output.differences),
  ];
  return { ok: true, output: { lines, digest: approval.output.digest } };
}

async function previewDoctor(client: Client, input: Readonly<Record<string, unknown>>, look: Look): Promise<Result<Preview>> {
  const { timesteps } = input;
  const shown = await client.call('doctor_show', { root: String(input['root']), study: String(input['study']), ...(typeof timesteps === 'number' ? { timesteps } : {}) });
  if (!shown.ok) return shown;
  const { study, would, digest, approval } = shown.output;
  const open = would.gates.filter((gate) => gate.status !== 'confirmed');
  const [first] = open;
  if (digest === null && first !== undefined) {
    const next = first.status === 'missing' ? `rlxp contract set ${first.gate} --value JSON` : `rlxp contract confirm ${first.gate}`;
    return { ok: false, refusal: makeRefusal('gate_missing', `these gates are not confirmed: ${open.map((gate) => `${gate.gate} (${gate.status})`).join(', ')}`, { next: `Run \`${next}\`, and so on for each.` }) };
  }
  const agents = input['agents_may_start'] === true ? 'Agents MAY start this doctor.' : 'Agents may not start this doctor.';
  return { ok: true, output: { lines: ['You are about to approve this doctor:', '', ...wouldLines(study, would, look), agents, ...differenceLines(approval.differences)], digest } };
}

function contractLines(gate: OutputOf<'contract_show'>['gates'][number], look: Look): readonly string[] {
  return [`${look.bold(gate.gate)} (${gate.status})`, ...(gate.value === null ? [] : plainLines(gate.value, '  '))];
}
