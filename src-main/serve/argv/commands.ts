// The tree of commands, derived from the path of every declaration. Imported by the argv door.
import { nearestWord } from '../../../src-protocol/nearest.ts';
import type { Declared } from './flags.ts';

export type Found =
  | { readonly kind: 'command'; readonly declared: Declared; readonly rest: readonly string[] }
  /** The words name a group (or nothing yet): its commands are listed. */
  | { readonly kind: 'group'; readonly path: readonly string[] }
  | { readonly kind: 'unknown'; readonly word: string; readonly path: readonly string[]; readonly near: string | null };

/** Follows the leading words that are no flags, as far as a command goes on; what the command does not take up is left in `rest`. */
export function findCommand(all: readonly Declared[], words: readonly string[]): Found {
  const path: string[] = [];
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-')) return { kind: 'group', path };
    const isKnown = commandsBelow(all, [...path, word]).length > 0;
    if (!isKnown) return { kind: 'unknown', word, path, near: nearestWord(word, nextWords(all, path)) };
    path.push(word);
    const declared = all.find((one) => isSamePath(one.cli.path, path));
    const next = words[index + 1];
    const isLonger = next !== undefined && commandsBelow(all, [...path, next]).length > 0;
    if (declared !== undefined && !isLonger) return { kind: 'command', declared, rest: words.slice(index + 1) };
  }
  return { kind: 'group', path };
}

export function commandsBelow(all: readonly Declared[], path: readonly string[]): readonly Declared[] {
  return all.filter((one) => path.every((word, index) => one.cli.path[index] === word));
}

function nextWords(all: readonly Declared[], path: readonly string[]): readonly string[] {
  return [...new Set(commandsBelow(all, path).flatMap((one) => one.cli.path[path.length] ?? []))];
}

function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
