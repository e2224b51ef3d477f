// How soon a point is seen after its trainer flushed it. Imported by parts.ts.
import { join } from 'node:path';
import type { Bench, BenchPart, PartReport } from '../bench-part.ts';
import { benchPorts } from '../bench-ports.ts';
import { measureFlushDelay } from './flush-delay.ts';

const bar = 'the longest delay is at most 300 ms';

export const flushPart: BenchPart = {
  name: 'flush',
  title: 'From a flush of the trainer to the point seen',
  measures: 'One trial of an SB3-like program through the real trial code, a point every 0.25 s; the trainer notes when it flushed, we note when we saw.',
  peers: [],
  bars: [bar],
  options: { 'delay-points': '120' },
  run,
};

async function run(bench: Bench): Promise<PartReport> {
  const { ports, programs } = benchPorts(bench, []);
  const rollouts = bench.isQuick ? 20 : Number(bench.options['delay-points']);
  const { points, medianMs, p95Ms, maxMs } = await measureFlushDelay({ ports, folder: join(bench.folder, 'delay'), programs, rollouts, rolloutS: 0.25 });
  return {
    tables: [{ columns: ['points', 'median', 'p95', 'longest'], rows: [[String(points), `${medianMs} ms`, `${p95Ms} ms`, `${maxMs} ms`]] }],
    bars: [{ bar, state: maxMs <= 300 ? 'met' : 'missed', measured: `${maxMs} ms` }],
    notRun: [],
    versions: {},
  };
}
