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
      return steering.pause(`${request.by} asked for it`);
    case 'pause_now':
      return steering.pauseNow(`${request.by} asked for it; running trials are ended and run again later`);
    case 'resume':
      return steering.resume(request.by);
    case 'skip': {
      const { trial, by, at } = request;
      if (trial === null || !steering.skip(trial)) return;
      events.add({ kind: 'warning', text: `${trial} skipped by ${by}` }, `${trial} skipped by ${by}`);
      return addAmendment(campaign.ports.files, campaign.paths.folder, { kind: 'skip', trial, by, at });
    }
    case 'complete_looks':
      campaign.isCompletingLooks = true;
      return addAmendment(campaign.ports.files, campaign.paths.folder, { kind: 'complete_looks', trial: null, by: request.by, at: request.at });
  }
}
