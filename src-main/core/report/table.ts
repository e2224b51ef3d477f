// Tables in Markdown, padded so that they read well as plain text too. Imported by this room only.

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[], options: { readonly right?: readonly number[] } = {}): string {
  const isRight = (column: number) => options.right?.includes(column) === true;
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (isRight(column) ? (row[column] ?? '').padStart(width) : (row[column] ?? '').padEnd(width))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (isRight(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [line(first), rule, ...others.map(line)].join('\n');
}
