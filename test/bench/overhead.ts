// The benchmark of the engine's own cost, built and started by scripts/bench-overhead.mjs. It judges nothing: it prints.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { makeSystemPorts } from '../../src-main/adapters/system-ports.ts';
import { makeBenchProject } from './bench-project.ts';
import { measureCampaign, type CampaignCost } from './campaign-cost.ts';
import { measureFlushDelay, type FlushDelay } from './flush-delay.ts';

const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    'trial-s': { type: 'string', default: '60' },
    'rollout-s': { type: 'string', default: '0.75' },
    'delay-points': { type: 'string', default: '120' },
    'only': { type: 'string' },
    'profile': { type: 'string' },
    'keep': { type: 'boolean', default: false },
  },
});
const home = values.home ?? process.cwd();
const programs = join(home, 'test/bench/programs');
const engine = join(home, 'out/engine');
const ground = realpathSync(mkdtempSync(join(tmpdir(), 'rlxp-bench-')));
process.env['RLXP_CONFIG_DIR'] = join(ground, 'config');
process.env['RLXP_RUNTIME_DIR'] = join(ground, 'runtime');
const ports = makeSystemPorts({ entryUrl: pathToFileURL(join(engine, 'cli.js')).href });

try {
  const [cpu] = cpus();
  console.log(`${cpus().length} x ${cpu?.model.trim() ?? 'unknown'}, Node ${process.versions.node}, ${process.platform}, load ${loadavg()[0]?.toFixed(1) ?? '?'} at the start`);
  if (values.only !== 'delay') tellCost(await measureCost());
  if (values.only !== 'cost') tellDelay(await measureFlushDelay({ ports, folder: join(ground, 'delay'), programs, rollouts: Number(values['delay-points']), rolloutS: 0.25 }));
  console.log(`load ${loadavg()[0]?.toFixed(1) ?? '?'} at the end`);
} finally {
  if (values.keep) console.log(`kept: ${ground}`);
  else rmSync(ground, { recursive: true, force: true, maxRetries: 3 });
}

async function measureCost(): Promise<CampaignCost> {
  const project = await makeBenchProject({ ports, root: join(ground, 'project'), usage: join(ground, 'usage.jsonl'), programs, trialS: Number(values['trial-s']), rolloutS: Number(values['rollout-s']) });
  const nodeArguments = values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', values.profile];
  return measureCampaign({ project, programs, engine, nodeArguments });
}

function tellCost(cost: CampaignCost): void {
  const s = (value: number) => `${value.toFixed(3)} s`;
  console.log(`campaign of ${cost.trainings} trainings of ${s(cost.trainerS / cost.trainings)} CPU and ${cost.evaluations} evaluations, ${s(cost.wallS)} wall`);
  console.log(`  trainers ${s(cost.trainerS)}, evaluators ${s(cost.evaluatorS)}, engine ${s(cost.engineS)}: ${(100 * cost.ratio).toFixed(2)} % of the trainers`);
  for (const { name, times, wallS, cpuS } of cost.phases) {
    const share = name === 'training' || name === 'evaluation' ? `${((1000 * cpuS) / wallS).toFixed(2)} ms a second` : `${((1000 * cpuS) / times).toFixed(0)} ms each`;
    console.log(`  ${name.padEnd(26)} x ${String(times).padStart(2)}  ${s(cpuS).padStart(9)} of ${s(wallS)}: ${share}`);
  }
  const inside = cost.phases.reduce((sum, phase) => sum + phase.cpuS, 0);
  console.log(`  ${'programs it started'.padEnd(26)}       ${s(cost.engineS - inside).padStart(9)} (git, and what fell between the last sample and the end)`);
}

function tellDelay({ points, medianMs, p95Ms, maxMs }: FlushDelay): void {
  console.log(`flush to seen, ${points} points: median ${medianMs} ms, p95 ${p95Ms} ms, longest ${maxMs} ms`);
}
