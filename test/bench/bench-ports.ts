// The real machine for parts that run campaigns or trials, with keys and locks of the bench's own. Imported by parts of test/bench.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeSystemPorts } from '../../src-main/adapters/system-ports.ts';
import type { Ports } from '../../src-main/ports.ts';
import { NotRun } from './bench-part.ts';
import type { Bench } from './bench-part.ts';

export interface BenchPorts {
  readonly ports: Ports;
  /** Folder of the built engine, and of the trainers on paper. */
  readonly engine: string;
  readonly programs: string;
}

/** NotRun off Linux (it reads /proc) and where one of `needed` does not start. */
export function benchPorts(bench: Bench, needed: readonly string[]): BenchPorts {
  const missing = process.platform === 'linux' ? needed.filter((program) => !canRun(program)) : ['Linux (it reads /proc)'];
  if (missing.length > 0) throw new NotRun(`it needs ${missing.join(' and ')}`);
  process.env['RLXP_CONFIG_DIR'] = join(bench.folder, 'config');
  process.env['RLXP_RUNTIME_DIR'] = join(bench.folder, 'runtime');
  const engine = join(bench.home, 'out/engine');
  return { ports: makeSystemPorts({ entryUrl: pathToFileURL(join(engine, 'cli.js')).href }), engine, programs: join(bench.home, 'test/bench/programs') };
}

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
