// campaign_status and the requests to a running campaign: stop, pause, resume, skip, complete all looks. Imported by the workbench.
import { refuse } from '../../../src-protocol/refusal.ts';
import type { ControlRequest } from '../../../src-protocol/files/event.ts';
import type { Handler, HandlerContext } from '../dispatch/handler.ts';
import { runPaths } from '../workspace/layout.ts';
import { addAmendment } from './amendments.ts';
import { leaveRequest } from './control-inbox.ts';
import { readRunState, readStatus, readVerdictFile, requireRepository } from './read-campaign.ts';

/** How long a door waits for the campaign to take a request up. */
const takenMs = 3000;

export const campaignStatus: Handler<'campaign_status'> = async ({ root, study }, { ports }) => {
  await requireRepository(ports, root);
  return readStatus(ports, root, study);
};

export const campaignStop: Handler<'campaign_stop'> = (input, context) => steer(input, context, { action: 'stop', trial: null }, 'stopping: running trials are being ended; finished ones are kept');
export const campaignPause: Handler<'campaign_pause'> = (input, context) =>
  steer(input, context, { action: input.now ? 'pause_now' : 'pause', trial: null }, input.now ? 'paused: running trials are ended and run again later' : 'paused: running trials finish, no further one starts');
export const campaignResume: Handler<'campaign_resume'> = (input, context) => steer(input, context, { action: 'resume', trial: null }, 'resumed');
export const campaignSkip: Handler<'campaign_skip'> = (input, context) => steer(input, context, { action: 'skip', trial: input.trial }, `${input.trial} is skipped and never run again`);

export const campaignCompleteLooks: Handler<'campaign_complete_looks'> = async (input, context) => {
  const { ports, caller } = context;
  const { root, study } = input;
  await requireRepository(ports, root);
  const { state } = await readRunState(ports, root, study);
  const text = 'all planned fresh seeds will be trained';
  if (state === 'running' || state === 'paused') return steer(input, context, { action: 'complete_looks', trial: null }, text);
  const verdict = await readVerdictFile(ports, root, study);
  if (verdict === null || verdict.plan.used >= (verdict.plan.looks.at(-1) ?? 0)) refuse('study_finished', `Nothing is left to train for ${study}: every planned look was completed, or none was reached.`);
  await addAmendment(ports.files, runPaths(root, study).folder, { kind: 'complete_looks', trial: null, by: caller.by, at: new Date(ports.clock.wallMs()).toISOString() });
  return { study, taken: false, text: `${text} when it runs again: \`rlxp campaign run ${study}\`` };
};

async function steer(
  { root, study }: { readonly root: string; readonly study: string },
  { ports, caller }: HandlerContext,
  request: Pick<ControlRequest, 'action' | 'trial'>,
  text: string,
): Promise<{ study: string; taken: boolean; text: string }> {
  await requireRepository(ports, root);
  const { state } = await readRunState(ports, root, study);
  if (state !== 'running' && state !== 'paused') refuse('nothing_running', `The campaign of ${study} is not running (${state}).`);
  const { control } = runPaths(root, study);
  await leaveRequest(ports, control, { ...request, by: caller.by });
  const deadline = ports.clock.monotonicMs() + takenMs;
  while (ports.clock.monotonicMs() < deadline) {
    if ((await ports.files.list(control)).length === 0) return { study, taken: true, text };
    await ports.clock.sleep(50);
  }
  return { study, taken: false, text: `asked; the campaign has not taken it up yet (${text})` };
}
