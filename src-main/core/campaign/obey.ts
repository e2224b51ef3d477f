// Does what a request in control/ asks for. Imported by this room only.
import type { ControlRequest } from '../../../src-protocol/files/event.ts';
import { addAmendment, type Amendment } from './amendments.ts';
import { applyAmendment } from './apply-amendment.ts';
import type { Run } from './run-state.ts';
import { writePatiently } from './write-patiently.ts';

export function obey(run: Run, request: ControlRequest): void {
  const { campaign, events } = run;
  const { steering } = campaign;
  // Not waited for: a stop must be heard while the disk takes nothing.
  const keep = (amendment: Omit<Amendment, 'schema'>) => {
    const kept = writePatiently(campaign, () => addAmendment(campaign.ports.files, campaign.paths.folder, amendment));
    void kept.catch((error: unknown) => campaign.ports.log.warn('a wish could not be kept beside the run', { kind: amendment.kind, error: String(error) }));
  };
  switch (request.action) {
    case 'stop':
      campaign.asked = 'stop';
      return steering.stop(`stopped by ${request.by}`);
    case 'pause':
      campaign.asked = 'pause';
      return steering.pause(`${request.by} asked for it`);
    case 'pause_now':
      campaign.asked = 'pause';
      return steering.pauseNow(`${request.by} asked for it; running trials are ended and run again later`);
    case 'resume':
      campaign.asked = null;
      return steering.resume(request.by);
    case 'skip': {
      const { trial, by, at } = request;
      if (trial === null || !steering.skip(trial)) return;
      events.add({ kind: 'warning', text: `${trial} skipped by ${by}` }, `${trial} skipped by ${by}`);
      // Its record says so; another extra trial of this name may be asked for.
      if (trial.startsWith('extra-')) return;
      return keep({ kind: 'skip', trial, by, at });
    }
    case 'amend':
      void applyAmendment(run, request.by).catch((error: unknown) => {
        const text = `the budget as it was raised could not be read (${String(error)}); raise it again, or run the campaign again`;
        events.add({ kind: 'warning', text }, text);
      });
      return;
    case 'complete_looks':
      campaign.isCompletingLooks = true;
      return keep({ kind: 'complete_looks', trial: null, by: request.by, at: request.at });
  }
}
