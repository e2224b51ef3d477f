// What a flag that does not exist here was probably meant to be: a flag of this command, a command, or a flag of another one. Imported by the argv door.
import { nearestWord } from '../../../src-protocol/nearest.ts';
import { flagsOf } from './flags.ts';
import type { Declared } from './flags.ts';
import { switchesOf, switchWord } from './switches.ts';

/** `flag` without its dashes; `here`: the command that was named, null when none was. */
export function flagFix(flag: string, here: Declared | null, all: readonly Declared[]): string {
  const near = nearestWord(flag, here === null ? doorFlags : flagNames(here));
  if (near !== null) return `Did you mean "--${near}"?`;
  const command = nearestCommand(flag, all);
  if (command !== null) return `Did you mean the command "rlxp ${command}"?`;
  const elsewhere = nearestWord(flag, all.flatMap(flagNames));
  const owner = elsewhere === null ? undefined : all.find((one) => flagNames(one).includes(elsewhere));
  if (elsewhere !== null && owner !== undefined) return `--${elsewhere} is a flag of "rlxp ${owner.cli.path.join(' ')}".`;
  return here === null ? 'See the list of commands.' : 'See `--help`.';
}

/** What is understood where no command was named. */
const doorFlags: readonly string[] = ['help', 'version', 'json'];

function flagNames(declared: Declared): readonly string[] {
  return [...switchesOf(declared).map(switchWord), ...flagsOf(declared).map((flag) => flag.name)];
}

function nearestCommand(word: string, all: readonly Declared[]): string | null {
  const lastWords = all.map((one) => one.cli.path[one.cli.path.length - 1] ?? '');
  const near = nearestWord(word, lastWords);
  return near === null ? null : (all.find((one) => one.cli.path[one.cli.path.length - 1] === near)?.cli.path.join(' ') ?? null);
}
