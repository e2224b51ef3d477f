// The section of a part in docs/benchmarks.md: between its two marks everything is generated, outside them nothing is touched.
// Imported by bench.ts and its test.
import type { BenchPart, PartReport, Table } from './bench-part.ts';
import type { MachineNote } from './machine-note.ts';

export function sectionOf(part: BenchPart, report: PartReport, machine: MachineNote): string {
  const versions = Object.entries({ ...machine.versions, ...report.versions }).map(([name, version]) => `${name} ${version}`);
  return [
    `## ${part.title} (\`npm run bench ${part.name}\`)`,
    part.measures,
    ...report.tables.map(tableText),
    ...(report.notes ?? []),
    report.bars.length === 0 ? '' : tableText({ columns: ['bar', 'measured', ''], rows: report.bars.map((one) => [one.bar, one.measured, one.state]) }),
    ...report.notRun.map(({ what, why }) => `Not run: ${what} (${why}).`),
    `${machine.date}, ${machine.text}; ${versions.join(', ')}.`,
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

export function tableText({ title, columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const table = [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
  return title === undefined ? table : `${title}\n\n${table}`;
}

/** `text` with the part's section replaced, or added at its end. */
export function putSection(text: string, name: string, section: string): string {
  const [open, close] = marksOf(name);
  const block = `${open}\n${section}\n${close}`;
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from === -1 && to === -1) return `${text.trimEnd()}\n\n${block}\n`;
  if (from === -1 || to < from) throw new Error(`the marks of ${name} in docs/benchmarks.md are not a pair`);
  return text.slice(0, from) + block + text.slice(to + close.length);
}

export function hasSection(text: string, name: string): boolean {
  return text.includes(marksOf(name)[0]);
}

function marksOf(name: string): readonly [string, string] {
  return [`<!-- bench ${name} -->`, `<!-- end of bench ${name} -->`];
}
