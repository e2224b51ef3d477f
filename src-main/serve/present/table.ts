// Text in columns and paragraphs for terminals. Imported by presenters and the help.

export type Align = 'left' | 'right';

/**
 * Aligns cells by column, two spaces apart; the last column is not padded. Styled cells count by what shows. With `columns`, a last cell
 * that would run over them is wrapped: beside its row where there is room, else below it.
 */
export function alignRows(rows: readonly (readonly string[])[], aligns: readonly Align[] = [], columns = Infinity): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, shownLength(cell))));
  const padded = (row: readonly string[]) => row.map((cell, column) => pad(cell, { width: widths[column] ?? 0, align: aligns[column] ?? 'left', isLast: column === row.length - 1 })).join('  ').trimEnd();
  return rows.flatMap((row) => {
    const line = padded(row);
    if (shownLength(line) <= columns || row.length < 2) return [line];
    const before = padded([...row.slice(0, -1), '\u0000']).replace('\u0000', '');
    const room = columns - shownLength(before);
    const [first = '', ...others] = wrap(row[row.length - 1] ?? '', Math.max(20, room < 24 ? columns - 6 : room));
    if (room < 24) return [before.trimEnd(), ...[first, ...others].map((text) => `      ${text}`)];
    return [before + first, ...others.map((text) => ' '.repeat(shownLength(before)) + text)];
  });
}

export function widestOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map(shownLength));
}

/** Breaks at spaces so that no line is longer than `width`, unless a single word is; lines after the first start with `hanging`. */
export function wrap(text: string, width: number, indent = '', hanging = indent): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const start = lines.length === 0 ? indent : hanging;
    if (line !== '' && start.length + line.length + 1 + word.length > width) {
      lines.push(start + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') lines.push((lines.length === 0 ? indent : hanging) + line);
  return lines;
}

/** Cut to `width` shown characters, with an ellipsis; for text without styles. */
export function cut(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

const styles = /\u001b\[[0-9;]*m/g;

function shownLength(cell: string): number {
  return [...cell.replace(styles, '')].length;
}

function pad(cell: string, to: { readonly width: number; readonly align: Align; readonly isLast: boolean }): string {
  const gap = ' '.repeat(Math.max(0, to.width - shownLength(cell)));
  if (to.align === 'right') return gap + cell;
  return to.isLast ? cell : cell + gap;
}
