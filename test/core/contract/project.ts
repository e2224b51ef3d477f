// A small project with one study, written into a scene: confirmed where a test asks for it.
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { approve } from '../../../src-main/core/contract/approval.ts';
import { approvedOrRefuse, checkLive, checkRunning, type ApprovalCheck } from '../../../src-main/core/contract/check-approval.ts';
import { confirmGate } from '../../../src-main/core/contract/gate-changes.ts';
import { takeSnapshot } from '../../../src-main/core/contract/take-snapshot.ts';
import { gateNames } from '../../../src-protocol/files/contract.ts';
import { RefusalError, type Difference, type Refusal } from '../../../src-protocol/refusal.ts';
import { keepScene, makeScene, type Scene } from '../ledger/scene.ts';

export const contractText = `# What we agreed on in March
schema: 1
project: demo   # a demo
gates:
  task:
    status: draft
    value: { task: swing, what: swing up }
  metric:
    status: draft
    value:
      primary: score
      # a fall of 2 points is noise
      equivalence_margin: 2
    evidence: [docs/notes.md]
  scope: { status: draft, value: { may_change: [agent_cfg] } }
  budget:
    status: draft
    value:
      wall_hours: 2 # one evening
      per_trial_s: 600
  hardware: { status: draft, value: { devices: [cpu] } }
  baseline: { status: draft, value: { what: the stock settings } }
  evaluation: { status: draft, value: { episodes_per_env: 2, num_envs: 4, seed: 7777 } }
  experiment: { status: draft, value: { study: quick, why: a first look } }
`;

export const studyText = `study: quick
base: { task: swing, num_envs: 4 }
eval: { num_envs: 4, max_steps: 100, episodes_per_env: 2 }
stages:
  screen: { timesteps: 1000 }
  refine: { timesteps: 3000 }
candidates:
  - { name: baseline }
  - { name: slow, agent_cfg: { agent: { learning_epochs: 4 } } }
`;

const files: Readonly<Record<string, string>> = {
  '.rlxp/contract.yaml': contractText,
  '.rlxp/studies/quick.yaml': studyText,
  '.rlxp/experiments.yaml': '# proposals\nschema: 1\nexperiments:\n  - study: quick   # the first\n    why: to see\n',
  '.rlxp/adapter.yaml': 'framework: bundled\nmetrics:\n  reward/mean: { meaning: reward }\n',
  '.rlxp/tasks/swing.yaml': 'entry: ./env.mjs#makeEnv\nsnapshot: [lib, bin/tool]\n',
  'env.mjs': "import { gravity } from './lib/physics.mjs';\nexport const makeEnv = () => gravity;\n",
  'lib/physics.mjs': 'export const gravity = 9.81;\n',
  'bin/tool': '#!/bin/sh\necho hi\n',
  'README.md': 'not covered\n',
};

export function writeProject(scene: Scene): Scene {
  for (const [name, text] of Object.entries(files)) write(scene, name, text);
  chmodSync(path.join(scene.root, 'bin/tool'), 0o755);
  return scene;
}

export async function confirmAll(scene: Scene): Promise<void> {
  for (const gate of gateNames) await confirmGate(scene.ports, scene.root, { gate, by: 'ada' });
}

/** The same repository as in another scene, copied: for tests that each spoil something. */
export function copyOf(scene: Scene, copy: Scene = makeScene()): Scene {
  cpSync(scene.root, copy.root, { recursive: true });
  return copy;
}

export function at(scene: Scene, name: string): string {
  return path.join(scene.root, name);
}

export function read(scene: Scene, name: string): string {
  return readFileSync(at(scene, name), 'utf8');
}

export function write(scene: Scene, name: string, text: string): void {
  mkdirSync(path.dirname(at(scene, name)), { recursive: true });
  writeFileSync(at(scene, name), text);
}

/** Replaces one text by another in a file that holds it. */
export function change(scene: Scene, name: string, from: string, to: string): void {
  const text = read(scene, name);
  if (!text.includes(from)) throw new Error(`${name} does not hold ${from}`);
  write(scene, name, text.replace(from, to));
}

export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal;
    throw error;
  }
  throw new Error('nothing was refused');
}

export function words(differences: readonly Difference[]): readonly string[] {
  return differences.map((row) => `${row.what}: ${row.approved ?? '-'} -> ${row.now ?? '-'}`);
}

/** Moves a file away and puts a link to it in its place: the same bytes, from a place nobody approved. */
export function linkInPlace(scene: Scene, name: string): void {
  renameSync(at(scene, name), at(scene, 'moved-away'));
  symlinkSync(at(scene, 'moved-away'), at(scene, name));
}

/** Writes over a read-only file. */
export function rewrite(scene: Scene, name: string, text: string): void {
  rmSync(at(scene, name));
  write(scene, name, text);
}

/** What a check says, in one line; `ok` when it holds. */
export function said(check: ApprovalCheck): string {
  return check.ok ? 'ok' : [`${check.code}: ${check.text}`, ...words(check.differences)].join(' | ');
}

export async function live(scene: Scene): Promise<string> {
  return said(await checkLive(scene.ports, scene.root, 'quick'));
}

export async function running(scene: Scene): Promise<string> {
  return said(await checkRunning(scene.ports, scene.root, 'quick'));
}

export const options = { study: 'quick', by: 'ada', agentsMayStart: true };
export const approvalAt = '.rlxp/runs/quick/approval.json';

/** For `beforeAll`: one project as it is confirmed, approved, and started. */
export async function threeStages(): Promise<{ readonly confirmed: Scene; readonly approved: Scene; readonly started: Scene }> {
  const confirmed = writeProject(keepScene());
  await confirmAll(confirmed);
  const approved = copyOf(confirmed, keepScene());
  await approve(approved.ports, approved.root, { ...options, agentsMayStart: false });
  const started = copyOf(approved, keepScene());
  await takeSnapshot(started.ports, started.root, approvedOrRefuse(await checkLive(started.ports, started.root, 'quick')));
  return { confirmed, approved, started };
}
