// How a packed and a verified bundle read in a terminal.
import { countText } from '../../../src-protocol/count-text.ts';
import { exitCodes } from '../argv/exit-codes.ts';
import type { Look } from './look.ts';
import type { Presenter } from './presenter.ts';
import { problemLines } from './problem.ts';
import { alignRows, wrap } from './table.ts';

type Reason = { readonly what: string; readonly why: string };

export const evidencePack: Presenter<'evidence_pack'> = {
  lines: ({ study, file, bytes, sha256, entries, left_out: leftOut, redacted, without_paths: withoutPaths }, look) => [
    `${look.bold(study)}: ${countText(entries, 'file')} in ${file} (${sizeText(bytes)})`,
    `  SHA-256 ${sha256}`,
    `  verify it anywhere with: rlxp evidence verify ${file}`,
    ...reasonLines('left out', leftOut, look),
    ...(redacted.length === 0 ? [] : [look.warn(`  secrets were blotted out of: ${redacted.join(', ')}`)]),
    ...(withoutPaths.length === 0 ? [] : [look.dim(`  folders of this machine were replaced in ${countText(withoutPaths.length, 'file')}`)]),
  ],
};

export const evidenceVerify: Presenter<'evidence_verify'> = {
  lines(verified, look) {
    const { study, file, state, made_by: madeBy, checked_by: checkedBy, verdict, findings } = verified;
    const words = { holds: look.good('HOLDS'), in_part: look.warn('HOLDS IN PART'), broken: look.bad('BROKEN') }[state];
    return [
      `${words}: the evidence of ${look.bold(study)} in ${file}`,
      `  made by ${madeBy}${madeBy === checkedBy ? '' : `, checked by ${checkedBy}`}; ${countText(verified.entries, 'file')}, ${sizeText(verified.bytes)}`,
      ...(verdict === null ? [] : wrap(`verdict computed again: ${verdict.word.replaceAll('_', ' ')}: ${verdict.headline}`, look.columns, '  ', '    ')),
      ...findings.flatMap(({ severity, file: at, line, message, fix }) => problemLines([{ file: at, line, column: null, message: `${severity === 'broken' ? look.bad(severity) : look.warn(severity)}: ${message}`, fix }])),
      '',
      look.bold('COMPUTED AGAIN'),
      ...alignRows(verified.recomputed.map(({ what, count }) => [`  ${count}`, what]), ['right', 'left']),
      ...reasonLines('could not be computed', verified.not_recomputed, look),
    ];
  },
  exitCode: ({ state }) => (state === 'broken' ? exitCodes.refusal : exitCodes.ok),
};

function reasonLines(head: string, reasons: readonly Reason[], look: Look): readonly string[] {
  if (reasons.length === 0) return [];
  return ['', look.bold(head.toUpperCase()), ...reasons.flatMap(({ what, why }) => wrap(`${what}: ${why}`, look.columns, '  - ', '    '))];
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
