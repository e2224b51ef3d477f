// The program behind `npm run bench`, built and started by scripts/bench.mjs: reads the command line and runs the parts asked for.
// Rules: docs/specs/bench.md.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../../scripts/python-environment.mjs';
import { startMachineNote } from './machine-note.ts';
import { parts } from './parts.ts';
import { makePeerEnvironments } from './peer-environments.ts';
import { runParts } from './run-parts.ts';

const ownOptions = {
  home: { type: 'string' },
  help: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  'no-write': { type: 'boolean', default: false },
  rounds: { type: 'string' },
  scratch: { type: 'string' },
} as const;
const partDefaults = Object.assign({}, ...parts.map((part) => part.options ?? {})) as Readonly<Record<string, string>>;
const partOptions = Object.fromEntries(Object.entries(partDefaults).map(([name, value]) => [name, { type: 'string' as const, default: value }]));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { ...partOptions, ...ownOptions } });
const home = values.home ?? process.cwd();
const say = (text: string): void => void process.stderr.write(`bench: ${text}\n`);

const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
if (values.help || unknown.length > 0) {
  process.stdout.write(`${unknown.map((name) => `There is no part ${name}.\n`).join('')}${helpText()}`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const rounds = values.rounds === undefined ? null : Number(values.rounds);
if (rounds !== null && !(Number.isInteger(rounds) && rounds > 0)) throw new RangeError(`--rounds is a whole number from 1 on, got ${values.rounds}`);
const ground = values.scratch === undefined ? tmpdir() : resolve(values.scratch);
mkdirSync(ground, { recursive: true });
const given = values as Readonly<Record<string, unknown>>;
const { isPassed } = await runParts(positionals.length === 0 ? parts : parts.filter((part) => positionals.includes(part.name)), {
  ground,
  isKept: values.keep,
  // Trials of the bench itself are not written down.
  document: values.quick || values['no-write'] || rounds !== null ? null : join(home, 'docs/benchmarks.md'),
  noteMachine: () => startMachineNote(home),
  print: (text) => void process.stdout.write(`${text}\n`),
  bench: {
    home,
    isQuick: values.quick,
    rounds,
    options: Object.fromEntries(Object.keys(partDefaults).map((name) => [name, String(given[name])])),
    say,
    program: (name) => join(home, '.cache/bench', `${name}.mjs`),
    ...makePeerEnvironments({ home, cache: values.scratch === undefined ? cacheFolder() : ground, say }),
  },
});
process.exitCode = isPassed ? 0 : 1;

function helpText(): string {
  const own = '[--quick] [--keep] [--no-write] [--rounds N] [--scratch DIR]';
  const lines = parts.map((part) => {
    const options = Object.entries(part.options ?? {}).map(([name, value]) => `    --${name} (${value === '' ? 'none' : value})\n`);
    const peers = part.peers.length === 0 ? '' : `    beside: ${part.peers.join('; ')}\n`;
    return `  ${part.name}: ${part.title}\n${peers}${part.bars.map((bar) => `    bar: ${bar}\n`).join('')}${options.join('')}`;
  });
  return `npm run bench -- [part ...] ${own}\nWithout --quick, --rounds or --no-write the figures go into docs/benchmarks.md.\n${lines.join('')}`;
}
