// Reads the words after a command into the input of its tool and the switches of the door. Imported by the argv door.
import type { Problem } from '../../../src-protocol/refusal.ts';
import { flagsOf } from './flags.ts';
import type { Declared, Flag } from './flags.ts';
import { flagFix } from './suggest.ts';
import { switchesOf, switchWord } from './switches.ts';
import type { Switch } from './switches.ts';
import { readValue } from './value.ts';

export interface Words {
  readonly input: Readonly<Record<string, unknown>>;
  /** `--root` as given; null when it was not. */
  readonly root: string | null;
  readonly json: boolean;
  readonly jsonl: boolean;
  readonly detach: boolean;
  readonly help: boolean;
  /** The name after `--yes`. */
  readonly yes: string | null;
  /** The switch that runs another tool instead was given. */
  readonly instead: boolean;
}

export type ReadWords = { readonly ok: true; readonly words: Words } | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reports every problem at once, not only the first. `all`: the other commands, for suggestions. */
export function readWords(declared: Declared, given: readonly string[], all: readonly Declared[]): ReadWords {
  const flags = flagsOf(declared);
  const switches = switchesOf(declared);
  const input: Record<string, unknown> = {};
  const doors: Partial<Record<Switch['name'], string>> = {};
  const problems: Problem[] = [];
  const positional = flags.filter((flag) => flag.position !== null);
  const queue = [...given];
  let isFlagsOver = false;

  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === '--' && !isFlagsOver) isFlagsOver = true;
    else if (!isFlagsOver && word === '-h') doors.help = '';
    else if (!isFlagsOver && word.startsWith('--')) readFlag(word.slice(2));
    else readPosition(word);
  }
  return problems.length > 0 && doors.help === undefined ? { ok: false, problems } : { ok: true, words: toWords(input, doors) };

  function readPosition(word: string): void {
    const flag = positional.find((one) => input[one.key] === undefined);
    if (flag === undefined) problems.push(usageProblem(word, 'there is one word too many', 'Leave it out, or put quotes around a value with spaces.'));
    else put(flag, word, `<${flag.name}>`);
  }

  function readFlag(text: string): void {
    const equals = text.indexOf('=');
    const name = equals === -1 ? text : text.slice(0, equals);
    const attached = equals === -1 ? null : text.slice(equals + 1);
    const own = switches.find((one) => switchWord(one) === name);
    if (own !== undefined) return readSwitch(own, attached);
    const flag = flags.find((one) => one.name === name || one.key === name);
    if (flag !== undefined) return readInput(flag, attached);
    const negated = flags.find((one) => `no-${one.name}` === name && one.form.type === 'boolean');
    if (negated !== undefined && attached === null) return put(negated, 'false', `--${name}`);
    problems.push(usageProblem(`--${name}`, 'there is no such flag here', flagFix(name, declared, all)));
  }

  function readSwitch(own: Switch, attached: string | null): void {
    if (own.word === '') {
      if (attached !== null) problems.push(usageProblem(`--${switchWord(own)}`, 'takes no value', `Write --${switchWord(own)} alone.`));
      doors[own.name] = '';
      return;
    }
    const value = attached ?? takeValue();
    if (value === null || value === '') problems.push(usageProblem(`--${own.name}`, 'needs a value', `Write --${own.name} ${own.word}.`));
    else doors[own.name] = value;
  }

  function readInput(flag: Flag, attached: string | null): void {
    const value = attached ?? (flag.form.type === 'boolean' ? 'true' : takeValue());
    if (value === null) problems.push(usageProblem(`--${flag.name}`, 'needs a value', `Write --${flag.name} VALUE.`));
    else put(flag, value, `--${flag.name}`);
  }

  function takeValue(): string | null {
    const next = queue[0];
    if (next === undefined || next.startsWith('--')) return null;
    return queue.shift() ?? null;
  }

  function put(flag: Flag, text: string, at: string): void {
    const read = readValue(text, flag.form);
    if (!read.ok) problems.push(usageProblem(at, read.message, 'See `--help`.'));
    else if (flag.form.type === 'array') input[flag.key] = [...((input[flag.key] as readonly unknown[] | undefined) ?? []), read.value];
    else if (input[flag.key] !== undefined) problems.push(usageProblem(at, 'is given twice', 'Keep one.'));
    else input[flag.key] = read.value;
  }
}

export function usageProblem(at: string, message: string, fix: string): Problem {
  return { file: at, line: null, column: null, message, fix };
}

function toWords(input: Readonly<Record<string, unknown>>, doors: Partial<Record<Switch['name'], string>>): Words {
  return {
    input,
    root: doors.root ?? null,
    json: doors.json !== undefined,
    jsonl: doors.jsonl !== undefined,
    detach: doors.detach !== undefined,
    help: doors.help !== undefined,
    yes: doors.yes ?? null,
    instead: doors.instead !== undefined,
  };
}
