// How the check of a study reads in a terminal.
import { countText } from '../../../src-protocol/count-text.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import { exitCodes } from '../argv/exit-codes.ts';
import type { Look } from './look.ts';
import type { Presenter } from './presenter.ts';
import { problemLines } from './problem.ts';
import { alignRows } from './table.ts';
import { durationText, numberText, plannedText } from './words.ts';

export const studyCheck: Presenter<'study_check'> = {
  lines(check, look) {
    const warnings = check.warnings.map((warning) => `${look.warn('warning')}: ${warning}`);
    const head = check.problems.length === 0 ? `${look.good('no problems')} in ${check.study}` : look.bad(`${countText(check.problems.length, 'problem')} in ${check.study}`);
    return [head, ...problemLines(check.problems), ...warnings, ...(check.problems.length > 0 ? [] : ['', ...studyLines(check, look)])];
  },
  exitCode: (check) => (check.problems.length === 0 ? exitCodes.ok : exitCodes.refusal),
};

/** What the study would do and cost: also shown before it is approved. */
export function studyLines(check: OutputOf<'study_check'>, look: Look): readonly string[] {
  const candidates = check.candidates.map((one) => [`  ${one.candidate}`, one.changes.join(', ') || 'no changes', look.dim(one.note)]);
  const stages = check.stages.map((one) => [`  ${one.stage}`, countText(one.trials, 'trial'), `${countText(one.timesteps, 'step')} each`, `${one.parallel} at a time`, one.trials_to_last_look === one.trials ? '' : look.dim(`${one.trials_to_last_look} with every look`)]);
  return [
    look.bold(countText(check.candidates.length, 'candidate')),
    ...alignRows(candidates),
    look.bold(plannedText(check.trials_planned, check.trials_to_last_look)),
    ...alignRows(stages, ['left', 'right', 'right', 'right']),
    ...costLines(check),
    ...(check.can_show === '' ? [] : [`can show: ${check.can_show}`]),
    ...(check.detectable_effect_sd === null ? [] : [`smallest gain it would find 9 times in 10: ${numberText(check.detectable_effect_sd)} seed standard deviations`]),
  ];
}

function costLines({ cost }: OutputOf<'study_check'>): readonly string[] {
  if (cost === null) return [];
  return [`costs at most ${durationText(cost.bound_s)} ${cost.budget_s === null ? '(the budget gate is not set yet)' : `of a budget of ${durationText(cost.budget_s)}`}; ${durationText(cost.verify_reserve_s)} of it are kept for verify`];
}
