// The command-line door, derived from the declarations: `rlxp <path...> <values> --flags`. Imported by cli.ts and tests. Rules T40 to T59 of docs/specs/tools.md.
import { resolve } from 'node:path';
import { feeds, tools } from '../../src-protocol/index.ts';
import type { Problem, Result } from '../../src-protocol/refusal.ts';
import { commandsBelow, findCommand } from './argv/commands.ts';
import type { Found } from './argv/commands.ts';
import { exitCodes } from './argv/exit-codes.ts';
import type { ExitCode } from './argv/exit-codes.ts';
import { flagsOf, hasRoot } from './argv/flags.ts';
import type { Declared } from './argv/flags.ts';
import { commandHelp, groupHelp, usageOf } from './argv/help.ts';
import { writeFailure, writeLines, writeUsage } from './argv/output.ts';
import { runFeed } from './argv/run-feed.ts';
import { runTool } from './argv/run-tool.ts';
import { makeSession } from './argv/session.ts';
import type { Session, SessionParts } from './argv/session.ts';
import { flagFix } from './argv/suggest.ts';
import { readWords, usageProblem } from './argv/words.ts';
import type { Words } from './argv/words.ts';

const all: readonly Declared[] = [...tools, ...feeds];

export interface ArgvParts extends Omit<SessionParts, 'signal'> {
  readonly version: string;
}

/** Runs one command to its end. Never throws for what a person typed; rejects only for a bug of this door. */
export async function runArgv(argv: readonly string[], parts: ArgvParts): Promise<ExitCode> {
  const { terminal } = parts;
  if (argv[0] === '--version' || argv[0] === 'version') {
    terminal.out(`${parts.version}\n`);
    return exitCodes.ok;
  }
  const isHelp = argv[0] === 'help';
  const found = findCommand(all, isHelp ? argv.slice(1) : argv);
  if (found.kind !== 'command') return answerWithoutCommand(found, argv, parts);
  if (isHelp) return writeHelp(found.declared, parts);
  const read = readWords(found.declared, found.rest, all);
  if (!read.ok) return writeUsage(terminal, read.problems, { json: found.rest.includes('--json'), help: helpOf(found.declared) });
  if (read.words.help) return writeHelp(found.declared, parts);
  return runCommand(read.words.instead ? insteadOf(found.declared) : found.declared, read.words, parts);
}

/** The tool that a switch of this one stands for; it takes the same inputs. */
function insteadOf(declared: Declared): Declared {
  return all.find((one) => one.name === declared.cli.instead?.tool) ?? declared;
}

async function runCommand(declared: Declared, words: Words, parts: ArgvParts): Promise<ExitCode> {
  const interrupt = new AbortController();
  const stopListening = parts.terminal.onInterrupt(() => interrupt.abort());
  try {
    const session = makeSession({ ...parts, signal: interrupt.signal });
    const input = await completeInput(declared, words, session);
    if ('failure' in input) return writeFailure(parts.terminal, input.failure, words.json);
    if ('problems' in input) return writeUsage(parts.terminal, input.problems, { json: words.json, help: helpOf(declared) });
    const given = { session, words };
    return declared.kind === 'feed' ? await runFeed(declared, input.values, given) : await runTool(declared, input.values, given);
  } finally {
    stopListening();
  }
}

type CompleteInput =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly problems: readonly Problem[] }
  | { readonly failure: Exclude<Result<unknown>, { ok: true }> };

/** Adds the root, and the study when the repository has only one; says what else is missing. */
async function completeInput(declared: Declared, words: Words, session: Session): Promise<CompleteInput> {
  const values: Record<string, unknown> = { ...words.input };
  for (const { key, form } of flagsOf(declared)) if (form.format === 'path' && typeof values[key] === 'string') values[key] = resolve(session.terminal.cwd, values[key]);
  if (hasRoot(declared)) values['root'] = await session.findRoot(words.root, declared.cli.root ?? 'nearest');
  const flags = flagsOf(declared);
  const isStudyOpen = flags.some((flag) => flag.key === 'study' && flag.isRequired) && values['study'] === undefined;
  if (isStudyOpen) {
    const shown = await session.client.call('repository_show', { root: String(values['root']) });
    if (!shown.ok) return { failure: shown };
    const studies = shown.output.studies.map((one) => one.study);
    const [only] = studies;
    if (only === undefined) return { problems: [usageProblem('<study>', 'is missing, and this repository has none yet', 'Write one in .rlxp/studies first.')] };
    const named = usageOf(declared).replace('<study>', only);
    if (studies.length > 1) return { problems: [usageProblem('<study>', `this repository has several: ${studies.join(', ')}`, `Name one: rlxp ${named}.`)] };
    if (isDeliberate(declared)) return { problems: [usageProblem('<study>', 'is missing: what is approved or deleted is named by whoever does it', `Write: rlxp ${named}.`)] };
    values['study'] = only;
  }
  const missing = flags.filter((flag) => flag.isRequired && values[flag.key] === undefined);
  if (missing.length === 0) return { values };
  return { problems: missing.map((flag) => usageProblem(flag.position === null ? `--${flag.name}` : `<${flag.name}>`, 'is missing', `Write: rlxp ${usageOf(declared)}.`)) };
}

/** What a person approves or destroys they name themselves. */
function isDeliberate(declared: Declared): boolean {
  return declared.kind === 'tool' && (declared.effect === 'approve' || declared.effect === 'destroy');
}

function answerWithoutCommand(found: Exclude<Found, { kind: 'command' }>, argv: readonly string[], { terminal }: ArgvParts): ExitCode {
  const json = argv.includes('--json');
  const where = { json, help: ['rlxp', ...found.path, '--help'].join(' ') };
  if (found.kind === 'unknown') {
    const fix = found.near === null ? 'See the list of commands.' : `Did you mean "rlxp ${[...found.path, found.near].join(' ')}"?`;
    return writeUsage(terminal, [usageProblem(found.word, 'there is no such command', fix)], { ...where, code: 'unknown_tool' });
  }
  const flag = argv.find((word) => word.startsWith('-') && word !== '--help' && word !== '-h' && word !== '--json');
  if (flag !== undefined) {
    return writeUsage(terminal, [usageProblem(flag, 'a command comes first', flagFix(flag.replace(/^-+/, ''), null, commandsBelow(all, found.path)))], where);
  }
  const isAsked = found.path.length === 0 || argv.some((word) => word === '--help' || word === '-h' || word === 'help');
  if (json && !isAsked) return writeUsage(terminal, [usageProblem(found.path.join(' '), 'a command is missing after this', 'See the list of commands.')], where);
  writeLines(terminal, [groupHelp(all, found.path).trimEnd()]);
  return isAsked ? exitCodes.ok : exitCodes.usage;
}

function writeHelp(declared: Declared, { terminal }: ArgvParts): ExitCode {
  terminal.out(commandHelp(declared));
  return exitCodes.ok;
}

function helpOf(declared: Declared): string {
  return `rlxp ${declared.cli.path.join(' ')} --help`;
}
