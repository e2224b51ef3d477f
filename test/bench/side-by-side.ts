// Programs that do the same work, run in turn in one sitting: repeats are interleaved, so that what else the machine does meets
// all alike, and ratios are taken round by round. Imported by parts of test/bench.
import { NotRun } from './bench-part.ts';
import type { BarResult, Bench, PartReport, Table } from './bench-part.ts';
import { figureText, spreadOf, spreadText } from './spread.ts';
import type { Spread } from './spread.ts';

export interface Figure {
  /** Key in what a contender returns. */
  readonly name: string;
  /** As printed, with its unit: `steps a second`. */
  readonly title: string;
  /** The ratio is ours against theirs, turned so that above 1 ours is better. */
  readonly isBetter: 'higher' | 'lower';
  readonly digits?: number;
}

export interface Contender {
  readonly name: string;
  /** Makes ready; nothing of it is measured. NotRun leaves this contender out. */
  prepare(bench: Bench): Promise<Prepared>;
}

export interface Prepared {
  readonly versions?: Readonly<Record<string, string>>;
  /** One repeat; keys are names of figures. A figure that a contender does not have is left out. `round` counts from 0. */
  measure(round: number): Promise<Readonly<Record<string, number>>>;
}

export interface SideBySide {
  readonly figures: readonly Figure[];
  /** Ours first. */
  readonly contenders: readonly [Contender, ...Contender[]];
  readonly rounds: { readonly full: number; readonly quick: number };
  readonly bars: readonly Bar[];
}

/** A bar on the median: of our figure, or of the ratio to a peer. */
export interface Bar {
  readonly text: string;
  readonly figure: string;
  /** Name of a contender: the ratio to it is meant (above 1: ours is better). Absent: our own figure. */
  readonly against?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** contender -> figure -> one value for each round, NaN where it has none. */
type Measured = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;

export async function runSideBySide(bench: Bench, plan: SideBySide): Promise<PartReport> {
  const rounds = bench.rounds ?? (bench.isQuick ? plan.rounds.quick : plan.rounds.full);
  const notRun: { what: string; why: string }[] = [];
  const versions: Record<string, string> = {};
  const ready: { readonly name: string; readonly prepared: Prepared }[] = [];
  for (const contender of plan.contenders) {
    try {
      const prepared = await contender.prepare(bench);
      Object.assign(versions, prepared.versions);
      ready.push({ name: contender.name, prepared });
    } catch (error) {
      if (!(error instanceof NotRun)) throw error;
      notRun.push({ what: contender.name, why: error.message });
    }
  }
  const measured = new Map(ready.map(({ name }) => [name, new Map(plan.figures.map((figure) => [figure.name, [] as number[]]))]));
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first changes, since the first one meets a cooler machine.
    for (const [turn] of ready.entries()) {
      const { name, prepared } = ready[(turn + round) % ready.length] ?? never();
      const values = await prepared.measure(round);
      for (const [figure, list] of measured.get(name) ?? []) list.push(values[figure] ?? NaN);
      bench.say(`round ${round + 1} of ${rounds}, ${name}: ${Object.entries(values).map(([key, value]) => `${key} ${figureText(value)}`).join(', ')}`);
    }
  }
  return { tables: [tableOf(plan, measured)], bars: plan.bars.map((bar) => judge(plan, bar, measured)), notRun, versions };
}

function tableOf(plan: SideBySide, measured: Measured): Table {
  const [ours, ...peers] = plan.contenders.map(({ name }) => name).filter((name) => measured.has(name));
  if (ours !== plan.contenders[0].name) return { columns: ['figure'], rows: [] };
  return {
    columns: ['figure', ours, ...peers.flatMap((peer) => [peer, `against ${peer}`])],
    rows: plan.figures.map((figure) => [
      figure.title,
      text(ownSpread(measured, ours, figure.name), figure.digits),
      ...peers.flatMap((peer) => {
        const ratio = ratioSpread(measured, figure, ours, peer);
        return [text(ownSpread(measured, peer, figure.name), figure.digits), ratio === null ? '' : `${spreadText(ratio)} x`];
      }),
    ]),
  };
}

function text(spread: Spread | null, digits?: number): string {
  return spread === null ? '' : spreadText(spread, digits);
}

function ownSpread(measured: Measured, contender: string, figure: string): Spread | null {
  const values = (measured.get(contender)?.get(figure) ?? []).filter((value) => Number.isFinite(value));
  return values.length === 0 ? null : spreadOf(values);
}

/** Round by round; above 1 ours is better. */
function ratioSpread(measured: Measured, figure: Figure, ours: string, peer: string): Spread | null {
  const theirs = measured.get(peer)?.get(figure.name) ?? [];
  const ratios = (measured.get(ours)?.get(figure.name) ?? []).map((value, round) => {
    const other = theirs[round] ?? NaN;
    return figure.isBetter === 'higher' ? value / other : other / value;
  });
  const finite = ratios.filter((ratio) => Number.isFinite(ratio));
  return finite.length === 0 ? null : spreadOf(finite);
}

function judge(plan: SideBySide, bar: Bar, measured: Measured): BarResult {
  const figure = plan.figures.find(({ name }) => name === bar.figure) ?? never();
  const ours = plan.contenders[0].name;
  const spread = bar.against === undefined ? ownSpread(measured, ours, figure.name) : ratioSpread(measured, figure, ours, bar.against);
  if (spread === null) return { bar: bar.text, state: 'not run', measured: '' };
  const isMet = spread.median >= (bar.atLeast ?? -Infinity) && spread.median <= (bar.atMost ?? Infinity);
  return { bar: bar.text, state: isMet ? 'met' : 'missed', measured: `${spreadText(spread)}${bar.against === undefined ? '' : ' x'}` };
}

function never(): never {
  throw new RangeError('a bar names a figure that is not measured');
}
