// Every truth under which the verdict is simulated, with how many campaigns of each. Imported by test/bench/verdict.
import { plain, plans, type Collapse, type Scenario, type Shape } from './scenario.ts';

export interface Case {
  readonly group: 'equal' | 'completed equal' | 'effect' | 'completed' | 'noise' | 'collapse' | 'other';
  /** As the table prints it. */
  readonly name: string;
  readonly scenario: Scenario;
  readonly campaigns: number;
}

/** Three candidates of one effect where only what follows the search matters: fewer trainings to draw. */
const few: Scenario = { ...plain, candidates: 3 };
export const effects: readonly number[] = [0.5, 1, 2, 3];
/** The plan whose power is tabulated, in finer steps: at 0.25 futility pulls the estimate down most, near 1.6 early claims push it up most. */
export const tabulated: readonly number[] = [5, 8, 10];
const fineEffects: readonly number[] = [0.25, 0.5, 1, 1.6, 2, 3];

export const guardrailAtMargin = 'a loss of exactly the margin of a guardrail (1 sd), effect 3 sd';
export const tiedAtMargin = 'a difference of exactly the equivalence margin (1.5 sd)';

export const cases: readonly Case[] = [
  ...plans.map((looks): Case => equal(looks, 8)),
  equal(tabulated, 12),
  ...plans.map((looks): Case => ({ group: 'completed equal', name: looksText(looks), scenario: { ...few, looks, isCompleting: true }, campaigns: 30_000 })),
  ...plans.flatMap((looks) => (isTabulated(looks) ? [] : effects.map((effect): Case => withEffect(looks, effect, 10_000)))),
  ...fineEffects.map((effect): Case => withEffect(tabulated, effect, 40_000)),
  ...[0.5, 1, 2].map((effect): Case => ({ group: 'completed', name: `${looksText(tabulated)} at ${effect} sd`, scenario: { ...few, effect, isCompleting: true }, campaigns: 40_000 })),
  ...noiseCases(),
  ...collapseCases(),
  ...otherCases(),
];

function equal(looks: readonly number[], candidates: number): Case {
  return { group: 'equal', name: `${looksText(looks)}, ${candidates} candidates`, scenario: { ...plain, looks, candidates }, campaigns: 60_000 };
}

function withEffect(looks: readonly number[], effect: number, campaigns: number): Case {
  return { group: 'effect', name: `${looksText(looks)} at ${effect} sd`, scenario: { ...few, looks, effect }, campaigns };
}

function noiseCases(): readonly Case[] {
  const of = (name: string, over: Partial<Scenario>): Case => ({ group: 'noise', name, scenario: { ...few, ...over }, campaigns: 10_000 });
  const shapes: readonly (readonly [Shape, string])[] = [
    ['heavy', "heavy tails (Student's t, 3 degrees)"],
    ['skewed', 'skewed (a long tail below)'],
    ['bimodal', 'two humps (every fifth seed 2.4 sd lower)'],
  ];
  return [
    ...[0, 1].flatMap((effect) => [
      of(`seeds pair with correlation 0.6, effect ${effect} sd`, { correlation: 0.6, effect }),
      of(`candidates spread three times as wide, effect ${effect} sd`, { candidateSpread: 3, effect }),
    ]),
    ...shapes.flatMap(([shape, name]) => [0, 2].map((effect) => of(`${name}, effect ${effect} sd`, { shape, effect }))),
    of('skewed, and candidates spread three times as wide, effect 0 sd', { shape: 'skewed', candidateSpread: 3 }),
  ];
}

function collapseCases(): readonly Case[] {
  const of = (name: string, collapse: Partial<Collapse>, over: Partial<Scenario> = {}): Case => ({
    group: 'collapse',
    name,
    scenario: { ...few, ...over, collapse: { ...plain.collapse, ...collapse } },
    campaigns: 10_000,
  });
  const both = (chance: number): Partial<Collapse> => ({ candidate: chance, baseline: chance });
  return [
    ...[0.1, 0.3, 0.5].map((chance) => of(`both arms ${100 * chance} %, equal otherwise`, both(chance))),
    of('both arms 10 %, candidates 2 sd better otherwise', both(0.1), { effect: 2 }),
    of('both arms 10 % close to the floor (3 sd), equal otherwise', { ...both(0.1), depth: 3 }),
    of('candidates 20 %, equal otherwise (truly worse)', { candidate: 0.2 }),
    of('baseline 20 %, equal otherwise (truly better)', { baseline: 0.2 }),
    of('every fresh run of both', { ...both(1), isFreshOnly: true }),
    of('every fresh run of the candidates', { candidate: 1, isFreshOnly: true }),
    of('every fresh run of the baseline', { baseline: 1, isFreshOnly: true }),
    of('candidates 10 % to 10 sd below, 1 sd better otherwise: -0.1 sd in all', { candidate: 0.1, depth: 10 }, { effect: 1 }),
  ];
}

function otherCases(): readonly Case[] {
  const of = (name: string, over: Partial<Scenario>): Case => ({ group: 'other', name, scenario: { ...few, ...over }, campaigns: 10_000 });
  return [
    of(guardrailAtMargin, { effect: 3, guardrail: { margin: 1, loss: 1 } }),
    of('a guardrail with a margin of 1 sd and no loss, effect 3 sd', { effect: 3, guardrail: { margin: 1, loss: 0 } }),
    of('a guardrail with a margin of 3 sd and no loss, effect 3 sd', { effect: 3, guardrail: { margin: 3, loss: 0 } }),
    of(tiedAtMargin, { effect: 1.5, equivalenceMargin: 1.5 }),
    of('an equivalence margin of 1.5 sd and no difference', { equivalenceMargin: 1.5 }),
    of('an equivalence margin of 3 sd and no difference', { equivalenceMargin: 3 }),
    of('the machine repeats exactly, no difference', { machineNoise: 0 }),
    of('the machine repeats to half a sd, no difference', { machineNoise: 0.5 }),
    of('one of 12 candidates is 1 sd better', { candidates: 12, effect: 1, effectOf: 'first' }),
    of('one of 12 candidates is 2 sd better', { candidates: 12, effect: 2, effectOf: 'first' }),
  ];
}

export function looksText(looks: readonly number[]): string {
  return `[${looks.join(', ')}]`;
}

export function isTabulated(looks: readonly number[]): boolean {
  return looksText(looks) === looksText(tabulated);
}
