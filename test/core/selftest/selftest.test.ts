// The self-test of real folders: a sound project, projects with one thing wrong, and no project at all.
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { selftestRun } from '../../../src-main/core/selftest/handlers.ts';
import { selftestRun as presenter } from '../../../src-main/serve/present/selftest.ts';
import { makeLook } from '../../../src-main/serve/present/look.ts';
import type { SelftestItem } from '../../../src-protocol/selftest.ts';
import { confirmAll, writeProject, write, change } from '../contract/project.ts';
import { keepScene, makeScene, type Scene } from '../ledger/scene.ts';

const home = fileURLToPath(new URL('../../..', import.meta.url));
const engine = ['cli.js', 'campaign.js', 'doctor.js', 'train.js', 'evaluate.js'];

/** The program with its examples, beside the scene's repository. */
function installProgram(scene: Scene): Scene {
  const program = path.resolve(scene.ports.node.engineFolder, '..', '..');
  mkdirSync(scene.ports.node.engineFolder, { recursive: true });
  for (const entry of engine) writeFileSync(path.join(scene.ports.node.engineFolder, entry), '');
  cpSync(path.join(home, 'resources'), path.join(scene.ports.node.engineFolder, 'resources'), { recursive: true });
  cpSync(path.join(home, 'package-lock.json'), path.join(program, 'package-lock.json'));
  cpSync(path.join(home, 'examples'), path.join(program, 'examples'), { recursive: true, filter: (from) => !/\.rlxp\/(runs|doctor|ledger|report)/.test(from) });
  return scene;
}

let sound: Scene;
beforeAll(async () => {
  sound = installProgram(writeProject(keepScene()));
  await confirmAll(sound);
});

function copy(): Scene {
  const scene = makeScene();
  cpSync(path.dirname(sound.root), path.dirname(scene.root), { recursive: true, filter: (from) => path.basename(from) !== 'locks' });
  return scene;
}

const test = (scene: Scene, root = scene.root) => selftestRun({ root }, { ports: scene.ports, caller: { kind: 'script', by: 'ada', typed: null }, signal: new AbortController().signal });
const rowsOf = (items: readonly SelftestItem[]) => items.map((item) => `${item.state} ${item.subject} ${item.name}`);

async function problemsWith(spoil: (scene: Scene) => void): Promise<{ readonly state: string; readonly text: string }> {
  const scene = copy();
  spoil(scene);
  const { state, items } = await test(scene);
  return { state, text: items.flatMap((item) => item.problems.map((one) => `${item.state} ${item.subject}: ${one.file}:${one.line ?? '-'} ${one.message} | ${one.fix}`)).join('\n') };
}

