// One event of a campaign as one line of text. Imported by campaign-watch.ts.
import { countText } from '../../../src-protocol/count-text.ts';
import type { CampaignEvent } from '../../../src-protocol/files/event.ts';
import type { Look } from './look.ts';
import { numberText, plannedText, wordAndText } from './words.ts';

type TrialEvent = Extract<CampaignEvent, { kind: 'trial_started' | 'trial_ended' }>;

export function eventText(event: CampaignEvent, look: Look): string {
  switch (event.kind) {
    case 'campaign_started':
      return look.bold(`${event.resumed ? 'resumed' : 'started'} ${event.study}: ${plannedText(event.trials_planned, event.trials_to_last_look)}, ${event.slots} at a time`);
    case 'stage_started':
      return look.bold(`${event.stage}: ${countText(event.trials, 'trial')}`);
    case 'stage_ended':
      return `${event.stage} finished: ${event.text}`;
    case 'trial_started':
      return look.dim(`start  ${trialText(event)}`);
    case 'trial_ended':
      return endText(event, look);
    case 'self_test':
      return `evaluator self-test ${event.passed ? look.good('passed') : look.bad('failed')}: ${event.text}`;
    case 'ranked':
      return `ranking after ${event.stage}: ${event.order.join(' > ')}`;
    case 'winner_picked':
      return `${look.bold(event.candidate)} goes into verification`;
    case 'look':
      return `look at ${countText(event.seeds, 'fresh seed')}: ${wordAndText(event.word, event.text)}`;
    case 'process_died':
      return look.warn(event.text);
    case 'amended':
      return `budget raised: ${event.text}`;
    case 'warning':
      return `${look.warn('warning')}: ${event.text}`;
    case 'paused':
      return look.warn(`paused: ${event.reason}`);
    case 'resumed':
      return 'resumed';
    case 'stopped':
      return look.warn(`stopped: ${event.reason}`);
    case 'verdict':
      return look.bold(`verdict: ${wordAndText(event.word, event.text)}`);
    case 'campaign_ended':
      return event.status === 'completed' ? look.good(`completed: ${event.text}`) : look.bad(`${event.status}: ${event.text}`);
  }
}

function endText(event: Extract<CampaignEvent, { kind: 'trial_ended' }>, look: Look): string {
  const score = event.score === null ? '' : `score ${numberText(event.score)}`;
  const why = event.status === 'completed' ? '' : `${statusText(event, look)}: ${event.text}`;
  return [`${event.status === 'completed' ? 'done ' : 'ended'}  ${trialText(event)}`, score, why].filter((part) => part !== '').join('  ');
}

function statusText(event: Extract<CampaignEvent, { kind: 'trial_ended' }>, look: Look): string {
  const word = event.status.replaceAll('_', ' ');
  const text = event.rule === null ? word : `${word} by ${event.rule}`;
  return event.status === 'failed' ? look.bad(text) : look.warn(text);
}

/** Like the trial's folder, with spaces: `screen epochs8 s42`. */
function trialText({ trial }: TrialEvent): string {
  const repeat = trial.repeat > 0 ? ` r${trial.repeat}` : '';
  const attempt = trial.attempt > 0 ? ` attempt ${trial.attempt + 1}` : '';
  return `${trial.stage} ${trial.candidate} s${trial.seed}${repeat}${attempt}`;
}
