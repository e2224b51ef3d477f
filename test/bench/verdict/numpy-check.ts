// The independent check: recount.py reads the pairs of our verdicts again, and simulates the same plans on its own. Imported by part.ts.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nominalLevel } from '../../../src-main/core/statistics/nominal-level.ts';
import type { BarResult, Bench, Table } from '../bench-part.ts';
import { looksText } from './cases.ts';
import type { Counted } from './judge.ts';
import { plain, plans } from './scenario.ts';
import { makeSimulation } from './simulated-campaign.ts';
import { meanOf, ratesOf, type Rate } from './tally.ts';

export const numpyBar = 'numpy and scipy read the same pairs alike (word, look, numbers to 1e-9) and simulate the same rates (to 5 errors)';
/** About 150 rates are compared: one of them is 5 errors away by chance in 1 of 12,000 runs. */
const mostErrors = 5;

export interface NumpyCheck {
  readonly table: Table;
  readonly bar: BarResult;
  readonly versions: Readonly<Record<string, string>>;
}

interface Answer {
  readonly read: readonly { readonly name: string; readonly plans: number; readonly different: number; readonly distance: number }[];
  readonly simulated: readonly { readonly name: string; readonly rates: Readonly<Record<RateName, Rate>> }[];
  readonly versions: Readonly<Record<string, string>>;
}

const rateNames = ['better', 'worse', 'covered', 'bias', 'pairs'] as const;
type RateName = (typeof rateNames)[number];

/** `counted`: cases of normal, independent scores without margins, guardrails or collapses. */
export function checkWithNumpy(bench: Bench, python: string, counted: readonly Counted[]): NumpyCheck {
  const input = join(bench.folder, 'asked.json');
  const output = join(bench.folder, 'answer.json');
  const asked = {
    read: plans.flatMap((looks) => [0, 1].map((effect) => ({ name: `${looksText(looks)} at ${effect} sd`, looks, level: nominalLevel(looks), rows: rowsOf(looks, effect, bench.isQuick ? 100 : 500) }))),
    plans: bench.isQuick ? 40_000 : 400_000,
    simulate: counted.map((one) => ({ name: one.case.name, looks: one.case.scenario.looks, level: nominalLevel(one.case.scenario.looks), effect: one.case.scenario.effect })),
  };
  writeFileSync(input, JSON.stringify(asked));
  execFileSync(python, [join(bench.home, 'test/bench/verdict/recount.py'), input, output], { stdio: ['ignore', 'inherit', 'inherit'] });
  return judgeAnswer(JSON.parse(readFileSync(output, 'utf8')) as Answer, counted);
}

/** Verdicts of whole campaigns, with the differences they were read from. */
function rowsOf(looks: readonly number[], effect: number, count: number): readonly object[] {
  const run = makeSimulation({ ...plain, candidates: 3, looks, effect }, 77);
  const rows: object[] = [];
  while (rows.length < count) {
    const verdict = run();
    if (verdict === null || verdict.estimate === null || verdict.word === 'not_reproduced') continue;
    const { word, plan, estimate, pairs } = verdict;
    rows.push({ differences: pairs.map(({ difference }) => difference), word, used: plan.used, mean: estimate.mean, lower: estimate.lower, upper: estimate.upper });
  }
  return rows;
}

function judgeAnswer(answer: Answer, counted: readonly Counted[]): NumpyCheck {
  const read = answer.read.reduce((sum, one) => ({ plans: sum.plans + one.plans, different: sum.different + one.different, distance: Math.max(sum.distance, one.distance) }), { plans: 0, different: 0, distance: 0 });
  const rows = rateNames.map((name) => {
    const apart = counted.map((one, i) => {
      const ours = oursOf(one)[name];
      const theirs = answer.simulated[i]?.rates[name] ?? { value: NaN, error: NaN };
      const error = Math.hypot(ours.error, theirs.error);
      return { name: one.case.name, ours, theirs, errors: ours.value === theirs.value ? 0 : Math.abs(ours.value - theirs.value) / error };
    });
    // Not a number: something was not compared, and that is the worst.
    return { rate: name, ...apart.reduce((most, one) => (one.errors > most.errors || Number.isNaN(one.errors) ? one : most)) };
  });
  const isAlike = read.different === 0 && read.distance < 1e-9 && rows.every(({ errors }) => errors <= mostErrors);
  const most = Math.max(...rows.map(({ errors }) => errors));
  return {
    table: {
      title: `Against numpy and scipy: ${counted.length} cases simulated by both; where they differ most`,
      columns: ['rate', 'case', 'ours', 'theirs', 'apart, in simulation errors'],
      rows: rows.map(({ rate, name, ours, theirs, errors }) => [rate, name, ours.value.toFixed(4), theirs.value.toFixed(4), errors.toFixed(1)]),
    },
    bar: { bar: numpyBar, state: isAlike ? 'met' : 'missed', measured: `${read.different} of ${read.plans} read differently, numbers within ${read.distance.toExponential(0)}; rates within ${most.toFixed(1)} errors` },
    versions: answer.versions,
  };
}

function oursOf({ case: { scenario }, tally }: Counted): Readonly<Record<RateName, Rate>> {
  const { better, worse, covered, bias } = ratesOf(tally);
  // The number of pairs has no squares of its own in a tally: it lies between the first and the last look.
  const spread = ((scenario.looks[scenario.looks.length - 1] ?? 0) - (scenario.looks[0] ?? 0)) / 2;
  const pairs = { value: tally.pairs / tally.verified, error: meanOf(0, spread ** 2 * tally.verified, tally.verified).error };
  return { better, worse, covered, bias, pairs };
}
