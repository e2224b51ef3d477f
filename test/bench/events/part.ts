// Reading an event file beside TensorBoard's two loaders. Imported by parts.ts.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NotRun } from '../bench-part.ts';
import type { Bench, BenchPart, PartReport } from '../bench-part.ts';
import { runSideBySide } from '../side-by-side.ts';
import type { Contender, Prepared } from '../side-by-side.ts';
import { writeEventFile } from './event-file.ts';
import type { EventFile } from './event-file.ts';

const requirements = 'test/bench/events/requirements.txt';
const python = 'TensorBoard in Python';
const serverAll = 'its data server, every point kept';
const serverSampled = 'its data server, sampling';
const equalBar = 'every series equals that of TensorBoard in Python bit for bit';
const bars = [
  { text: 'at least 50 times as fast as TensorBoard in Python', figure: 'speed', against: python, atLeast: 50 },
  { text: 'at least 3 times as fast as its data server that keeps every point', figure: 'speed', against: serverAll, atLeast: 3 },
  { text: 'at least 1.5 times as fast as its data server as it comes, which samples', figure: 'speed', against: serverSampled, atLeast: 1.5 },
];

export const eventsPart: BenchPart = {
  name: 'events',
  title: 'Reading event files',
  measures:
    'One seeded file, 40 tags, one value an event, from a warm page cache to a curve for every tag. We check every checksum and keep every point, in a new process each round; ' +
    'the Python loader runs with size guidance 0, the data server checks no checksum (its default) and reports its own load cycle.',
  peers: ['tensorboard and tensorboard-data-server (pip)'],
  bars: [...bars.map(({ text }) => text), equalBar],
  options: { 'events-mb': '100' },
  run,
};

interface Loaded {
  readonly seconds: number;
  readonly points: number;
  readonly digests: Readonly<Record<string, string>>;
}

async function run(bench: Bench): Promise<PartReport> {
  const file = writeEventFile(join(bench.folder, 'log'), { bytes: 1e6 * (bench.isQuick ? 10 : Number(bench.options['events-mb'])) });
  const loaded = new Map<string, Loaded>();
  const reads = (name: string, prepare: (bench: Bench) => Promise<readonly [string, ...string[]]>): Contender => ({
    name,
    async prepare() {
      const [command, ...args] = await prepare(bench);
      return {
        async measure() {
          const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 2 ** 24 });
          const result = JSON.parse(stdout) as Loaded;
          loaded.set(name, result);
          return speeds(file, result.seconds);
        },
      };
    },
  });
  const report = await runSideBySide(bench, {
    figures: [
      { name: 'speed', title: 'MB a second' },
      { name: 'points', title: 'million points a second' },
    ].map((figure) => ({ ...figure, isBetter: 'higher' as const })),
    contenders: [
      reads('ours', () => Promise.resolve([process.execPath, bench.program('events/read-events.process'), file.path])),
      reads(python, async () => [await bench.python(requirements), join(bench.home, 'test/bench/events/load_events.py'), file.folder]),
      server(serverAll, file, ['--samples-per-plugin', 'scalars=all']),
      server(serverSampled, file, []),
    ],
    rounds: { full: 5, quick: 1 },
    bars,
  });
  return { ...report, bars: [...report.bars, judgeEqual(loaded)], notes: [`The file has ${(file.bytes / 1e6).toFixed(0)} MB and ${file.points} points.`] };
}

function server(name: string, file: EventFile, options: readonly string[]): Contender {
  return {
    name,
    async prepare(bench): Promise<Prepared> {
      const interpreter = await bench.python(requirements);
      const ask = (code: string): string => execFileSync(interpreter, ['-c', code], { encoding: 'utf8' }).trim();
      const path = ask('import tensorboard_data_server as server; print(server.server_binary() or "")');
      if (path === '') throw new NotRun('tensorboard-data-server has no program for this platform');
      const versionOf = (name: string): string => ask(`import importlib.metadata as m; print(m.version("${name}"))`);
      return {
        versions: { TensorBoard: versionOf('tensorboard'), 'TensorBoard data server': versionOf('tensorboard-data-server') },
        measure: async () => speeds(file, await serverSeconds(path, ['--logdir', file.folder, '--port', '0', '--reload', 'once', '-vv', ...options])),
      };
    },
  };
}

/** What the server itself says its one load cycle took. */
async function serverSeconds(path: string, args: readonly string[]): Promise<number> {
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.setEncoding('utf8');
  let said = '';
  try {
    for await (const text of child.stderr) {
      said += String(text);
      const [, amount, unit] = /Finished load cycle \(([\d.]+)(ms|s)\)/.exec(said) ?? [];
      if (amount !== undefined) return Number(amount) / (unit === 'ms' ? 1000 : 1);
    }
    throw new Error(`the data server ended without a load cycle: ${said.slice(-500)}`);
  } finally {
    child.kill();
  }
}

function speeds({ bytes, points }: EventFile, seconds: number): Readonly<Record<string, number>> {
  return { speed: bytes / 1e6 / seconds, points: points / 1e6 / seconds };
}

function judgeEqual(loaded: ReadonlyMap<string, Loaded>): PartReport['bars'][number] {
  const [ours, theirs] = [loaded.get('ours'), loaded.get(python)];
  if (ours === undefined || theirs === undefined) return { bar: equalBar, state: 'not run', measured: '' };
  const tags = Object.keys({ ...ours.digests, ...theirs.digests });
  const differing = tags.filter((tag) => ours.digests[tag] !== theirs.digests[tag]);
  return { bar: equalBar, state: differing.length === 0 && tags.length > 0 ? 'met' : 'missed', measured: `${tags.length - differing.length} of ${tags.length} tags, ${ours.points} points` };
}
