// How often the verdict is right, by simulation through the whole decision code. Imported by parts.ts. Rules: docs/specs/verdict.md, V23 to V26.
import { NotRun } from '../bench-part.ts';
import type { BarResult, Bench, BenchPart, PartReport } from '../bench-part.ts';
import { cases } from './cases.ts';
import { chunksOf } from './chunk.ts';
import { bars, judge, type Counted } from './judge.ts';
import { checkWithNumpy, numpyBar } from './numpy-check.ts';
import { runChunks } from './pool.ts';
import { tablesOf } from './tables.ts';
import { addTallies, emptyTally } from './tally.ts';

export const verdictPart: BenchPart = {
  name: 'verdict',
  title: 'How often the verdict is right',
  measures:
    'Whole campaigns are simulated: the score of each training is drawn (normal where nothing else is said, one unit is the sd over seeds of one arm; screen and refine ' +
    'correlate with 0.5 on one seed, a machine repeats to 0.05 sd), and search plan, ranking, tie band, repeat, looks, futility, verdict and words are the code that a campaign calls. ' +
    'Figures stand with one simulation error; each bar allows for three. Seeds are fixed.',
  peers: ['numpy and scipy (recount.py): the same pairs read again, the same plans simulated with another generator'],
  bars: [...Object.values(bars), numpyBar],
  run,
};

/** One in so many campaigns of a case. */
const quickShare = 15;

async function run(bench: Bench): Promise<PartReport> {
  const chunks = cases.map((one, index) => chunksOf(one.scenario, index, bench.isQuick ? Math.ceil(one.campaigns / quickShare) : one.campaigns));
  const total = chunks.flat();
  const tallies = await runChunks(bench.program('verdict/simulate.process'), total, (done) => {
    if (done % 20 === 0) bench.say(`${done} of ${total.length} pieces simulated`);
  });
  let at = 0;
  const counted = cases.map((one, index): Counted => {
    const own = tallies.slice(at, (at += chunks[index]?.length ?? 0));
    return { case: one, tally: own.reduce(addTallies, emptyTally) };
  });
  const report = { tables: tablesOf(counted), bars: judge(counted), notes };
  try {
    const python = await bench.python('test/bench/verdict/requirements.txt');
    const check = checkWithNumpy(bench, python, counted.filter(({ case: { group } }) => group === 'equal' || group === 'effect'));
    return { ...report, tables: [...report.tables, check.table], bars: [...report.bars, check.bar], notRun: [], versions: check.versions };
  } catch (error) {
    if (!(error instanceof NotRun)) throw error;
    const bar: BarResult = { bar: numpyBar, state: 'not run', measured: '' };
    return { ...report, bars: [...report.bars, bar], notRun: [{ what: 'numpy and scipy', why: error.message }], versions: {} };
  }
}

const notes: readonly string[] = [
  'The level of a plan rests on normal differences. It is kept under heavy tails, two humps and unequal spreads; it is not kept where the winner is skewed much more than the baseline, ' +
    'and no rule on five to ten seeds can see a collapse that did not happen in them: read the bound on collapses beside the difference.',
  'Where a verdict says "better", its estimate is too large on average, the more so the smaller the chance to say it; that is so without looks as well ([5]).',
];
