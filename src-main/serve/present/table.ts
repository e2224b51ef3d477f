// Text in columns and paragraphs for terminals. Imported by presenters and the help.

export type Align = 'left' | 'right';

/** Aligns cells by column, two spaces apart; the last column is not padded. Styled cells count by what shows. */
export function alignRows(rows: readonly (readonly string[])[], aligns: readonly Align[] = []): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, shownLength(cell))));
  return rows.map((row) => row.map((cell, column) => pad(cell, { width: widths[column] ?? 0, align: aligns[column] ?? 'left', isLast: column === row.length - 1 })).join('  ').trimEnd());
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
