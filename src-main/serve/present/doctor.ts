// How a doctor reads in a terminal: what it would do, and what it found.
import { countText } from '../../../src-protocol/count-text.ts';
import type { DoctorReport } from '../../../src-protocol/files/doctor.ts';
import { exitCodes, type ExitCode } from '../argv/exit-codes.ts';
import { differenceLines } from './contract.ts';
import type { Look } from './look.ts';
import type { Presenter } from './presenter.ts';
import { wrap } from './table.ts';
import { durationText, plainLines } from './words.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';

export const doctorApprove: Presenter<'doctor_approve'> = {
  lines: ({ study, by, at, digest, allows, files }, look) => [
    `${look.good('approved')} a doctor of ${study}, by ${by} at ${at} (digest ${digest.slice(0, 12)}, ${countText(files, 'file')} of task code)`,
    `it allows ${allows}`,
    `next: rlxp doctor run ${study}`,
  ],
};

export const doctorRun: Presenter<'doctor_run'> = {
  lines: (report, look) => reportLines(report, look),
  exitCode: exitCodeOf,
};

export const doctorShow: Presenter<'doctor_show'> = {
  lines: ({ study, would, approval, report }, look) => [
    ...wouldLines(study, would, look),
    `approval: ${approval.state}. ${approval.text}`,
    ...differenceLines(approval.differences),
    '',
    ...(report === null ? [`no doctor of ${study} has come to a report yet`] : reportLines(report, look)),
  ],
};

/** What is agreed to: also shown before it is approved. */
export function wouldLines(study: string, would: OutputOf<'doctor_show'>['would'], look: Look): readonly string[] {
  return [
    `${look.bold(study)}: ${would.allows}`,
    `  the unmodified baseline, ${countText(would.timesteps, 'step')}, ${countText(would.num_envs, 'environment')}, seed ${would.seed}, on ${would.device}`,
    `  started as: ${would.argv.join(' ')}`,
    `  with ${countText(would.files, 'file')} of task code, copied read-only`,
    ...would.gates.flatMap((gate) => [`${look.bold(gate.gate)} (${gate.status})`, ...(gate.value === null ? [] : plainLines(gate.value, '  '))]),
  ];
}

const conclusions = {
  trial: { ok: 'nothing stands in the way of a campaign', warning: 'a campaign would run; look at the warnings first', failed: 'a campaign would not work as it is' },
  evaluation: { ok: 'this is its score under canonical settings', warning: 'it has a score; look at the warnings first', failed: 'it has no score that counts' },
} as const;

function reportLines(report: DoctorReport, look: Look): readonly string[] {
  const styles = { ok: look.good, warning: look.warn, failed: look.bad };
  const findings = report.findings.flatMap(({ name, state, text, evidence, fix }) => [
    ...wrap(text, look.columns, `${styles[state](state.padEnd(8))}${name.padEnd(13)}`, ' '.repeat(21)),
    ...evidence.flatMap((line) => wrap(line, look.columns, `${' '.repeat(21)}- `, ' '.repeat(23))).map((line) => look.dim(line)),
    ...(fix === '' ? [] : wrap(`fix: ${fix}`, look.columns, ' '.repeat(21), ' '.repeat(26))),
  ]);
  const approval = report.approval.kind === 'person' ? `approved by ${report.approval.by}` : 'on the approval shipped with this example';
  const tookS = (Date.parse(report.ended_at) - Date.parse(report.started_at)) / 1000;
  const what = report.kind === 'trial' ? 'one trial of the baseline' : `evaluation of ${report.checkpoint?.path ?? 'a checkpoint'}`;
  return [
    look.bold(`DOCTOR of ${report.study}: ${what}`),
    look.dim(`${approval}; ${durationText(tookS)}; .rlxp/doctor/${report.study}/${report.run}`),
    ...findings,
    `${styles[report.state](report.state)}: ${conclusions[report.kind][report.state]}`,
  ];
}

function exitCodeOf({ state }: Pick<DoctorReport, 'state'>): ExitCode {
  return state === 'failed' ? exitCodes.refusal : exitCodes.ok;
}
