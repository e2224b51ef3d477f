// Makes `.rlxp/` in a repository. Core rooms left of workspace may import it.
import { gateNames } from '../../../src-protocol/files/contract.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Files } from '../../ports.ts';
import { projectPaths, shownPath } from './layout.ts';

/** Gives the paths it made, relative to the repository, in order. Throws RefusalError: not_found, already_exists. */
export async function makeProject(files: Files, { root, project }: { readonly root: string; readonly project: string }): Promise<readonly string[]> {
  const paths = projectPaths(root);
  const place = await files.stat(root);
  if (place === null) refuse('not_found', `${root} does not exist`, { next: 'Make the folder first, or give the right one with `--root`.' });
  if (place.kind === 'file' || place.kind === 'other') refuse('not_found', `${root} is not a folder`, { next: 'Give the folder of the repository with `--root`.' });
  if ((await files.stat(paths.contract)) !== null) refuse('already_exists', `${root} already holds a project`, { next: 'See it with `rlxp status`.' });

  const wanted: readonly (readonly [string, string])[] = [
    [paths.gitignore, gitignoreText],
    [paths.adapter, adapterText],
    [paths.experiments, experimentsText],
    // The contract last: it is what makes this a project, so an interrupted start can be repeated.
    [paths.contract, contractText(project)],
  ];
  const created: string[] = [];
  for (const folder of [paths.tasks, paths.studies]) {
    if (await makeMissingFolder(files, folder)) created.push(shownPath(root, folder));
  }
  for (const [file, text] of wanted) {
    // What somebody wrote by hand stays.
    if ((await files.stat(file)) !== null) continue;
    await files.replaceFile(file, text);
    created.push(shownPath(root, file));
  }
  return created;
}

async function makeMissingFolder(files: Files, folder: string): Promise<boolean> {
  if ((await files.stat(folder)) !== null) return false;
  await files.makeFolder(folder);
  return true;
}

function contractText(project: string): string {
  const gates = gateNames.map((gate) => `  ${gate}: { status: missing, value: null }`);
  return [
    '# Eight gates that a person confirms before anything may train. `rlxp contract show` asks the question of each;',
    '# `rlxp contract set <gate> --value JSON` writes a draft, `rlxp contract confirm <gate>` confirms it.',
    'schema: 1',
    // A JSON string is a YAML string, whatever the name holds.
    `project: ${JSON.stringify(project)}`,
    'gates:',
    ...gates,
    '',
  ].join('\n');
}

const experimentsText = `# Proposed studies, each with its reason: { study: name, why: "...", evidence: [] }
schema: 1
experiments: []
`;

/** The tags are those the bundled runner writes. */
const adapterText = `# How this repository trains, evaluates and logs: here with the bundled runner, which needs nothing installed.
framework: bundled
axis: step
metrics:
  Reward / Total reward (mean): { meaning: reward }
  Episode / Total timesteps (mean): { meaning: episode_length }
  Loss / Policy loss: { meaning: loss }
  Loss / Value loss: { meaning: loss }
`;

const gitignoreText = `# Decisions and results are kept; what a run leaves behind beside them is not.
runs/*/trials/
runs/*/control/
runs/*/snapshot/
runs/*/*.zip
runs/*/campaign.json
runs/*/campaign.log
runs/*/launched.json
doctor/
runs/*/babysitter.json
runs/*/process.log
runs/*/selftest/
runs/*/replays/
locks/
chat/
`;
