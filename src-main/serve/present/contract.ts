// How the contract and approvals read in a terminal.
import { countText } from '../../../src-protocol/count-text.ts';
import type { Difference } from '../../../src-protocol/refusal.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import { exitCodes } from '../argv/exit-codes.ts';
import type { Look } from './look.ts';
import type { Presenter } from './presenter.ts';
import { plainLines } from './words.ts';

type Gate = OutputOf<'contract_show'>['gates'][number];

export const contractShow: Presenter<'contract_show'> = {
  lines: ({ project, gates }, look) => [look.bold(project), ...gates.flatMap((gate) => ['', ...gateLines(gate, look)])],
};

export const gateSet: Presenter<'gate_set'> = {
  lines: ({ gate, value }) => [`drafted the gate ${gate}:`, ...plainLines(value), `next: rlxp contract confirm ${gate}`],
};

export const gateConfirm: Presenter<'gate_confirm'> = {
  lines: ({ gate, by, at, digest, open, study }, look) => {
    const [first] = open;
    const next = first === undefined ? `rlxp approve ${study ?? '<study>'}` : first.status === 'missing' ? `rlxp contract set ${first.gate} --value JSON` : `rlxp contract confirm ${first.gate}`;
    return [`${look.good('confirmed')} the gate ${gate}, by ${by} at ${at} (digest ${digest.slice(0, 12)})`, `next: ${next}  (${8 - open.length} of 8 confirmed)`];
  },
};

export const studyApprove: Presenter<'study_approve'> = {
  lines: ({ study, by, at, digest, agents_may_start, files }, look) => [
    `${look.good('approved')} ${study}, by ${by} at ${at} (digest ${digest.slice(0, 12)}, ${countText(files, 'file')} of task code)`,
    `agents ${agents_may_start ? 'may' : 'may not'} start it`,
    `next: rlxp campaign run ${study}`,
  ],
};

export const approvalCheck: Presenter<'approval_check'> = {
  lines: ({ text, by, at, kind, differences, budget }, look) => [
    text,
    ...(budget === null ? [] : [`budget: ${countText(budget.terms.wall_hours, 'wall hour')}${budget.terms.gpu_hours === null ? '' : `, ${countText(budget.terms.gpu_hours, 'GPU hour')}`}, ${budget.terms.per_trial_s} s for a trial${budget.amendments === 0 ? '' : ` (raised ${budget.amendments === 1 ? 'once' : `${budget.amendments} times`})`}`]),
    ...(by === null || at === null ? [] : [look.dim(`${kind === 'bundled-example' ? 'shipped with the example' : `by ${by}`}, ${at}`)]),
    ...differenceLines(differences),
  ],
  exitCode: ({ state }) => (state === 'valid' ? exitCodes.ok : exitCodes.refusal),
};

export function gateLines(gate: Gate, look: Look): readonly string[] {
  return [
    `${look.bold(gate.gate)}  ${statusWord(gate, look)}`,
    `  ${look.dim(gate.question)}`,
    ...(gate.value === null ? [`  for example: rlxp contract set ${gate.gate} --value '${JSON.stringify(gate.example)}'`] : plainLines(gate.value, '  ')),
    ...(gate.evidence.length === 0 ? [] : [`  rests on: ${gate.evidence.join(', ')}`]),
    ...differenceLines(gate.differences).map((line) => `  ${line}`),
  ];
}

export function differenceLines(differences: readonly Difference[]): readonly string[] {
  if (differences.length === 0) return [];
  return ['changed since it was approved:', ...differences.map((one) => `  ${one.what}: ${sideText(one.approved)} -> ${sideText(one.now)}`)];
}

function sideText(side: string | null): string {
  return side ?? '(nothing)';
}

function statusWord(gate: Gate, look: Look): string {
  switch (gate.status) {
    case 'confirmed':
      return look.good(gate.confirmed === null ? 'confirmed' : `confirmed by ${gate.confirmed.by}`);
    case 'draft':
      return look.warn('draft: not confirmed');
    case 'missing':
      return look.bad('missing');
  }
}
