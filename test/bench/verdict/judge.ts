// The bars of the verdict, judged on tallies; each allows for three simulation errors. Imported by test/bench/verdict.
import type { BarResult } from '../bench-part.ts';
import { guardrailAtMargin, isTabulated, tiedAtMargin, type Case } from './cases.ts';
import { ratesOf, share, type Rate, type Tally } from './tally.ts';

export interface Counted {
  readonly case: Case;
  readonly tally: Tally;
}

export const bars = {
  falseBetter: 'no difference: "better" in at most 3 %, for every plan',
  wrong: 'no difference: a wrong word in at most 5 %, for every plan',
  level: 'no difference, all looks run: some look\'s interval misses in 5 %, for every plan',
  power: '[5, 8, 10] says "better" in 42 % at 1 sd and in 94.5 % at 2 sd (to half a point)',
  coverage: 'the printed interval holds the truth in at least 95 %, for every plan and effect',
  bias: '[5, 8, 10]: the estimate is at most 0.1 seed sd off, at every effect',
  completedBias: '[5, 8, 10] with all looks completed: the estimate is not off',
  collapse: 'equal collapses in both arms: "better" in at most 3 %, a wrong word in at most 5 %',
  allCollapsed: 'every run collapsed: always tied; one arm collapsed: never the wrong word',
  bounds: 'the exact bound on collapses holds the true share in at least 95 %',
  margins: 'a loss of the guardrail\'s margin passes, and a difference of the equivalence margin reads tied, in at most 3 %',
} as const;

/** Every bar but that of the independent check. Allowed: three simulation errors. */
export function judge(counted: readonly Counted[]): readonly BarResult[] {
  const of = (...groups: readonly Case['group'][]): readonly Counted[] => counted.filter((one) => groups.includes(one.case.group));
  const collapses = of('collapse');
  const equalCollapses = collapses.filter(({ case: { scenario } }) => scenario.effect === 0 && scenario.collapse.candidate === scenario.collapse.baseline && !scenario.collapse.isFreshOnly);
  const total = collapses.filter(({ case: { scenario } }) => scenario.collapse.isFreshOnly);
  return [
    atMost(bars.falseBetter, of('equal'), ({ tally }) => ratesOf(tally).falseBetter, 0.03),
    atMost(bars.wrong, of('equal'), ({ tally }) => ratesOf(tally).wrong, 0.05),
    near(bars.level, of('completed equal'), ({ tally }) => ratesOf(tally).missedSomewhere, () => 0.05, 0),
    near(bars.power, of('effect').filter(isInTable), ({ tally }) => ratesOf(tally).better, (one) => (one.case.scenario.effect === 1 ? 0.42 : 0.945), 0.005),
    atLeast(bars.coverage, of('equal', 'completed equal', 'effect', 'completed'), ({ tally }) => ratesOf(tally).covered, 0.95),
    near(bars.bias, [...of('equal'), ...of('effect')].filter((one) => isTabulated(one.case.scenario.looks)), ({ tally }) => ratesOf(tally).bias, () => 0, 0.1),
    near(bars.completedBias, [...of('completed'), ...of('completed equal').filter((one) => isTabulated(one.case.scenario.looks))], ({ tally }) => ratesOf(tally).bias, () => 0, 0),
    both(bars.collapse, atMost('', equalCollapses, ({ tally }) => ratesOf(tally).falseBetter, 0.03), atMost('', equalCollapses, ({ tally }) => ratesOf(tally).wrong, 0.05)),
    exactly(bars.allCollapsed, total),
    atLeast(bars.bounds, collapses, ({ tally }) => ratesOf(tally).boundsHeld, 0.95),
    atMost(bars.margins, of('other').filter(({ case: { name } }) => name === guardrailAtMargin || name === tiedAtMargin), marginRate, 0.03),
  ];
}

function isInTable({ case: { scenario } }: Counted): boolean {
  return isTabulated(scenario.looks) && (scenario.effect === 1 || scenario.effect === 2);
}

function marginRate({ case: { name }, tally }: Counted): Rate {
  return name === tiedAtMargin ? share(tally.words.tied ?? 0, tally.verified) : ratesOf(tally).better;
}

type RateOf = (one: Counted) => Rate;

function atMost(bar: string, list: readonly Counted[], rateOf: RateOf, limit: number): BarResult {
  return worst(bar, list, rateOf, ({ value }) => value - limit);
}

function atLeast(bar: string, list: readonly Counted[], rateOf: RateOf, limit: number): BarResult {
  return worst(bar, list, rateOf, ({ value }) => limit - value);
}

function near(bar: string, list: readonly Counted[], rateOf: RateOf, aim: (one: Counted) => number, allowed: number): BarResult {
  return worst(bar, list, rateOf, ({ value }, one) => Math.abs(value - aim(one)) - allowed);
}

/** The case that comes closest to missing, in simulation errors, speaks for all. Nothing counted is not run; an unknown rate misses. */
function worst(bar: string, list: readonly Counted[], rateOf: RateOf, excess: (rate: Rate, one: Counted) => number): BarResult {
  const rated = list.map((one) => {
    const rate = rateOf(one);
    const by = excess(rate, one) / rate.error;
    return { one, rate, by: Number.isNaN(by) ? Infinity : by };
  });
  const [first, ...others] = rated;
  if (first === undefined) return { bar, state: 'not run', measured: '' };
  const { one, rate, by } = others.reduce((most, next) => (next.by > most.by ? next : most), first);
  return { bar, state: by <= 3 ? 'met' : 'missed', measured: `${rateText(rate, bar === bars.bias || bar === bars.completedBias)} at ${one.case.name}` };
}

function both(bar: string, a: BarResult, b: BarResult): BarResult {
  const state = a.state === 'missed' || b.state === 'missed' ? 'missed' : a.state === 'not run' ? b.state : a.state;
  return { bar, state, measured: `${a.measured}; ${b.measured}` };
}

function exactly(bar: string, total: readonly Counted[]): BarResult {
  if (total.length === 0) return { bar, state: 'not run', measured: '' };
  const bad = total.map(({ case: { scenario }, tally }) => {
    const isAll = scenario.collapse.candidate === 1 && scenario.collapse.baseline === 1;
    const reached = isAll ? tally.allCollapsed - tally.verified + tally.allCollapsedTied : tally.verified - tally.falseBetter - tally.falseWorse;
    return tally.verified === 0 ? 1 : tally.verified - reached;
  });
  const sum = bad.reduce((all, one) => all + one, 0);
  return { bar, state: sum === 0 ? 'met' : 'missed', measured: `${sum} against it of ${total.reduce((all, { tally }) => all + tally.verified, 0)}` };
}

/** `2.5 +- 0.1 %`, or `-0.09 +- 0.01 sd`. */
export function rateText({ value, error }: Rate, isInSd = false): string {
  if (Number.isNaN(value)) return '';
  return isInSd ? `${(value + 0).toFixed(3)} ± ${error.toFixed(3)} sd` : `${(100 * value).toFixed(2)} ± ${(100 * error).toFixed(2)} %`;
}
