// One event of a campaign as one line. Imported by event-list.tsx and tests.
import { countText } from '../../../src-protocol/count-text.ts';
import type { CampaignEvent } from '../../../src-protocol/files/event.ts';
import { numberText } from '../../ui/numbers.ts';

type TrialEvent = Extract<CampaignEvent, { kind: 'trial_started' | 'trial_ended' }>;

export function eventText(event: CampaignEvent): string {
  switch (event.kind) {
    case 'campaign_started':
      return `${event.resumed ? 'Resumed' : 'Started'}: ${countText(event.trials_planned, 'trial')} planned${everyLook(event)}, ${event.slots} at a time`;
    case 'stage_started':
      return `Stage ${event.stage}: ${countText(event.trials, 'trial')}`;
    case 'stage_ended':
      return `Stage ${event.stage} finished: ${event.text}`;
    case 'trial_started':
      return `${trialText(event)} started`;
    case 'trial_ended':
      return endText(event);
    case 'self_test':
      return `Evaluator self-test ${event.passed ? 'passed' : 'failed'}: ${event.text}`;
    case 'ranked':
      return `Ranking after ${event.stage}: ${event.order.join(', ')}`;
    case 'winner_picked':
      return `${event.candidate} goes into verification`;
    case 'look':
      return `Look at ${countText(event.seeds, 'fresh seed')}: ${event.text}`;
    case 'process_died':
      return sentence(event.text);
    case 'amended':
      return `Budget raised: ${event.text}`;
    case 'warning':
      return `Warning: ${event.text}`;
    case 'paused':
      return `Paused: ${event.reason}`;
    case 'resumed':
      return 'Resumed';
    case 'stopped':
      return `Stopped: ${event.reason}`;
    case 'verdict':
      return `Verdict: ${event.text}`;
    case 'campaign_ended':
      // A completed campaign repeats its verdict here.
      return event.status === 'completed' ? 'Campaign completed' : `Campaign ${event.status}: ${event.text}`;
  }
}

/** What verify may come to, where no look settles it before the last. */
function everyLook({ trials_planned: planned, trials_to_last_look: most }: Extract<CampaignEvent, { kind: 'campaign_started' }>): string {
  return most === null || most === planned ? '' : ` (${most} with every look of verify)`;
}

function endText(event: Extract<CampaignEvent, { kind: 'trial_ended' }>): string {
  const score = event.score === null ? '' : `, score ${numberText(event.score)}`;
  if (event.status === 'completed') return `${trialText(event)} done${score}`;
  return `${trialText(event)} ${spaced(event.status)}${score}: ${event.text}`;
}

function trialText({ trial }: TrialEvent): string {
  const repeat = trial.repeat > 0 ? `, repeat ${trial.repeat}` : '';
  const attempt = trial.attempt > 0 ? `, attempt ${trial.attempt + 1}` : '';
  return `${trial.candidate} (${trial.stage}, seed ${trial.seed}${repeat}${attempt})`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function spaced(word: string): string {
  return word.replaceAll('_', ' ');
}