describe('the self-test', () => {
  it('SE1 SE5 SE9 has an item for everything, finds a sound project sound, quickly, and changes no byte', async () => {
    const before = contents(path.dirname(sound.root));
    const startedMs = performance.now();
    const { state, items } = await test(sound);
    const tookMs = performance.now() - startedMs;
    console.log(`self-test of a small project: ${Math.round(tookMs)} ms`);
    expect(tookMs).toBeLessThan(5000);
    expect(rowsOf(items)).toEqual([
      ...['ok contract contract.yaml', 'ok adapter bundled', 'ok task swing', 'warning study quick'],
      ...['ok fixture program', 'ok profile cleanrl', 'ok profile sb3'],
      ...['cartpole', 'cartpole-equal', 'cleanrl-cartpole', 'sb3-cartpole'].map((name) => `ok fixture examples/${name}`),
      'ok fixture event file',
      ...['ok smoke parallel screening', 'ok smoke termination causes'],
    ]);
    expect(state).toBe('warning');
    expect(contents(path.dirname(sound.root))).toEqual(before);
  });

  it('SE1 tests the program outside a repository too, and says so', async () => {
    const scene = copy();
    const { state, items } = await test(scene, path.dirname(scene.root));
    expect([state, items[0]]).toMatchObject(['ok', { subject: 'repository', state: 'ok', text: expect.stringContaining('only the program itself') as string, problems: [] }]);
    expect(rowsOf(items).slice(1, 3)).toEqual(['ok fixture program', 'ok profile cleanrl']);
  });

  it('SE1 warns of gates that are not confirmed, and fails by a contract that does not read', async () => {
    const lapsed = await problemsWith((scene) => change(scene, '.rlxp/contract.yaml', 'wall_hours: 2', 'wall_hours: 3'));
    expect(lapsed.text).toMatch(/^warning contract: .rlxp\/contract.yaml:\d+ the gate budget changed after it was confirmed \| Confirm it with `rlxp contract confirm budget`\.$/m);
    expect(await problemsWith((scene) => change(scene, '.rlxp/contract.yaml', 'wall_hours', 'wal_hours'))).toMatchObject({ state: 'failed', text: expect.stringMatching(/failed contract: .rlxp\/contract.yaml:\d+ .*wal_hours/) as string });
  });

  const command = (lines: string) => `framework: command\n${lines}metrics:\n  reward/mean: { meaning: reward }\n`;
  const writeCommand = (scene: Scene, adapter: string) => {
    write(scene, '.rlxp/adapter.yaml', adapter);
    for (const script of ['t.py', 'e.py', 't.mjs', 'e.mjs']) write(scene, script, '');
  };
  it.each([
    ['an unknown placeholder', command('train: [node, t.mjs, "{sed}"]\nevaluate: [node, e.mjs]\n'), /adapter.yaml:2 .*\{sed\}/],
    ['a missing command', command('train: [node, t.mjs]\n'), /adapter.yaml:2 .*no `evaluate` command/],
    ['a program that is not there', command('python: [.venv/bin/python]\ntrain: [t.py]\nevaluate: [e.py]\n'), /adapter.yaml:2 the program `\.venv\/bin\/python` is not there/],
    ['a script that is not there', command(`python: ["${process.execPath}"]\ntrain: [u.py]\nevaluate: [e.py]\n`), /adapter.yaml:3 `train` runs u.py, and the repository has no such file \| Did you mean `(?:t|e).py`/],
    ['a folder that is not there', command(`python: ["${process.execPath}"]\ntrain: [t.py]\nevaluate: [e.py]\ncwd: code\n`), /adapter.yaml:5 the folder code is not there/],
    ['a name that is never passed on', command(`python: ["${process.execPath}"]\ntrain: [t.py]\nevaluate: [e.py]\nenv: [WANDB_API_KEY]\n`), /adapter.yaml:5 WANDB_API_KEY would never be passed on/],
  ])('SE2 fails by %s, with its line', async (_what, text, expected) => {
    const found = await problemsWith((scene) => writeCommand(scene, text));
    expect(found.state).toBe('failed');
    expect(found.text).toMatch(expected);
  });

  it('SE2 takes an interpreter that is a link, and warns without a reward', async () => {
    const found = await problemsWith((scene) => writeCommand(scene, `framework: command\npython: ["${process.execPath}"]\ntrain: [t.py]\nevaluate: [e.py]\nmetrics:\n  loss: { meaning: loss }\n`));
    expect(found.text).toMatch(/warning adapter: .rlxp\/adapter.yaml:5 no tag means `reward`/);
    expect(found.text).not.toContain('failed adapter');
  });

  it.each([
    ['an unknown agent setting', (scene: Scene) => change(scene, '.rlxp/tasks/swing.yaml', 'snapshot:', 'agent: { agent: { learning_rat: 1 } }\nsnapshot:'), /failed task: .rlxp\/tasks\/swing.yaml:2 .*learning_rat/],
    ['code that is not there', (scene: Scene) => rmSync(path.join(scene.root, 'env.mjs')), /failed task: .rlxp\/tasks\/swing.yaml:1 \.\/env.mjs is missing|failed task: .rlxp\/tasks\/swing.yaml:1 env.mjs is missing/],
    ['a weight that is not canonical', (scene: Scene) => change(scene, '.rlxp/tasks/swing.yaml', 'snapshot:', 'reward_weights: [rewards.alive]\nsnapshot:'), /warning task: .rlxp\/tasks\/swing.yaml:2 the reward weight `rewards.alive` is not in the canonical block/],
  ])('SE3 says of a task: %s', async (_what, spoil, expected) => {
    expect((await problemsWith(spoil)).text).toMatch(expected);
  });

  it('SE4 says of a study what its check says', async () => {
    expect(await problemsWith((scene) => change(scene, '.rlxp/studies/quick.yaml', 'name: baseline', 'name: base'))).toMatchObject({ state: 'failed', text: expect.stringMatching(/failed study: .rlxp\/studies\/quick.yaml:\d+ there is no candidate `baseline`/) as string });
  });

  it('SE5 sees a missing part of the program, a profile that does not read, and an example that was changed', async () => {
    expect((await problemsWith((scene) => rmSync(path.join(scene.ports.node.engineFolder, 'train.js')))).text).toMatch(/failed fixture: train.js/);
    const profile = await problemsWith((scene) => {
      const folder = path.join(scene.ports.node.engineFolder, 'resources/profiles');
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'gpu.yaml'), 'a: [1\n');
    });
    expect(profile.text).toMatch(/failed profile: resources\/profiles\/gpu.yaml:\d/);
    const example = await problemsWith((scene) => {
      const env = path.resolve(scene.ports.node.engineFolder, '../../examples/cartpole/env.mjs');
      chmodSync(env, 0o644);
      writeFileSync(env, `${readFileSync(env, 'utf8')}// mine\n`);
    });
    expect(example.text).toMatch(/warning fixture: examples\/cartpole\/.rlxp\/approvals\/quick.json:- .*file env.mjs/);
  });

  it('SE8 prints a row for each item, its problems with file, line and fix, and exits with 3 when one failed', async () => {
    const scene = copy();
    change(scene, '.rlxp/studies/quick.yaml', 'name: baseline', 'name: base');
    const failed = await test(scene);
    const text = presenter.lines(failed, makeLook({ hasColour: false, columns: 120 })).join('\n');
    expect(text).toMatch(/^failed +study +quick +\d+ problems?$/m);
    expect(text).toMatch(/ {2}\.rlxp\/studies\/quick\.yaml:\d+:\d+ {2}there is no candidate/);
    expect(text).toContain('      fix: Add `- { name: baseline }` to the candidates.');
    expect(presenter.exitCode?.(failed)).toBe(3);
    expect(presenter.exitCode?.(await test(sound))).toBe(0);
  });
});

function contents(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('locks') && statSync(path.join(folder, name)).isFile());
  return Object.fromEntries(names.sort().map((name) => [name, createHash('sha256').update(readFileSync(path.join(folder, name))).digest('hex')]));
}
