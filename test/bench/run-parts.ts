// Runs parts one after the other, prints what they measured, writes it down, and says whether all bars were kept. Imported by
// bench.ts and its test.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotRun } from './bench-part.ts';
import type { Bench, BenchPart, PartReport } from './bench-part.ts';
import type { MachineNote } from './machine-note.ts';
import { hasSection, putSection, sectionOf } from './section.ts';

export interface RunOptions {
  /** Each part gets a folder in it. */
  readonly ground: string;
  readonly isKept: boolean;
  /** The Markdown file with a section for each part; null: nothing is written. */
  readonly document: string | null;
  /** Called before a part; the result after it. */
  readonly noteMachine: () => () => MachineNote;
  readonly print: (text: string) => void;
  readonly bench: Omit<Bench, 'folder'>;
}

/** Passed: no bar was missed and no part failed. What was not run is told and counts for neither side. */
export async function runParts(parts: readonly BenchPart[], options: RunOptions): Promise<{ readonly isPassed: boolean }> {
  const counts = { met: 0, missed: 0, 'not run': 0 };
  let failed = 0;
  for (const part of parts) {
    options.bench.say(`${part.name}: ${part.title}`);
    const measured = await runPart(part, options);
    if (measured === null) {
      failed += 1;
      continue;
    }
    const { report, section } = measured;
    for (const { state } of report.bars) counts[state] += 1;
    options.print(`${section}\n`);
    write(part, section, report, options);
  }
  options.print(`bars: ${counts.met} met, ${counts.missed} missed, ${counts['not run']} not run; ${failed} parts failed`);
  return { isPassed: counts.missed + failed === 0 };
}

/** Null: it failed, and that was said. A part that cannot run here at all has only bars that were not run. */
async function runPart(part: BenchPart, { ground, isKept, bench, noteMachine }: RunOptions): Promise<{ readonly report: PartReport; readonly section: string } | null> {
  const folder = realpathSync(mkdtempSync(join(ground, `rlxp-bench-${part.name}-`)));
  const noted = noteMachine();
  try {
    const report = withEveryBar(part, await part.run({ ...bench, folder }).catch((error: unknown) => reportWithout(part, error)));
    return { report, section: sectionOf(part, report, noted()) };
  } catch (error) {
    bench.say(`${part.name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return null;
  } finally {
    if (isKept) bench.say(`kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Of a part that this machine cannot run; any other error goes on. */
function reportWithout(part: BenchPart, error: unknown): PartReport {
  if (!(error instanceof NotRun)) throw error;
  return { tables: [], bars: [], notRun: [{ what: part.title, why: error.message }], versions: {} };
}

/** A declared bar that nobody judged was not run; one that was never declared is a fault of the part. */
function withEveryBar(part: BenchPart, report: PartReport): PartReport {
  const foreign = report.bars.find(({ bar }) => !part.bars.includes(bar));
  if (foreign !== undefined) throw new Error(`${part.name} judges a bar that it does not declare: ${foreign.bar}`);
  const bars = part.bars.map((bar) => report.bars.find((one) => one.bar === bar) ?? ({ bar, state: 'not run', measured: '' } as const));
  return { ...report, bars };
}

/** A run that lacks something does not take the place of one that had it. */
function write(part: BenchPart, section: string, report: PartReport, { document, bench }: RunOptions): void {
  if (document === null) return;
  const text = readFileSync(document, 'utf8');
  const isWhole = report.notRun.length === 0 && report.bars.every(({ state }) => state !== 'not run');
  if (!isWhole && hasSection(text, part.name)) return bench.say(`${part.name}: not written, since something was not run; the document keeps what it has`);
  writeFileSync(document, putSection(text, part.name, section));
}
