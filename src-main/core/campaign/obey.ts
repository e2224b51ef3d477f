// Does what a request in control/ asks for. Imported by this room only.
import type { ControlRequest } from '../../../src-protocol/files/event.ts';
import { addAmendment } from './amendments.ts';
import type { Run } from './run-state.ts';

export function obey(run: Run, request: ControlRequest): Promise<void> | void {
  const { campaign, events } = run;
  const { steering } = campaign;
  switch (request.action) {
    case 'stop':
      return steering.stop(`stopped by ${request.by}`);
    case 'pause':
      return pause(run, `paused by ${request.by}`);
    case 'pause_now':
      steering.pauseNow(`paused by ${request.by}`);
      return events.add({ kind: 'paused', reason: `paused by ${request.by}` }, `paused by ${request.by}; running trials are ended and run again later`);
    case 'resume':
      steering.resume();
      return events.add({ kind: 'resumed' }, `resumed by ${request.by}`);
    case 'skip':
      if (request.trial !== null) steering.skip(request.trial);
      return events.add({ kind: 'warning', text: `${request.trial ?? 'a trial'} skipped by ${request.by}` }, `${request.trial ?? 'a trial'} skipped by ${request.by}`);
    case 'complete_looks':
      campaign.isCompletingLooks = true;
      return addAmendment(campaign.ports.files, campaign.paths.folder, { kind: 'complete_looks', by: request.by, at: request.at });
  }
}

export function pause(run: Run, reason: string): void {
  run.campaign.steering.pause(reason);
  run.events.add({ kind: 'paused', reason }, `paused: ${reason}`);
}
