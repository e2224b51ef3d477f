// What may be wrong with stages, gates, looks and the device. Imported by this room only.
// Rules: docs/specs/study.md, S10, S11, S13 to S15.
import { countText } from '../../../src-protocol/count-text.ts';
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { StudyFile } from '../../../src-protocol/files/study.ts';
import { errorAt, type Finding, type Source } from './finding.ts';

type Study = Source<StudyFile>;
/** Verify trains exactly as refine does and has no rules of its own. */
const monitored = ['screen', 'refine'] as const;

export const mostSeeds = 1000;

export function checkGateSteps(study: Study): readonly Finding[] {
  return monitored.flatMap((stage) => {
    const last = study.value.stages[stage].timesteps;
    return study.value.stages[stage].monitor.min_reward_gates.flatMap((gate, index): Finding[] => {
      if (gate.step <= last) return [];
      const message = `the reward gate at step ${gate.step} lies beyond the ${countText(last, 'timestep')} of ${stage}`;
      return [errorAt(study, ['stages', stage, 'monitor', 'min_reward_gates', index, 'step'], { message, fix: `Move the gate to step ${last} or earlier, or train longer.` })];
    });
  });
}

/** A gate's step is read on the axis of the logged reward; it means timesteps only when the adapter says so. */
export function checkGateAxis(study: Study, adapter: Source<AdapterFile>): readonly Finding[] {
  const rewards = Object.entries(adapter.value.metrics).filter(([, metric]) => metric.meaning === 'reward');
  return monitored.flatMap((stage): Finding[] => {
    const { min_reward_gates: gates, plateau } = study.value.stages[stage].monitor;
    if (gates.length === 0 && plateau === undefined) return [];
    const rule = gates.length > 0 ? 'min_reward_gates' : 'plateau';
    const path = ['stages', stage, 'monitor', rule];
    if (rewards.length === 0) {
      return [errorAt(study, path, { atKey: true, message: `${stage} watches the reward, but ${adapter.file} maps no tag as reward`, fix: `Map the reward's tag under \`metrics\` in ${adapter.file}, or remove the rule.` })];
    }
    const other = rewards.find(([, metric]) => metric.axis !== adapter.value.axis);
    if (other === undefined) return [];
    const [tag, metric] = other;
    const message = `${stage} has a rule on the axis \`${adapter.value.axis}\` of timesteps, but the reward tag \`${tag}\` is logged on the axis \`${metric.axis}\``;
    return [errorAt(study, path, { atKey: true, message, fix: `Log the reward against ${adapter.value.axis}, correct \`axis\` in ${adapter.file}, or remove the rule.` })];
  });
}

/** Seeds of the noise stage count up from the base seed and must stay whole numbers that a record keeps exactly. */
export function checkSeeds(study: Study): readonly Finding[] {
  const { noise } = study.value.stages;
  const last = study.value.base.seed + (noise === 'off' ? 0 : noise.seeds - 1);
  if (Number.isSafeInteger(last)) return [];
  return [errorAt(study, ['base', 'seed'], { message: `the seeds of the noise stage count up from ${study.value.base.seed} and leave the numbers that are kept exactly`, fix: 'Choose a smaller seed, for example 42.' })];
}

export function checkLooks(study: Study): readonly Finding[] {
  const { verify } = study.value.stages;
  const key = verify.looks === undefined ? 'fresh_seeds' : 'looks';
  const looks = verify.looks ?? verify.fresh_seeds ?? [];
  return looks.flatMap((look, index): Finding[] => {
    const path = ['stages', 'verify', key, index];
    const before = looks[index - 1];
    if (before !== undefined && look <= before) {
      return [errorAt(study, path, { message: `\`${key}\` must rise: ${look} comes after ${before}`, fix: 'List the counts of seeds in rising order, for example [5, 8, 10].' })];
    }
    if (look <= mostSeeds) return [];
    return [errorAt(study, path, { message: `a look at ${look} seeds is beyond the most that is supported, ${mostSeeds}`, fix: `Use at most ${mostSeeds} seeds; ten are usually enough.` })];
  });
}

export function checkDevice(study: Study, adapter: Source<AdapterFile>): readonly Finding[] {
  if (adapter.value.framework !== 'bundled') return [];
  return devicesOf(study.value).flatMap((device, index): Finding[] => {
    if (device === 'cpu') return [];
    const path = Array.isArray(study.value.base.device) ? ['base', 'device', index] : ['base', 'device'];
    const message = `the bundled runner of this version trains on \`cpu\` only, not on \`${device}\``;
    return [errorAt(study, path, { code: 'device_unsupported', message, fix: 'Write `device: cpu`.' })];
  });
}

export function devicesOf(study: Readonly<StudyFile>): readonly string[] {
  return typeof study.base.device === 'string' ? [study.base.device] : study.base.device;
}
