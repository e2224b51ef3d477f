// Where everything lies in .rlxp/ of a repository (docs/specs/files.md, F20). Any room of the core may import it.
import path from 'node:path';
import type { StageName } from '../../../src-protocol/files/plain.ts';
import { slugOf } from './slug.ts';

export function rlxpFolder(root: string): string {
  return path.join(root, '.rlxp');
}

export interface ProjectPaths {
  readonly folder: string;
  readonly adapter: string;
  readonly contract: string;
  readonly experiments: string;
  readonly report: string;
  readonly ledger: string;
  readonly ledgerHead: string;
  readonly gitignore: string;
  readonly tasks: string;
  readonly studies: string;
  readonly runs: string;
  readonly doctor: string;
}

export function projectPaths(root: string): ProjectPaths {
  const folder = rlxpFolder(root);
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    adapter: at('adapter.yaml'),
    contract: at('contract.yaml'),
    experiments: at('experiments.yaml'),
    report: at('report.md'),
    ledger: at('ledger.jsonl'),
    ledgerHead: at('ledger.head.json'),
    gitignore: at('.gitignore'),
    tasks: at('tasks'),
    studies: at('studies'),
    runs: at('runs'),
    doctor: at('doctor'),
  };
}

export function taskPath(root: string, task: string): string {
  return path.join(projectPaths(root).tasks, `${slugOf(task)}.yaml`);
}

export function studyPath(root: string, study: string): string {
  return path.join(projectPaths(root).studies, `${slugOf(study)}.yaml`);
}

export interface RunPaths {
  readonly folder: string;
  /** The frozen copy of what was approved. */
  readonly study: string;
  readonly approval: string;
  readonly manifest: string;
  readonly campaign: string;
  readonly babysitter: string;
  readonly events: string;
  readonly trials: string;
  readonly control: string;
  readonly log: string;
  readonly report: string;
  readonly winner: string;
  readonly verdict: string;
  /** Folder that holds one folder per trial. */
  readonly trialFolders: string;
}

/** Everything of one campaign: runs/<study>/. */
export function runPaths(root: string, study: string): RunPaths {
  const folder = path.join(projectPaths(root).runs, slugOf(study));
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    study: at('study.yaml'),
    approval: at('approval.json'),
    manifest: at('manifest.json'),
    campaign: at('campaign.json'),
    babysitter: at('babysitter.json'),
    events: at('events.jsonl'),
    trials: at('trials.jsonl'),
    control: at('control'),
    log: at('campaign.log'),
    report: at('report.md'),
    winner: at('winner.json'),
    verdict: at('verdict.json'),
    trialFolders: at('trials'),
  };
}

/** Where `--fresh` moves a run: runs/<study>.<time>, with a time such as 20260131T120000Z. */
export function archivedRunFolder(root: string, study: string, wallMs: number): string {
  return `${runPaths(root, study).folder}.${timeName(wallMs)}`;
}

export interface DoctorPaths {
  /** doctor/<study>/. */
  readonly folder: string;
  readonly approval: string;
  /** Output of the doctor's own process. */
  readonly processLog: string;
}

export function doctorPaths(root: string, study: string): DoctorPaths {
  const folder = path.join(projectPaths(root).doctor, slugOf(study));
  return { folder, approval: path.join(folder, 'approval.json'), processLog: path.join(folder, 'process.log') };
}

export interface DoctorRunPaths {
  readonly folder: string;
  readonly report: string;
  readonly manifest: string;
  /** Read-only copy of the task's code. */
  readonly snapshot: string;
  /** Folder of a trial. */
  readonly trial: string;
  /** Where the trial goes on from the checkpoint of its first half. */
  readonly firstHalf: string;
  readonly secondHalf: string;
}

/** One doctor: doctor/<study>/<run>/, with a run such as 20260131t120000z. */
export function doctorRunPaths(root: string, study: string, run: string): DoctorRunPaths {
  const folder = path.join(doctorPaths(root, study).folder, run);
  const at = (name: string) => path.join(folder, name);
  return { folder, report: at('report.json'), manifest: at('manifest.json'), snapshot: at('snapshot'), trial: at('trial'), firstHalf: at('first-half'), secondHalf: at('second-half') };
}

/** Time as folder names hold it: 20260131t120000z. */
export function timeName(wallMs: number): string {
  return new Date(wallMs).toISOString().replaceAll(/[-:]|\.\d+/g, '').toLowerCase();
}

export interface TrialName {
  readonly stage: StageName;
  readonly candidate: string;
  readonly seed: number;
  readonly repeat: number;
  readonly attempt: number;
}

/** `<stage>-<candidate>-s<seed>[-r<repeat>][-a<attempt>]`: two trials never share a name. */
export function trialFolderName(trial: TrialName): string {
  const repeat = trial.repeat === 0 ? '' : `-r${trial.repeat}`;
  const attempt = trial.attempt === 0 ? '' : `-a${trial.attempt}`;
  return slugOf(`${trial.stage}-${trial.candidate}-s${trial.seed}${repeat}${attempt}`);
}

export function trialFolder(root: string, study: string, trial: TrialName): string {
  return path.join(runPaths(root, study).trialFolders, trialFolderName(trial));
}

export interface TrialPaths {
  readonly folder: string;
  readonly trial: string;
  readonly console: string;
  readonly logs: string;
  readonly checkpoints: string;
  readonly evaluation: string;
  readonly manifest: string;
}

export function trialPaths(folder: string): TrialPaths {
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    trial: at('trial.json'),
    console: at('console.log'),
    logs: at('logs'),
    checkpoints: at('checkpoints'),
    evaluation: at('evaluation.json'),
    manifest: at('manifest.json'),
  };
}

/** `file` as messages name it: relative to the repository, with forward slashes. */
export function shownPath(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join('/');
}
