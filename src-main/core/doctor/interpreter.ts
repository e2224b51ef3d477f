// Whether the interpreter of an adapter is there, starts, and which version it is. This room only.
import path from 'node:path';
import { trialFolderCwd, type AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { DoctorFinding } from '../../../src-protocol/files/doctor.ts';
import type { Ports } from '../../ports.ts';
import { findProgram } from '../workspace/find-program.ts';
import type { LaunchPlan } from '../trial/launch-plan.ts';
import { lastLine } from '../trial/training-verdict.ts';

export interface InterpreterOptions {
  readonly ports: Pick<Ports, 'files' | 'clock' | 'processes' | 'machine' | 'node'>;
  readonly adapter: AdapterFile;
  readonly plan: LaunchPlan;
  readonly root: string;
  /** Where its output is kept; it also stands in for the folder of a trial that is not there yet. */
  readonly folder: string;
  readonly tag: string;
  readonly checkLaunch: () => Promise<void>;
}

const longestMs = 20_000;

/** Asks for its version where the adapter names an interpreter; nothing else is started here. */
export async function lookAtInterpreter(options: InterpreterOptions): Promise<DoctorFinding> {
  const { ports, adapter, plan, root } = options;
  const [program] = plan.trainArgv;
  const at = await findProgram(ports, program, root);
  if (at === null) return finding('failed', `The program ${program} is not there.`, [`looked for as ${program}`], 'Correct `python` (or `train`) in adapter.yaml, or install what it names.');
  if (adapter.framework === 'bundled') return finding('ok', `The program's own Node (${(await ports.machine.hardware()).nodeVersion}) runs the bundled trainer.`, [at]);
  if (adapter.python === undefined) return finding('ok', `${program} is there; a plain command is not asked for its version.`, [at]);
  const prefix = plan.trainArgv.slice(0, adapter.python.length) as [string, ...string[]];
  return askVersion(options, [...prefix, '--version']);
}

async function askVersion({ ports, adapter, plan, folder, tag, checkLaunch }: InterpreterOptions, argv: readonly [string, ...string[]]): Promise<DoctorFinding> {
  const shown = argv.join(' ');
  const fix = 'Try the command in a terminal; correct `python` in adapter.yaml until it answers with a version.';
  await checkLaunch();
  let running;
  try {
    running = await ports.processes.start({ argv, cwd: adapter.cwd === trialFolderCwd ? folder : plan.cwd, env: plan.env, tag, consolePath: path.join(folder, 'interpreter.log') });
  } catch (error) {
    return finding('failed', `\`${shown}\` could not be started: ${error instanceof Error ? error.message : String(error)}`, [shown], fix);
  }
  const waiting = new AbortController();
  const exit = await Promise.race([running.exit, ports.clock.sleep(longestMs, waiting.signal).then(() => null, () => null)]);
  waiting.abort();
  await ports.processes.end({ identity: running.identity, tag }, { graceMs: 500 });
  const said = lastLine(running.consoleTail());
  if (exit === null) return finding('failed', `\`${shown}\` did not answer within ${longestMs / 1000} s.`, [said], fix);
  if (exit.exitCode !== 0) return finding('failed', `\`${shown}\` ended with ${exit.signal ?? `code ${exit.exitCode}`}: ${said}`, [shown], fix);
  return finding('ok', `It starts and says: ${said}`, [shown]);
}

function finding(state: DoctorFinding['state'], text: string, evidence: readonly string[], fix = ''): DoctorFinding {
  return { name: 'interpreter', state, text, evidence: [...evidence], fix };
}
