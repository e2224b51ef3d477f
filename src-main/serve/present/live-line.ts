// The one line at the foot of a screen while a campaign is watched: it keeps trials and how far they are, and drops the rest for want
// of room. Imported by campaign-watch.ts.
import type { CampaignStatusView } from '../../../src-protocol/campaign.ts';
import { countsText, progressText, spentText } from './campaign.ts';
import { cut } from './table.ts';
import { durationText, numberText, percentText } from './words.ts';

type Running = CampaignStatusView['running'][number];

/** Fits into `columns`, whatever runs: from the fullest form down, the first that does. */
export function liveLine(status: CampaignStatusView, columns: number): string {
  const fits = (line: string) => [...line].length <= columns;
  const names = namesOf(status.running);
  const rewarded = status.running.map((one, index) => `${trialText(names[index] ?? '', one)}${one.reward === null ? '' : ` r=${numberText(one.reward)}`}`);
  const plain = status.running.map((one, index) => trialText(names[index] ?? '', one));
  const long = countsText(status);
  const eta = status.eta_s === null ? '' : `ETA ${durationText(status.eta_s)}`;
  const forms = [
    [progressText(status), rewarded],
    [listed(long, eta, spentText(status)), rewarded],
    [listed(long, eta), rewarded],
    [listed(long, eta), plain],
    [long, plain],
    [shortCounts(status), plain],
  ] as const;
  for (const [progress, trials] of forms) {
    const line = joined(status, progress, trials);
    if (fits(line)) return line;
  }
  return shortest(status, columns);
}

/** Candidates' names, with their seed where two of a name run at once. */
function namesOf(running: readonly Running[]): readonly string[] {
  const isTwice = ({ candidate }: Running) => running.filter((one) => one.candidate === candidate).length > 1;
  return running.map((one) => (isTwice(one) ? `${one.candidate} s${one.seed}` : one.candidate));
}

function trialText(name: string, { phase, step, timesteps }: Running): string {
  return `${name} ${phase === 'evaluating' ? 'evaluating' : percentText(timesteps === 0 ? 0 : step / timesteps)}`;
}

/** Names are cut as far as they have to be, but to no less than this; trials that still find no place are counted. */
const leastName = 6;

function shortest(status: CampaignStatusView, columns: number): string {
  const names = namesOf(status.running);
  const progress = shortCounts(status);
  for (let shown = status.running.length; shown > 0; shown -= 1) {
    const hidden = status.running.length - shown;
    const more = hidden === 0 ? [] : [`+${hidden}`];
    for (let width = Math.max(leastName, ...names.map((name) => name.length)); width >= leastName; width -= 1) {
      const trials = status.running.slice(0, shown).map((one, index) => trialText(cut(names[index] ?? '', width), one));
      const line = joined(status, progress, [...trials, ...more]);
      if ([...line].length <= columns) return line;
    }
  }
  return cut(joined(status, progress, []), columns);
}

function joined(status: CampaignStatusView, progress: string, trials: readonly string[]): string {
  const state = status.suspended ? 'SUSPENDED' : status.state === 'paused' ? 'PAUSED' : '';
  return [state, progress, trials.join(' | ')].filter((part) => part !== '').join('  |  ');
}

function listed(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

/** `screen 5/26` */
function shortCounts({ stage, trials_done: done, trials_planned: planned }: CampaignStatusView): string {
  return [stage?.replace('_', ' ') ?? '', planned === 0 ? '' : `${done}/${planned}`].filter((part) => part !== '').join(' ');
}
