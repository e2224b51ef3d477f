// How a trial's two processes are started: argument lists, working folder and environment. Rooms from trial leftwards may import it.
import path from 'node:path';
import { trialFolderCwd, type AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Machine, NodeRuntime } from '../../ports.ts';
import { edgesFolder } from '../workspace/resources.ts';
import { fillArguments } from './placeholders.ts';
import { trialEnvironment } from './trial-environment.ts';

export interface LaunchPlan {
  readonly trainArgv: readonly [string, ...string[]];
  readonly evaluateArgv: readonly [string, ...string[]];
  /** Goes on from the trial's checkpoint; null: the adapter declares no way to. */
  readonly resumeArgv: readonly [string, ...string[]] | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names of adapter.env that were not passed on because they look like secrets. */
  readonly withheld: readonly string[];
}

export interface LaunchOptions {
  readonly node: Pick<NodeRuntime, 'execPath' | 'engineFolder' | 'relaxedSimdFlags'>;
  readonly machine: Pick<Machine, 'env' | 'envNames'>;
  readonly adapter: AdapterFile;
  readonly trial: TrialFile;
  /** The trial's folder. */
  readonly folder: string;
  /** The repository being tuned. */
  readonly root: string;
}

/** Nothing is run and nothing is written. Throws a refusal: invalid_file (the adapter cannot be launched), not_supported. */
export function planLaunch(options: LaunchOptions): LaunchPlan {
  const { adapter, trial, machine } = options;
  if (adapter.checkpoints.rule !== 'final') refuse('not_supported', `The checkpoint rule \`${adapter.checkpoints.rule}\` is not available yet: use \`final\`.`);
  const { env, withheld } = trialEnvironment(machine, adapter, trial.threads);
  const trialJson = path.join(options.folder, 'trial.json');
  if (adapter.framework === 'bundled') {
    const { execPath, engineFolder, relaxedSimdFlags } = options.node;
    const flags = trial.backend === 'simd-relaxed' ? relaxedSimdFlags : [];
    return {
      trainArgv: [execPath, ...flags, path.join(engineFolder, 'train.js'), trialJson],
      evaluateArgv: [execPath, ...flags, path.join(engineFolder, 'evaluate.js'), trialJson],
      resumeArgv: null,
      cwd: trial.entry_root,
      env,
      withheld,
    };
  }
  const command = (name: 'train' | 'evaluate' | 'resume'): [string, ...string[]] => {
    const given = adapter[name];
    if (given === undefined) refuse('invalid_file', `adapter.yaml has no \`${name}\` command, which ${adapter.framework} needs.`);
    const [program, ...rest] = [...(adapter.python ?? []), ...fillArguments(given, { trial, folder: options.folder, adapter, edges: edgesFolder(options.node), name })];
    if (program === undefined) refuse('invalid_file', `The \`${name}\` command of adapter.yaml is empty.`);
    return [absoluteProgram(program, options.root), ...rest];
  };
  return { trainArgv: command('train'), evaluateArgv: command('evaluate'), resumeArgv: adapter.resume === undefined ? null : command('resume'), cwd: adapter.cwd === trialFolderCwd ? options.folder : insideRoot(options.root, adapter.cwd), env, withheld };
}

/** A path such as `.venv/bin/python` is the repository's; a bare name is looked up in PATH. */
function absoluteProgram(program: string, root: string): string {
  return /[\\/]/.test(program) && !path.isAbsolute(program) ? path.join(root, program) : program;
}

function insideRoot(root: string, cwd: string): string {
  const folder = path.resolve(root, cwd);
  const relative = path.relative(root, folder);
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
    refuse('invalid_file', `\`cwd: ${cwd}\` in adapter.yaml leaves the repository.`);
  }
  return folder;
}
