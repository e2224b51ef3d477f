// How the campaign's tools read in a terminal. The live feed is in campaign-watch.ts.
import { countText } from '../../../src-protocol/count-text.ts';
import type { CampaignStatusView } from '../../../src-protocol/campaign.ts';
import type { BudgetTerms } from '../../../src-protocol/files/budget-amendment.ts';
import type { Look } from './look.ts';
import type { Presenter } from './presenter.ts';
import { alignRows } from './table.ts';
import { durationText, numberText, percentText, wordAndText } from './words.ts';

export const campaignRun: Presenter<'campaign_run'> = {
  lines(output, look) {
    if (output.state === 'finished') {
      const changed = output.changes.length === 0 ? [] : [look.warn('the repository has changed since this run; it did not use:'), ...output.changes.map((change) => `  ${change}`)];
      return [`${output.study} has finished; --fresh sets this run aside and starts over`, ...changed];
    }
    const verb = output.state === 'started' ? 'started' : 'taken up again';
    return [`${look.bold(output.study)} ${verb} in the background (process ${output.process.pid})`, `approval: ${output.approval}`, `log: ${output.log}`];
  },
};

export const campaignStatus: Presenter<'campaign_status'> = { lines: statusLines };

/** Stop, pause, resume, skip and complete-looks all answer alike. */
export const steered = {
  lines: ({ text, taken }: { readonly text: string; readonly taken: boolean }, look: Look): readonly string[] => [taken ? text : `${text} ${look.dim('(the campaign has not taken it up yet)')}`],
};

export const campaignAmend: Presenter<'campaign_amend'> = {
  lines: ({ study, by, at, before, budget, text, digest }, look) => [
    `${look.good('raised')} the budget of ${study}, by ${by} at ${at} (digest ${digest.slice(0, 12)})`,
    ...budgetLines(before, budget),
    text,
  ],
};

/** `  wall_hours: 1 -> 2`, for each term that is another. */
export function budgetLines(before: BudgetTerms, after: BudgetTerms): readonly string[] {
  const names = ['wall_hours', 'gpu_hours', 'per_trial_s'] as const;
  return names.filter((name) => before[name] !== after[name]).map((name) => `  ${name}: ${before[name] ?? 'no limit'} -> ${after[name] ?? 'no limit'}`);
}

function statusLines(status: CampaignStatusView, look: Look): readonly string[] {
  const running = status.running.map((one) => [
    `  ${one.folder}`,
    one.phase,
    percentText(one.timesteps === 0 ? 0 : one.step / one.timesteps),
    `reward ${numberText(one.reward)}`,
    one.steps_per_s === null ? '' : `${numberText(one.steps_per_s)} steps/s`,
  ]);
  return [
    `${look.bold(status.study)}  ${stateWord(status, look)}  ${status.text}`,
    ...(status.verdict === null ? [] : [look.bold(`verdict: ${wordAndText(status.verdict.word, status.verdict.headline)}`)]),
    ...(status.state === 'none' ? [] : [progressText(status)]),
    ...processLines(status, look),
    ...alignRows(running, ['left', 'left', 'right']),
  ];
}

/** The campaign's process, and what its babysitter has to tell. */
function processLines({ process, suspended, babysitter }: CampaignStatusView, look: Look): readonly string[] {
  const own = process === null ? [] : [look.dim(`process ${process.pid}${suspended ? ' (suspended)' : ''}${babysitter?.alive === true ? `, watched by ${babysitter.pid}` : ''}`)];
  return babysitter === null || babysitter.text === '' ? own : [...own, look.warn(babysitter.text)];
}

/** `screen, 5 of 23 trials, ETA 2 min 10 s, spent 1 min of 30 min (6 min kept for verify)` */
export function progressText(status: CampaignStatusView): string {
  const kept = status.reserved_s > 0 ? ` (${durationText(status.reserved_s)} kept for verify)` : '';
  const parts = [countsText(status), status.eta_s === null ? '' : `ETA ${durationText(status.eta_s)}`, spentText(status) + kept];
  return parts.filter((part) => part !== '').join(', ');
}

/** `screen, 5 of 23 trials`; no number of trials while none is planned yet. */
export function countsText({ stage, trials_done: done, trials_planned: planned }: CampaignStatusView): string {
  return [stage?.replace('_', ' ') ?? '', planned === 0 ? '' : `${done} of ${countText(planned, 'trial')}`].filter((part) => part !== '').join(', ');
}

export function spentText(status: CampaignStatusView): string {
  return `spent ${durationText(status.spent_s)}${status.budget_s === null ? '' : ` of ${durationText(status.budget_s)}`}`;
}

function stateWord({ state }: CampaignStatusView, look: Look): string {
  switch (state) {
    case 'running':
    case 'completed':
      return look.good(state);
    case 'none':
      return look.dim('not started');
    case 'paused':
    case 'interrupted':
    case 'stopped':
      return look.warn(state);
    case 'blocked':
    case 'failed':
      return look.bad(state);
  }
}
