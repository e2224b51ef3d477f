import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeDiskFiles } from '../../../src-main/adapters/disk-files.ts';
import { makeProject } from '../../../src-main/core/workspace/init.ts';
import { runPaths } from '../../../src-main/core/workspace/layout.ts';

const root = mkdtempSync(join(tmpdir(), 'rlxp-init-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('F26: keeps decisions and results under version control, and nothing that a run leaves beside them', async () => {
  await makeProject(makeDiskFiles(), { root, project: 'Poles' });
  execFileSync('git', ['init', '-q', root]);
  const isIgnored = (path: string): boolean => execFileSync('git', ['-C', root, 'check-ignore', '--verbose', '--non-matching', path], { encoding: 'utf8' }).startsWith('.rlxp/.gitignore:');
  const paths = runPaths(root, 'quick');
  const at = (name: string) => join(paths.folder, name);
  const kept = [paths.study, paths.approval, at('approved.json'), at('budget.jsonl'), paths.manifest, paths.events, paths.trials, paths.report, paths.winner, paths.verdict, join(root, '.rlxp/ledger.jsonl')];
  const left = [paths.campaign, paths.babysitter, paths.log, at('process.log'), at('selftest/random/evaluation.json'), at('replays/a-10/evaluation.json'), join(paths.control, 'x.json'), join(paths.trialFolders, 'a/trial.json'), at('snapshot/env.mjs')];
  for (const path of kept) expect(ignoredOr(isIgnored, path), path).toBe(false);
  for (const path of left) expect(ignoredOr(isIgnored, path), path).toBe(true);
});

/** git answers 1 when nothing matches. */
function ignoredOr(isIgnored: (path: string) => boolean, path: string): boolean {
  try {
    return isIgnored(path);
  } catch (error) {
    if ((error as { readonly status?: number }).status === 1) return false;
    throw error;
  }
}
