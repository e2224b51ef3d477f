// How presenters write: styles that vanish without colour, and the width of the screen. Imported by presenters and the argv door.

export interface Look {
  readonly columns: number;
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
}

/** Colour never carries meaning alone: every coloured word also says what it means. */
export function makeLook(options: { readonly hasColour: boolean; readonly columns: number }): Look {
  const style = (code: number) => (text: string) => (options.hasColour && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { columns: options.columns, bold: style(1), dim: style(2), good: style(32), bad: style(31), warn: style(33) };
}

/** Text from files and repositories without anything a terminal would act on; line ends and tabs stay. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** The same for every string of a JSON value. */
export function printableValue(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map(printableValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [printable(key), printableValue(item)]));
}
