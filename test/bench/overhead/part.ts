// What a campaign costs beside its trials, measured on a whole campaign of SB3-like trainings. Imported by parts.ts.
import { join } from 'node:path';
import { figureText } from '../spread.ts';
import type { Bench, BenchPart, PartReport, Table } from '../bench-part.ts';
import { benchPorts } from '../bench-ports.ts';
import { makeBenchProject } from './bench-project.ts';
import { measureCampaign, type CampaignCost } from './campaign-cost.ts';

const bar = 'the engine uses less than 1 % of what trainings of 60 s use';
const trainingOfTheBarS = 60;

export const overheadPart: BenchPart = {
  name: 'overhead',
  title: 'What the engine costs beside its trials',
  measures:
    'Five trainings of a program that logs, prints and saves as Stable-Baselines3 does (a rollout, ten scalars, a table and a flush every 0.75 s of CPU time; ' +
    '200 KB of checkpoint every fifth), one slot, in a git work tree. The engine is the babysitter, the campaign process and every program they start that is no trial. ' +
    'CPU seconds are those of wait4; evaluations are counted apart.',
  peers: [],
  bars: [bar],
  options: { 'trial-s': '60', 'rollout-s': '0.75', profile: '' },
  run,
};

async function run(bench: Bench): Promise<PartReport> {
  const { ports, engine, programs } = benchPorts(bench, ['python3', 'git']);
  const { 'trial-s': trialS, 'rollout-s': rolloutS, profile } = bench.options;
  const project = await makeBenchProject({
    ports,
    root: join(bench.folder, 'project'),
    usage: join(bench.folder, 'usage.jsonl'),
    programs,
    trialS: bench.isQuick ? Math.min(6, Number(trialS)) : Number(trialS),
    rolloutS: Number(rolloutS),
  });
  const nodeArguments = profile === undefined || profile === '' ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
  const cost = await measureCampaign({ project, programs, engine, nodeArguments });
  const percent = `${(100 * cost.ratio).toFixed(2)} %`;
  // Start and end of a campaign weigh more beside short trainings; of those the bar says nothing.
  const isDue = cost.trainerS / cost.trainings > 0.9 * trainingOfTheBarS;
  return { tables: tablesOf(cost, percent), bars: isDue ? [{ bar, state: cost.ratio < 0.01 ? 'met' : 'missed', measured: percent }] : [], notRun: [], versions: {} };
}

function tablesOf(cost: CampaignCost, percent: string): readonly Table[] {
  const s = (value: number): string => `${figureText(value)} s`;
  const inside = cost.phases.reduce((sum, phase) => sum + phase.cpuS, 0);
  return [
    {
      columns: ['figure', 'measured'],
      rows: [
        [`campaign of ${cost.trainings} trainings of ${s(cost.trainerS / cost.trainings)} CPU and ${cost.evaluations} evaluations`, `${s(cost.wallS)} wall`],
        ['CPU of trainers; of evaluators; of the engine', `${s(cost.trainerS)}; ${s(cost.evaluatorS)}; ${s(cost.engineS)}`],
        ['engine against trainers', percent],
      ],
    },
    {
      columns: ['campaign process, by what happens', 'times', 'CPU', 'wall', 'CPU each, or in a second'],
      rows: [
        ...cost.phases.map(({ name, times, wallS, cpuS }) => {
          const isSteady = name === 'training' || name === 'evaluation';
          return [name, String(times), s(cpuS), s(wallS), isSteady ? `${((1000 * cpuS) / wallS).toFixed(2)} ms a second` : `${((1000 * cpuS) / times).toFixed(0)} ms each`];
        }),
        ['beside it: the babysitter, git, the first moments of the campaign process and its last', '', s(cost.engineS - inside), '', ''],
      ],
    },
  ];
}
