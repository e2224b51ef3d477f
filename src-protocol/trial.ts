// Tools of single trials: the list of finished ones, and why the episodes of one end.
import { z } from 'zod';
import { slug } from './files/plain.ts';
import { trialRecord } from './files/record.ts';
import { approvalRefusals, readRefusals, root, study, trialFolder } from './place.ts';
import { candidateCauses } from './ranking.ts';
import { tool } from './tool.ts';

export const trialList = tool({
  name: 'trial_list',
  title: 'List trials',
  use: 'Lists every finished trial of a study with its status, score and folder, in the order they finished.',
  effect: 'read',
  input: z.strictObject({ root, study }),
  output: z.strictObject({ study: slug, trials: z.array(trialRecord) }),
  refusals: readRefusals,
  cli: { path: ['trial', 'list'], positional: ['study'] },
});

export const trialCauses = tool({
  name: 'trial_causes',
  title: 'Why episodes end',
  use: 'Tells why the episodes of a trial end, per cause with intervals, beside the baseline. Reads the recorded evaluation; with `episodes` it replays the trial\'s checkpoint for that many episodes, which uses the device.',
  effect: 'read',
  raisedBy: 'episodes',
  about: 'study',
  input: z.strictObject({
    root,
    study,
    trial: trialFolder,
    episodes: z.number().int().min(1).max(100_000).optional().describe('Replay the checkpoint for this many episodes'),
  }),
  output: z.strictObject({
    study: slug,
    /** `records`: the trial's own evaluation; `replay`: episodes run just now. */
    from: z.enum(['records', 'replay']),
    trial: candidateCauses,
    /** The same for the baseline of the same stage; null when the trial is the baseline or there is none. */
    baseline: candidateCauses.nullable(),
  }),
  refusals: [...readRefusals, ...approvalRefusals, 'no_checkpoint', 'campaign_running', 'unwritable', 'not_supported'],
  cli: { path: ['trial', 'causes'], positional: ['trial'] },
});
