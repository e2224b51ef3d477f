// campaign_status and the requests to a running campaign: stop, pause, resume, skip, complete all looks. Imported by the workbench.
import { refuse } from '../../../src-protocol/refusal.ts';
import type { ControlRequest } from '../../../src-protocol/files/event.ts';
import { stageName } from '../../../src-protocol/files/plain.ts';
import { nearestWord } from '../../../src-protocol/nearest.ts';
import type { Ports } from '../../ports.ts';
import { openApproval } from '../contract/open-approval.ts';
import type { Handler, HandlerContext } from '../dispatch/handler.ts';
import { studyFromApproved } from '../study/assemble-study.ts';
import { runPaths } from '../workspace/layout.ts';
import { addAmendment } from './amendments.ts';
import { leaveRequest } from './control-inbox.ts';
import { isDiskFailure } from './disk-guard.ts';
import { readRunState, readStatus, readVerdictFile, requireRepository, requireStudy } from './read-campaign.ts';

/** How long a door waits for the campaign to take a request up. */
const takenMs = 3000;

export const campaignStatus: Handler<'campaign_status'> = async ({ root, study }, { ports }) => {
  await requireStudy(ports, root, study);
  return readStatus(ports, root, study);
};

export const campaignStop: Handler<'campaign_stop'> = (input, context) => steer(input, context, { action: 'stop', trial: null }, 'stopping: running trials are being ended; finished ones are kept');
export const campaignPause: Handler<'campaign_pause'> = (input, context) =>
  steer(input, context, { action: input.now ? 'pause_now' : 'pause', trial: null }, input.now ? 'paused: running trials are ended and run again later' : 'paused: running trials finish, no further one starts');
export const campaignResume: Handler<'campaign_resume'> = (input, context) => steer(input, context, { action: 'resume', trial: null }, 'resumed');
export const campaignSkip: Handler<'campaign_skip'> = async (input, context) => {
  const { root, study, trial } = input;
  await requireRepository(context.ports, root);
  await refuseUnknownTrial(context.ports, { root, study, trial });
  return steer(input, context, { action: 'skip', trial }, `${trial} is skipped and never run again`);
};

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

/** A name nobody will ever run would be skipped in vain: a typing mistake must not look like a success. */
async function refuseUnknownTrial(ports: Ports, { root, study, trial }: { readonly root: string; readonly study: string; readonly trial: string }): Promise<void> {
  const { file } = await readRunState(ports, root, study);
  const running = file?.running.map((one) => one.folder) ?? [];
  if (running.includes(trial)) return;
  const opened = await openApproval(ports, root, study);
  const names = opened.ok ? studyFromApproved(opened.approved, root).candidates.map(({ name }) => name) : [];
  const isPossible = names.some((name) => stageName.options.some((stage) => trial.startsWith(`${stage}-${name}-s`) && /^\d+(-r\d+)?(-a\d+)?$/.test(trial.slice(`${stage}-${name}-s`.length))));
  if (isPossible) return;
  const near = nearestWord(trial, running);
  refuse('not_found', `${study} has no trial ${trial}.`, { next: near === null ? `Running now: ${running.join(', ') || 'none'}.` : `Did you mean ${near}?` });
}

/** Leaves a request and waits a while until the campaign has taken it up. */
export async function steer(
  { root, study }: { readonly root: string; readonly study: string },
  { ports, caller }: HandlerContext,
  request: Pick<ControlRequest, 'action' | 'trial'>,
  text: string,
): Promise<{ study: string; taken: boolean; text: string }> {
  await requireStudy(ports, root, study);
  const { state, file } = await readRunState(ports, root, study);
  if (file === null || (state !== 'running' && state !== 'paused')) refuse('nothing_running', `The campaign of ${study} is not running (${state}).`);
  const { control } = runPaths(root, study);
  try {
    await leaveRequest(ports, control, { ...request, by: caller.by });
  } catch (error) {
    if (request.action !== 'stop' || !isDiskFailure(error)) throw error;
    // A full disk takes no request, and stopping must not wait for room.
    await ports.processes.ask({ pid: file.pid, startTime: file.start_time }, 'SIGTERM');
    return { study, taken: true, text };
  }
  const deadline = ports.clock.monotonicMs() + takenMs;
  while (ports.clock.monotonicMs() < deadline) {
    if ((await ports.files.list(control)).length === 0) return { study, taken: true, text };
    await ports.clock.sleep(50);
  }
  return { study, taken: false, text: `asked; ${await whyNotTaken(ports, root, study)} (${text})` };
}

/** A request waits in control/: for a process that is continued, or for the one that is started again. */
async function whyNotTaken(ports: Ports, root: string, study: string): Promise<string> {
  const { suspended, process } = await readStatus(ports, root, study);
  if (suspended) return 'its process is suspended and takes it up when it goes on';
  return process === null ? 'its process died and takes it up when it is started again' : 'the campaign has not taken it up yet';
}
