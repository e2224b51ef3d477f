// Whether a study keeps to the contract. Imported by this room only. Rules: docs/specs/study.md, S16 to S21.
// A gate without a value is not judged here: nothing starts before it is confirmed; a warning says what was not checked.
import { countText } from '../../../src-protocol/count-text.ts';
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import { gateNames, type ContractFile, type GateName } from '../../../src-protocol/files/contract.ts';
import type { StudyFile } from '../../../src-protocol/files/study.ts';
import { covers, splitPath } from '../workspace/merge.ts';
import type { PathKey } from '../workspace/yaml-document.ts';
import { errorAt, warningAt, type Finding, type Source } from './finding.ts';
import type { ResolvedCandidate } from './loaded-study.ts';
import { devicesOf } from './stage-checks.ts';
import type { StudyCost } from './study-cost.ts';

type Study = Source<StudyFile>;
type Contract = Source<ContractFile>;

const checkedGates: readonly GateName[] = ['task', 'scope', 'budget', 'hardware', 'evaluation'];

export function checkOpenGates(contract: Contract): readonly Finding[] {
  return gateNames.flatMap((gate): Finding[] => {
    if (!checkedGates.includes(gate) || contract.value.gates[gate].value !== null) return [];
    return [warningAt(contract, ['gates', gate], { message: `the gate \`${gate}\` has no value yet: the study was not checked against it`, fix: `Give it one with \`rlxp contract set ${gate}\`, then confirm it.` })];
  });
}

/** `never` wins over `may_change`, in both directions: neither the listed path nor a map around it may change. */
export function checkScope(study: Study, contract: Contract, candidates: readonly ResolvedCandidate[]): readonly Finding[] {
  const scope = contract.value.gates.scope.value;
  if (scope === null) return [];
  const changes = candidates.flatMap((candidate, index) => candidate.changes.map((change) => ({ candidate, index, path: change.path })));
  const outside = changes.flatMap(({ candidate, index, path }): Finding[] => {
    const at: readonly PathKey[] = ['candidates', index, ...splitPath(path)];
    const never = scope.never.find((entry) => covers(entry, path) || covers(path, entry));
    if (never !== undefined) {
      return [errorAt(study, at, { code: 'out_of_scope', message: `\`${candidate.name}\` changes \`${path}\`, which the contract says never changes (\`${never}\`)`, fix: 'Remove the setting.' })];
    }
    if (scope.may_change.some((entry) => covers(entry, path))) return [];
    const fix = `Remove the setting, or add \`${path}\` to \`may_change\` of the scope gate and confirm it again.`;
    return [errorAt(study, at, { code: 'out_of_scope', message: `\`${candidate.name}\` changes \`${path}\`, which is outside the contract's scope`, fix })];
  });
  return [...checkScopeEntries(contract, scope), ...outside];
}

/** A scope entry that can match nothing is a slip: it would refuse every candidate for no visible reason. */
function checkScopeEntries(contract: Contract, scope: { readonly may_change: readonly string[]; readonly never: readonly string[] }): readonly Finding[] {
  return (['may_change', 'never'] as const).flatMap((list) =>
    scope[list].flatMap((entry, index): Finding[] => {
      if (['env_cfg', 'agent_cfg', 'num_envs'].includes(splitPath(entry)[0] ?? '')) return [];
      const message = `the scope path \`${entry}\` can match no setting: paths start with \`env_cfg\`, \`agent_cfg\` or \`num_envs\``;
      return [errorAt(contract, ['gates', 'scope', 'value', list, index], { message, fix: `Write \`agent_cfg.${entry}\` or \`env_cfg.${entry}\`.` })];
    }),
  );
}

export function checkBudget(study: Study, contract: Contract, cost: StudyCost): readonly Finding[] {
  const budget = contract.value.gates.budget.value;
  if (budget === null || cost.totalS <= budget.wall_hours * 3600) return [];
  const { noise, screen, refine } = cost.trials;
  const message =
    `the study can take ${hours(cost.totalS)} h: ${countText(noise + screen + refine, 'trial')} of at most ${cost.perTrialS} s in ` +
    `${countText(cost.screenSlots, 'slot')} (${hours(cost.searchS)} h) and ${hours(cost.reserveS)} h kept back for verify; the contract allows ${budget.wall_hours} h`;
  const fix = 'Take fewer candidates or looks, lower `base.max_trial_s`, or raise the budget gate and confirm it again.';
  return [errorAt(study, ['stages'], { code: 'over_budget', atKey: true, message, fix })];
}

function hours(seconds: number): string {
  return (seconds / 3600).toFixed(2);
}

export function checkEvaluation(study: Study, contract: Contract, episodesPerEnv: number): readonly Finding[] {
  const gate = contract.value.gates.evaluation.value;
  if (gate === null) return [];
  const own = { ...study.value.eval, episodes_per_env: episodesPerEnv };
  return (['episodes_per_env', 'num_envs', 'seed', 'deterministic'] as const).flatMap((key): Finding[] => {
    if (own[key] === gate[key]) return [];
    const written = key === 'episodes_per_env' && study.value.eval.episodes_per_env === undefined ? 'min_episodes' : key;
    const message = `\`eval.${key}\` is ${own[key]}, but the contract's evaluation gate says ${gate[key]}`;
    return [errorAt(study, ['eval', written], { message, fix: `Make both the same: every score must come from the evaluation that was confirmed.` })];
  });
}

export function checkCheckpointRule(adapter: Source<AdapterFile>, contract: Contract): readonly Finding[] {
  const gate = contract.value.gates.evaluation.value;
  const rule = adapter.value.checkpoints.rule;
  if (gate === null || gate.checkpoint === rule) return [];
  const message = `\`checkpoints.rule\` is \`${rule}\`, but the contract's evaluation gate says \`${gate.checkpoint}\``;
  return [errorAt(adapter, ['checkpoints', 'rule'], { message, fix: 'Make both the same.' })];
}

export function checkTaskAndHardware(study: Study, contract: Contract): readonly Finding[] {
  const { task, hardware } = contract.value.gates;
  const findings: Finding[] = [];
  if (task.value !== null && task.value.task !== study.value.base.task) {
    findings.push(errorAt(study, ['base', 'task'], { message: `the study is for the task \`${study.value.base.task}\`, but the contract is about \`${task.value.task}\``, fix: 'Name the task of the contract.' }));
  }
  if (hardware.value === null) return findings;
  const allowed = hardware.value;
  for (const device of devicesOf(study.value)) {
    if (allowed.devices.includes(device)) continue;
    findings.push(errorAt(study, ['base', 'device'], { message: `the device \`${device}\` is not among those of the hardware gate (${allowed.devices.join(', ')})`, fix: 'Use one of them, or change the hardware gate and confirm it again.' }));
  }
  for (const stage of ['screen', 'refine'] as const) {
    const slots = study.value.stages[stage].max_parallel;
    if (slots === undefined || slots <= allowed.max_parallel) continue;
    findings.push(errorAt(study, ['stages', stage, 'max_parallel'], { message: `${stage} runs ${countText(slots, 'trial')} at once, but the hardware gate allows ${allowed.max_parallel}`, fix: `Write \`max_parallel: ${allowed.max_parallel}\`, or change the hardware gate and confirm it again.` }));
  }
  return findings;
}
