// What a campaign costs in CPU seconds beside what its trials cost, as a whole and by phase. Imported by test/bench only.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { study, type BenchProject } from './bench-project.ts';
import { cpuBetween, sampleCpu, type CpuSample } from './cpu-samples.ts';

export interface Usage {
  readonly kind: 'campaign' | 'train' | 'evaluate';
  readonly started_s: number;
  readonly ended_s: number;
  readonly tree_cpu_s: number;
  readonly own_cpu_s: number;
}

export interface CampaignCost {
  readonly wallS: number;
  readonly trainings: number;
  readonly evaluations: number;
  readonly trainerS: number;
  readonly evaluatorS: number;
  /** The babysitter, the campaign process, and every program they started that is no trial (git). */
  readonly engineS: number;
  readonly ratio: number;
  /** The campaign process alone, by what it was doing. */
  readonly phases: readonly Phase[];
}

export interface Phase {
  readonly name: string;
  readonly times: number;
  readonly wallS: number;
  readonly cpuS: number;
}

export interface CostOptions {
  readonly project: BenchProject;
  readonly programs: string;
  readonly engine: string;
  /** Arguments for the campaign's Node, such as `--cpu-prof`; with any the campaign runs without its babysitter. */
  readonly nodeArguments: readonly string[];
}

export async function measureCampaign({ project, programs, engine, nodeArguments }: CostOptions): Promise<CampaignCost> {
  const entry = nodeArguments.length === 0 ? 'babysitter.js' : 'campaign.js';
  const command = [join(programs, 'measure.py'), project.usage, 'campaign', process.execPath, ...nodeArguments, join(engine, entry), project.root, study];
  const child = spawn('python3', command, { cwd: project.root, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const sampler = sampleCpu(() => campaignPid(project.root), 100);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  sampler.stop();
  if (code !== 0) throw new Error(`the campaign ended with ${code}: ${text}`);
  process.stderr.write(text);
  const lines = readFileSync(project.usage, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Usage);
  return costOf(lines, sampler.samples);
}

/** The campaign's own pid, once it has told it. */
function campaignPid(root: string): number | null {
  const path = join(root, '.rlxp/runs', study, 'campaign.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { readonly pid: number }).pid : null;
}

function costOf(lines: readonly Usage[], samples: readonly CpuSample[]): CampaignCost {
  const campaign = lines.find((line) => line.kind === 'campaign');
  if (campaign === undefined) throw new Error('the campaign left no line');
  const trials = lines.filter((line) => line.kind !== 'campaign').sort((a, b) => a.started_s - b.started_s);
  const of = (kind: Usage['kind']) => trials.filter((line) => line.kind === kind);
  const trainerS = sum(of('train').map((line) => line.tree_cpu_s));
  const engineS = campaign.tree_cpu_s - sum(trials.map((line) => line.tree_cpu_s + line.own_cpu_s));
  return {
    wallS: campaign.ended_s - campaign.started_s,
    trainings: of('train').length,
    evaluations: of('evaluate').length,
    trainerS,
    evaluatorS: sum(of('evaluate').map((line) => line.tree_cpu_s)),
    engineS,
    ratio: engineS / trainerS,
    phases: phasesOf(campaign, trials, samples),
  };
}

function phasesOf(campaign: Usage, trials: readonly Usage[], samples: readonly CpuSample[]): readonly Phase[] {
  const phases = new Map<string, { times: number; wallS: number; cpuS: number }>();
  const add = (name: string, fromS: number, toS: number) => {
    const phase = phases.get(name) ?? { times: 0, wallS: 0, cpuS: 0 };
    phases.set(name, { times: phase.times + 1, wallS: phase.wallS + toS - fromS, cpuS: phase.cpuS + cpuBetween(samples, fromS, toS) });
  };
  let at = campaign.started_s;
  let before: Usage['kind'] | null = null;
  for (const trial of trials) {
    add(before === null ? 'start to first training' : `${nameOf(before)} to ${nameOf(trial.kind)}`, at, trial.started_s);
    add(nameOf(trial.kind), trial.started_s, trial.ended_s);
    at = trial.ended_s;
    before = trial.kind;
  }
  add('last evaluation to end', at, campaign.ended_s);
  return [...phases].map(([name, phase]) => ({ name, ...phase }));
}

function nameOf(kind: Usage['kind']): string {
  return kind === 'train' ? 'training' : 'evaluation';
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
