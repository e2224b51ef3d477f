// How trials and their causes read in a terminal.
import type { CandidateCauses } from '../../../src-protocol/ranking.ts';
import type { Presenter } from './presenter.ts';
import { alignRows } from './table.ts';
import { countText, durationText, numberText, percentText } from './words.ts';

export const trialList: Presenter<'trial_list'> = {
  lines({ study, trials }, look) {
    if (trials.length === 0) return [`${study}: no trial has finished yet`];
    const head = ['trial', 'status', 'score', 'steps', 'time', 'why'].map((cell) => look.dim(cell));
    const rows = trials.map((one) => [
      one.folder,
      one.rule === null ? one.status : `${one.status} (${one.rule})`,
      numberText(one.evaluation?.score ?? null),
      String(one.steps),
      durationText(one.wall_s),
      one.status === 'completed' ? '' : one.reason.text,
    ]);
    return alignRows([head, ...rows], ['left', 'left', 'right', 'right', 'right', 'left']);
  },
};

export const trialCauses: Presenter<'trial_causes'> = {
  lines({ trial, baseline, from }, look) {
    const source = from === 'replay' ? 'replayed just now' : 'from its recorded evaluation';
    const head = ['  cause', 'episodes', 'share', '95 % interval', 'mean length', 'mean return', ...(baseline === null ? [] : ['baseline'])];
    const rows = trial.rows.map((row) => [
      `  ${row.cause}`,
      String(row.count),
      percentText(row.share),
      `${percentText(row.share_low)} to ${percentText(row.share_high)}`,
      numberText(row.count === 0 ? null : row.mean_length),
      numberText(row.count === 0 ? null : row.mean_return),
      ...(baseline === null ? [] : [baselineShare(baseline, row.cause)]),
    ]);
    return [
      `${look.bold(trial.trial)}: ${countText(trial.episodes, 'episode')} ${source}`,
      ...alignRows([head.map((cell) => look.dim(cell)), ...rows], ['left', 'right', 'right', 'right', 'right', 'right', 'right']),
    ];
  },
};

function baselineShare(baseline: CandidateCauses, cause: string): string {
  const row = baseline.rows.find((one) => one.cause === cause);
  return percentText(row?.share ?? 0);
}
