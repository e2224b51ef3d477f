// Tools that tell what a repository and a study are before and between campaigns. Imported by the workbench.
import type { CampaignState } from '../../../src-protocol/repository.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import { experimentsFile } from '../../../src-protocol/files/experiment.ts';
import type { Ports } from '../../ports.ts';
import { hasBundledApproval } from '../contract/bundled-example.ts';
import { checkApproval, approvedOrRefuse } from '../contract/check-approval.ts';
import { readContract } from '../contract/contract-file.ts';
import { shownStatus, stateOf } from '../contract/handlers.ts';
import { readGates } from '../contract/gate-changes.ts';
import type { RequireApproval } from '../dispatch/handler.ts';
import type { Handler } from '../dispatch/handler.ts';
import { detectableEffect } from '../statistics/plan-power.ts';
import { checkStudy, listStudies } from '../study/load-study.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { projectPaths } from '../workspace/layout.ts';
import { tryYamlFile } from '../workspace/read-file.ts';
import { changesOf } from './conclude.ts';
import { budgetSeconds } from './judges.ts';
import { readRunState, readVerdictFile, requireRepository } from './read-campaign.ts';

const power = 0.9;

export const repositoryShow: Handler<'repository_show'> = async ({ root }, { ports }) => {
  await requireRepository(ports, root);
  const contract = await readContract(ports.files, root);
  const gates = (await readGates(ports, root)).map((gate) => ({ gate: gate.gate, status: shownStatus(gate.state) }));
  const reasons = await readReasons(ports, root);
  const studies = await Promise.all((await listStudies(ports.files, root)).map((study) => showStudy(ports, root, { study, why: reasons.get(study) ?? '' })));
  const open = gates.filter((gate) => gate.status !== 'confirmed');
  return { root, project: contract.project, gates, studies, next: nextCommand(open, studies, contract.gates.experiment.value?.study ?? null) };
};

export const studyCheck: Handler<'study_check'> = async ({ root, study }, { ports }) => {
  await requireRepository(ports, root);
  const check = await checkStudy({ files: ports.files, node: ports.node, machine: ports.machine, root, study });
  const loaded = check.study;
  const base = { study, problems: [...check.errors], warnings: check.warnings.map((one) => one.message) };
  if (loaded === null) {
    return { ...base, candidates: [], stages: [], trials_planned: 0, trials_to_last_look: 0, cost: null, detectable_effect_sd: null, can_show: 'Nothing can be said before the problems are mended.' };
  }
  const { cost, stages } = loaded;
  const looks = stages.verify.looks;
  const effect = looks.length === 0 ? null : detectableEffect(looks, power);
  const { noise, screen, refine, verify } = cost.trials;
  const search = noise + screen + refine;
  const once = (trials: number) => ({ trials, trials_to_last_look: trials });
  return {
    ...base,
    candidates: loaded.candidates.map((candidate) => ({ candidate: candidate.name, changes: [...changesOf(candidate)], note: candidate.note ?? '' })),
    stages: [
      ...(stages.noise === null ? [] : [{ stage: 'noise' as const, ...once(noise), timesteps: stages.noise.timesteps, parallel: stages.screen.max_parallel }]),
      { stage: 'screen' as const, ...once(screen), timesteps: stages.screen.timesteps, parallel: stages.screen.max_parallel },
      { stage: 'refine' as const, ...once(refine), timesteps: stages.refine.timesteps, parallel: stages.refine.max_parallel },
      { stage: 'verify' as const, trials: cost.firstVerify, trials_to_last_look: verify, timesteps: stages.verify.timesteps, parallel: stages.verify.max_parallel },
    ],
    trials_planned: search + cost.firstVerify,
    trials_to_last_look: search + verify,
    cost: { bound_s: cost.totalS, budget_s: Number.isFinite(budgetSeconds(loaded)) ? budgetSeconds(loaded) : null, verify_reserve_s: cost.reserveS },
    detectable_effect_sd: effect,
    can_show: canShow(loaded, effect),
  };
};

/** For dispatch: whether a study may spend. A bundled example that was not started yet runs on the approval it ships with. */
export function makeRequireApproval(ports: Ports): RequireApproval {
  return async ({ root, study, tool }) => {
    await requireRepository(ports, root);
    const check = await checkApproval(ports, root, study);
    if (!check.ok && tool === 'campaign_run' && check.code !== 'damaged') {
      // The handler tells what is wrong with the study itself before it asks for an approval.
      const { errors } = await checkStudy({ files: ports.files, node: ports.node, machine: ports.machine, root, study });
      if (errors.length > 0 || (await hasBundledApproval(ports, root, study))) return { agentsMayStart: false };
    }
    return { agentsMayStart: approvedOrRefuse(check).agentsMayStart };
  };
}

async function showStudy(ports: Ports, root: string, { study, why }: { readonly study: string; readonly why: string }) {
  const { errors } = await checkStudy({ files: ports.files, node: ports.node, root, study });
  const { state } = await readRunState(ports, root, study);
  const verdict = await readVerdictFile(ports, root, study);
  return { study, why, readable: errors.length === 0, approval: stateOf(await checkApproval(ports, root, study)), campaign: state, verdict: verdict?.word ?? null };
}

async function readReasons(ports: Ports, root: string): Promise<ReadonlyMap<string, string>> {
  const file = await tryYamlFile(ports.files, projectPaths(root).experiments, experimentsFile);
  if (!file.ok) {
    if (file.refusal.code === 'not_found') return new Map();
    throw new RefusalError(file.refusal);
  }
  return new Map(file.file.value.experiments.map((one) => [one.study, one.why]));
}

function nextCommand(open: readonly { readonly gate: string; readonly status: string }[], studies: readonly { readonly study: string; readonly readable: boolean; readonly approval: string; readonly campaign: CampaignState }[], named: string | null): string {
  const live = studies.find((one) => one.campaign === 'running' || one.campaign === 'paused');
  if (live !== undefined) return `rlxp campaign ${live.campaign === 'paused' ? 'resume' : 'watch'} ${live.study}`;
  const broken = studies.find((one) => !one.readable);
  if (broken !== undefined) return `rlxp study check ${broken.study}`;
  const ready = studies.find((one) => one.approval === 'valid' && one.campaign !== 'completed');
  if (ready !== undefined) return `rlxp campaign run ${ready.study}`;
  const [gate] = open;
  if (gate !== undefined) return gate.status === 'missing' ? `rlxp contract set ${gate.gate} --value JSON (rlxp contract show gives examples)` : `rlxp contract confirm ${gate.gate}`;
  const [first] = studies;
  if (first === undefined) return named === null ? 'write a study in .rlxp/studies, then rlxp study check <study>' : `write .rlxp/studies/${named}.yaml, then rlxp study check ${named}`;
  return first.campaign === 'completed' ? `rlxp report ${first.study}` : `rlxp approve ${first.study}`;
}

function canShow(study: LoadedStudy, effect: number | null): string {
  const looks = study.stages.verify.looks;
  if (effect === null) return 'Without fresh seeds the verdict can only say whether the winner was reproduced; add verify.looks, for example [5, 8, 10].';
  return `With looks at ${looks.join(', ')} pairs of fresh seeds, a gain of ${effect.toFixed(1)} times the spread between seeds is found ${power * 10} times in 10.`;
}
