// Where things lie inside an evidence bundle: as below `.rlxp/`, and nothing else. This room only.
import path from 'node:path';
import { approvalPaths } from '../contract/approval-paths.ts';
import { projectPaths, rlxpFolder, runPaths, type RunPaths } from '../workspace/layout.ts';

/** Stands for the repository's root while a bundle is read: no such folder is ever looked at. */
export const bundleRoot = path.resolve(path.sep, 'evidence');

export const readmeName = 'README.txt';
export const indexName = 'index.json';

/** `file` below `root`'s `.rlxp/`, as the bundle names it. */
export function bundleName(root: string, file: string): string {
  return path.relative(rlxpFolder(root), file).split(path.sep).join('/');
}

export function bundlePath(name: string): string {
  return path.join(rlxpFolder(bundleRoot), ...name.split('/'));
}

export interface StudyFiles {
  readonly paths: RunPaths;
  /** Files whose bytes something rests on: never changed but for secrets. */
  readonly bound: readonly string[];
  /** Files in which folders of the machine are replaced. */
  readonly loose: readonly string[];
}

/** The files of a study and of its repository that a bundle holds, beside those of trials and self-test. */
export function studyFiles(root: string, study: string): StudyFiles {
  const paths = runPaths(root, study);
  const at = (...name: readonly string[]) => path.join(paths.folder, ...name);
  const { ledger, ledgerHead } = projectPaths(root);
  const { approved, budget } = approvalPaths(root, study);
  return {
    paths,
    bound: [ledger, ledgerHead, paths.study, paths.approval, approved, budget, paths.trials, at('amendments.jsonl'), at('selftest', 'result.json'), paths.verdict, paths.winner, paths.report],
    loose: [paths.manifest, paths.campaign, paths.events],
  };
}

/** Names that a bundle of this study may hold; everything else was put there by somebody else. */
export function isKnownName(study: string, name: string): boolean {
  if (name === readmeName || name === indexName) return true;
  const { bound, loose, paths } = studyFiles(bundleRoot, study);
  if ([...bound, ...loose].some((file) => bundleName(bundleRoot, file) === name)) return true;
  const folder = bundleName(bundleRoot, paths.folder);
  if (!name.startsWith(`${folder}/`)) return false;
  const [part, one, ...rest] = name.slice(folder.length + 1).split('/');
  if (one === undefined || rest.length === 0) return false;
  return part === 'trials' || (part === 'selftest' && rest.length === 1 && ['trial.json', 'evaluation.json'].includes(rest[0] ?? ''));
}

