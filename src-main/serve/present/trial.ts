// How trials and their causes read in a terminal.
import { countText } from '../../../src-protocol/count-text.ts';
import type { CandidateCauses } from '../../../src-protocol/ranking.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import type { Look } from './look.ts';
import type { Presenter } from './presenter.ts';
import { alignRows } from './table.ts';
import { durationText, numberText, percentText, plainLines } from './words.ts';

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

export const trialExtra: Presenter<'trial_extra'> = {
  lines(output, look) {
    switch (output.state) {
      case 'planned':
        return [`${look.bold(output.trial)} would run; nothing was started`, ...planLines(output.plan, look)];
      case 'started':
        return [`${look.bold(output.trial)} started (process ${output.process.pid}): ${countText(output.plan.timesteps, 'step')}, seed ${output.plan.seed}`, look.dim(`  on ${output.plan.approval}`), look.dim(`  log: ${output.log}`)];
      case 'finished': {
        const { record } = output;
        return [`${look.bold(record.folder)} was trained before and is never run again: ${record.status}, score ${numberText(record.evaluation?.score ?? null)}`, look.dim('  another seed or length is another trial; --full runs on one that a plateau ended')];
      }
    }
  },
};

type ExtraPlan = Extract<OutputOf<'trial_extra'>, { readonly state: 'planned' }>['plan'];

function planLines(plan: ExtraPlan, look: Look): readonly string[] {
  const { plateau } = plan;
  const left = plan.budget_s === null ? 'no limit' : `${durationText(plan.budget_s)}, ${durationText(plan.spent_s)} spent${plan.kept_s > 0 ? `, ${durationText(plan.kept_s)} kept for verify` : ''}`;
  const rows = [
    ['  candidate', `${plan.candidate}${plan.changes.length === 0 ? '' : `: ${plan.changes.join(', ')}`}`],
    ['  length', `${countText(plan.timesteps, 'step')}, seed ${plan.seed}${plan.repeat === 0 ? '' : ', once more'}`],
    ['  ends early', plateau === null ? 'at no plateau (--full)' : `at a plateau: below ${percentText(plateau.min_improve)} in ${percentText(plateau.window_frac)} of its length, after ${percentText(plateau.after_frac)}`],
    ['  may take', `${durationText(plan.max_trial_s)}${plan.estimate_s === null ? '' : `; about ${durationText(plan.estimate_s)} by what trials took`}`],
    ['  budget', left],
    ['  device', `${plan.device}${plan.threads === null ? '' : `, ${countText(plan.threads, 'thread')}`}`],
    ['  folder', plan.folder],
    ['  works in', plan.cwd],
    ['  train', commandText(plan.train)],
    ['  evaluate', commandText(plan.evaluate)],
    ['  environment', plan.env_names.join(' ')],
    ['  approval', plan.approval],
  ];
  return [...alignRows(rows), look.dim('  settings'), ...plainLines(plan.settings, '    ')];
}

/** To be read and copied: words with blanks or quotes stand in quotes. */
function commandText(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

function baselineShare(baseline: CandidateCauses, cause: string): string {
  const row = baseline.rows.find((one) => one.cause === cause);
  return percentText(row?.share ?? 0);
}
