// The help of every level, derived from the declarations. Imported by the argv door.
import { alignRows, wrap } from '../present/table.ts';
import { commandsBelow } from './commands.ts';
import { flagsOf, valueWord } from './flags.ts';
import type { Declared, Flag } from './flags.ts';
import { switchesOf, switchWord } from './switches.ts';

const width = 96;

/** All commands, or those of one group. */
export function groupHelp(all: readonly Declared[], path: readonly string[]): string {
  const commands = commandsBelow(all, path);
  const rows = commands.map((one) => [`  ${usageOf(one)}`, one.title]);
  const head =
    path.length === 0
      ? ['rlxp: which change makes this agent better, and how sure are we?', '', 'usage: rlxp <command> [values] [flags]']
      : [`usage: rlxp ${path.join(' ')} <command> [values] [flags]`];
  const foot = ['`rlxp <command> --help` tells more about each. Most commands take `--root DIR` and `--json`.'];
  if (path.length === 0) foot.push(exitCodeLine);
  return lines([...head, '', 'commands:', ...alignRows(rows), '', ...foot]);
}

export function commandHelp(declared: Declared): string {
  const flags = flagsOf(declared);
  const rows = [
    ...flags.map((flag) => [`  ${flagWord(flag)}`, describe(flag)]),
    ...switchesOf(declared).map((one) => [`  --${switchWord(one)}${one.word === '' ? '' : ` ${one.word}`}`, one.description]),
  ];
  return lines([
    `usage: rlxp ${usageOf(declared)} [flags]`,
    '',
    ...wrap(declared.use, width),
    '',
    ...alignRows(rows),
    '',
    exitCodeLine,
  ]);
}

/** `campaign skip <study> <trial>` */
export function usageOf(declared: Declared): string {
  const positions = flagsOf(declared).filter((flag) => flag.position !== null);
  return [...declared.cli.path, ...positions.map((flag) => `<${flag.name}>`)].join(' ');
}

const exitCodeLine = 'exit codes: 0 done, 1 a fault of ours, 2 wrong usage, 3 refused, 4 campaign ended without completing, 130 interrupted';

function flagWord(flag: Flag): string {
  if (flag.position !== null) return `<${flag.name}>`;
  const word = flag.form.enum === undefined ? valueWord(flag.form) : 'NAME';
  return `--${flag.name}${word === '' ? '' : ` ${word}`}`;
}

function describe(flag: Flag): string {
  const parts = [flag.description];
  if (flag.form.enum !== undefined) parts.push(`(${flag.form.enum.map(String).join(', ')})`);
  if (flag.form.type === 'array') parts.push('(may be given several times)');
  if (flag.isRequired && flag.position === null && flag.key !== 'study') parts.push('(required)');
  if (flag.key === 'study') parts.push('[the only one, if there is one only]');
  if (flag.fallback !== undefined && flag.fallback !== false) parts.push(`[${JSON.stringify(flag.fallback)}]`);
  return parts.filter((part) => part !== '').join(' ');
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
