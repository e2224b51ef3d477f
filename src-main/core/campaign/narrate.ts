// Tells the events of a campaign that no single trial tells: stages, rankings, looks. Imported by this room only.
import { countText } from '../../../src-protocol/count-text.ts';
import { noiseSentence } from './conclude.ts';
import { pickWinner, rankStage, readVerdict } from './judges.ts';
import { nextStep, viewOf, type Run } from './run-state.ts';
import type { Step } from './search-plan.ts';

export function tellStage(run: Run, step: Step): void {
  const { events } = run;
  const view = viewOf(run);
  if (step.kind === 'self_test') events.add({ kind: 'stage_ended', stage: 'noise', text: noiseSentence(view) }, `noise: ${noiseSentence(view)}`);
  if (step.kind !== 'train') return;
  const screened = view.records.filter((record) => record.stage === 'screen');
  if (step.stage === 'refine') tellOrder(run, 'screen', rankStage(view, screened).places.map((place) => place.record.candidate));
  if (step.stage === 'verify' && (step.look ?? 0) === 0) {
    const refined = view.records.filter((record) => record.stage === 'refine');
    const order = rankStage(view, refined).places.map((place) => place.record.candidate);
    tellOrder(run, 'refine', order);
    events.add({ kind: 'winner_picked', candidate: order[0] ?? '' }, `winner picked: ${order[0] ?? 'none'}; now it must hold on seeds nobody has seen`);
  }
  events.add({ kind: 'stage_started', stage: step.stage, trials: step.trials.length }, `${step.stage}: ${countText(step.trials.length, 'trial')}`);
}

export function tellLook(run: Run): void {
  const step = nextStep(run);
  const view = viewOf(run);
  const winner = pickWinner(view, view.records.filter((record) => record.stage === 'refine'));
  const verdict = readVerdict(view, winner);
  const text = step.kind === 'train' ? `${verdict.headline} More seeds are needed.` : verdict.headline;
  run.events.add({ kind: 'look', seeds: verdict.plan.used, word: verdict.word, text }, `look at ${countText(verdict.plan.used, 'pair')}: ${text}`);
}

function tellOrder(run: Run, stage: 'screen' | 'refine', order: readonly string[]): void {
  run.events.add({ kind: 'ranked', stage, order: [...order] }, `${stage} ranking: ${order.join(' > ')}`);
}
