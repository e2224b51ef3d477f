// How problems with files and inputs read in a terminal: `file:line:column message`, with the fix below.
import type { Problem } from '../../../src-protocol/refusal.ts';

export function problemLines(problems: readonly Problem[]): readonly string[] {
  return problems.flatMap((one) => [`  ${placeText(one)}  ${one.message}`, ...(one.fix === '' ? [] : [`      fix: ${one.fix}`])]);
}

/** The form that editors and terminals turn into a link. */
export function placeText({ file, line, column }: Problem): string {
  return [file, line, line === null ? null : column].filter((part) => part !== null).join(':');
}
