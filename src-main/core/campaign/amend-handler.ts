// campaign_amend: a person raises the budget of a study; a running campaign goes by it at once. Imported by the workbench.
import { refuse } from '../../../src-protocol/refusal.ts';
import { amendBudget } from '../contract/amend-budget.ts';
import type { Handler } from '../dispatch/handler.ts';
import { readRunState, requireStudy } from './read-campaign.ts';
import { steer } from './steer-handlers.ts';

export const campaignAmend: Handler<'campaign_amend'> = async ({ root, study, digest, wall_hours, gpu_hours, per_trial_s }, context) => {
  const { ports, caller } = context;
  await requireStudy(ports, root, study);
  const { state } = await readRunState(ports, root, study);
  if (state === 'completed' || state === 'blocked') refuse('study_finished', `The campaign of ${study} has come to its end (${state}): nothing is left to spend on.`);
  const { by, at, before, budget, digest: sealed } = await amendBudget(ports, root, { study, by: caller.by, raise: { wall_hours, gpu_hours, per_trial_s }, digest });
  const amended = { study, by, at, digest: sealed, before, budget };
  if (state !== 'running' && state !== 'paused') return { ...amended, taken: false, text: `it counts when the campaign runs: \`rlxp campaign run ${study}\`` };
  const { taken, text } = await steer({ root, study }, context, { action: 'amend', trial: null }, 'the running campaign goes by it');
  return { ...amended, taken, text };
};
