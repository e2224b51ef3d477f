// The tables of the verdict's section: each figure with its simulation error. Imported by part.ts.
import type { Table } from '../bench-part.ts';
import { nominalLevel } from '../../../src-main/core/statistics/nominal-level.ts';
import { looksText, type Case } from './cases.ts';
import { rateText, type Counted } from './judge.ts';
import { ratesOf, share, type Tally } from './tally.ts';

export function tablesOf(counted: readonly Counted[]): readonly Table[] {
  const of = (group: Case['group']): readonly Counted[] => counted.filter((one) => one.case.group === group);
  return [equalTable(of('equal'), of('completed equal')), effectTable([...of('equal'), ...of('effect')]), completedTable(of('completed')), wordTable('Other noise (without bars)', of('noise')), collapseTable(of('collapse')), wordTable('Guardrails, margins, repeats, one good candidate', of('other'))];
}

function equalTable(equal: readonly Counted[], completed: readonly Counted[]): Table {
  return {
    title: 'All candidates equal the baseline; the best of them is picked at screen and refine, then tested. Of the campaigns that reached a look:',
    columns: ['looks', 'level', 'campaigns', 'says "better"', 'says "worse"', 'wrong word in all', 'interval holds the truth', 'pairs', 'all looks run: some interval misses'],
    rows: equal.map(({ case: { name, scenario }, tally }) => {
      const rates = ratesOf(tally);
      const whole = completed.find((one) => looksText(one.case.scenario.looks) === looksText(scenario.looks));
      return [name, String(nominalLevel(scenario.looks)), countText(tally.verified), rateText(rates.better), rateText(rates.worse), rateText(rates.wrong), rateText(rates.covered), rates.pairs.toFixed(1), whole === undefined ? '' : rateText(ratesOf(whole.tally).missedSomewhere)];
    }),
  };
}

function effectTable(list: readonly Counted[]): Table {
  const sorted = [...list].sort((a, b) => plansOrder(list, a) - plansOrder(list, b) || a.case.scenario.effect - b.case.scenario.effect);
  return {
    title: 'Candidates better by an effect in seed sd of one arm, arms independent. The estimate is what the verdict prints; "off" is its mean distance from the truth.',
    columns: ['looks', 'effect', 'campaigns', 'says "better"', 'interval holds the truth', 'estimate off', 'off where it says "better"', 'pairs'],
    rows: sorted.map(({ case: { name, scenario }, tally }) => {
      const rates = ratesOf(tally);
      const looks = scenario.effect === 0 ? name : looksText(scenario.looks);
      return [looks, String(scenario.effect), countText(tally.verified), rateText(rates.better), rateText(rates.covered), rateText(rates.bias, true), rateText(rates.betterBias, true), rates.pairs.toFixed(1)];
    }),
  };
}

function plansOrder(list: readonly Counted[], one: Counted): number {
  return list.findIndex((other) => looksText(other.case.scenario.looks) === looksText(one.case.scenario.looks));
}

function completedTable(list: readonly Counted[]): Table {
  return {
    title: 'The same with all looks completed',
    columns: ['looks and effect', 'says "better"', 'interval holds the truth', 'estimate off', 'off where it says "better"', 'off where an earlier look read "better"'],
    rows: list.map(({ case: { name }, tally }) => {
      const rates = ratesOf(tally);
      return [name, rateText(rates.better), rateText(rates.covered), rateText(rates.bias, true), rateText(rates.betterBias, true), rateText(rates.earlyBetterBias, true)];
    }),
  };
}

function wordTable(title: string, list: readonly Counted[]): Table {
  return {
    title: `${title}; ${looksText(list[0]?.case.scenario.looks ?? [])}. Words: of all campaigns; the rest: of those that reached a look.`,
    columns: ['truth', 'words', 'wrong word', 'interval holds the truth', 'estimate off'],
    rows: list.map(({ case: { name }, tally }) => {
      const rates = ratesOf(tally);
      return [name, wordsText(tally), rateText(rates.wrong), rateText(rates.covered), rateText(rates.bias, true)];
    }),
  };
}

function collapseTable(list: readonly Counted[]): Table {
  const base = wordTable('Collapses: chance of each training, half crash and half end below `collapse_below`; the floor lies 8 sd below the baseline where nothing else is said', list);
  return {
    ...base,
    columns: [...base.columns.slice(0, -1), 'exact bounds hold'],
    rows: base.rows.map((row, i) => [...row.slice(0, -1), list[i] === undefined ? '' : rateText(ratesOf(list[i].tally).boundsHeld)]),
  };
}

function wordsText(tally: Tally): string {
  const words = Object.entries(tally.words).sort(([, a], [, b]) => b - a);
  const shares = words.map(([word, count]) => `${word} ${(100 * share(count, tally.campaigns).value).toFixed(1)} %`);
  return [...shares, ...(tally.blocked === 0 ? [] : [`blocked ${((100 * tally.blocked) / tally.campaigns).toFixed(1)} %`])].join(', ');
}

function countText(count: number): string {
  return count.toLocaleString('en-GB');
}
