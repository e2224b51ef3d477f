// The check before every launch: each covered thing is changed in turn, and each refusal says why.
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { approve } from '../../../src-main/core/contract/approval.ts';
import { approvedOrRefuse, checkApproval, checkLive, checkRunning } from '../../../src-main/core/contract/check-approval.ts';
import { openApproval } from '../../../src-main/core/contract/open-approval.ts';
import { takeSnapshot } from '../../../src-main/core/contract/take-snapshot.ts';
import type { Scene } from '../ledger/scene.ts';
import { approvalAt, at, change, copyOf, linkInPlace, live, options, read, refusalOf, rewrite, running, said, threeStages, words, write } from './project.ts';

let confirmed: Scene;
let approved: Scene;
let started: Scene;

beforeAll(async () => {
  ({ confirmed, approved, started } = await threeStages());
});

describe('an approval before a campaign starts', () => {
  it('C9 does not exist until a person gave it', async () => {
    expect(await live(copyOf(confirmed))).toBe('not_approved: The study quick has no approval.');
  });

  const lapses: readonly (readonly [string, (scene: Scene) => unknown, string])[] = [
    ['the study', (scene) => change(scene, '.rlxp/studies/quick.yaml', 'timesteps: 1000', 'timesteps: 1001'), 'study.stages.screen.timesteps: 1000 -> 1001'],
    ['a candidate more', (scene) => write(scene, '.rlxp/studies/quick.yaml', `${read(scene, '.rlxp/studies/quick.yaml')}  - { name: fast }\n`), 'study.candidates.fast: - -> {"name":"fast"}'],
    ['the reason of the experiment', (scene) => change(scene, '.rlxp/experiments.yaml', 'to see', 'to win'), 'experiment.why: to see -> to win'],
    ['the adapter', (scene) => change(scene, '.rlxp/adapter.yaml', 'reward/mean', 'reward/man'), 'adapter.metrics.reward/mean: {"axis":"step","meaning":"reward"} -> -'],
    ['the task', (scene) => write(scene, '.rlxp/tasks/swing.yaml', `${read(scene, '.rlxp/tasks/swing.yaml')}score_scale: 2\n`), 'task.score_scale: 1 -> 2'],
    ['a gate', (scene) => change(scene, '.rlxp/contract.yaml', 'wall_hours: 2', 'wall_hours: 9'), 'contract.budget.wall_hours: 2 -> 9'],
    ['one byte of the entry', (scene) => change(scene, 'env.mjs', 'gravity;', 'Gravity;'), 'file env.mjs: content'],
    ['one byte of a file in a covered folder', (scene) => change(scene, 'lib/physics.mjs', '9.81', '9.82'), 'file lib/physics.mjs: content'],
    ['a file more in a covered folder', (scene) => write(scene, 'lib/extra.mjs', ''), 'file lib/extra.mjs: - -> content'],
    ['a file less', (scene) => rmSync(at(scene, 'lib/physics.mjs')), '-> -'],
    ['the mode of a file', (scene) => chmodSync(at(scene, 'bin/tool'), 0o644), 'file bin/tool: git mode: 100755 -> 100644'],
    ['a file replaced by a link to the same bytes', (scene) => linkInPlace(scene, 'env.mjs'), 'file env.mjs: a file of the repository -> it is a link'],
    ['a folder replaced by a link to the same files', (scene) => linkInPlace(scene, 'lib'), 'file lib: a file of the repository -> it is a link'],
    ['a file replaced by a folder', (scene) => (rmSync(at(scene, 'env.mjs')), write(scene, 'env.mjs/x', '')), 'file env.mjs'],
    ['a study file replaced by a link', (scene) => linkInPlace(scene, '.rlxp/studies/quick.yaml'), 'cannot be read'],
    ['a study file that is no YAML', (scene) => write(scene, '.rlxp/studies/quick.yaml', 'study: [quick'), '.rlxp/studies/quick.yaml:'],
    ['a missing task', (scene) => rmSync(at(scene, '.rlxp/tasks/swing.yaml')), 'tasks/swing.yaml: as it was approved -> the file does not exist'],
    ['its own frozen study', (scene) => change(scene, '.rlxp/runs/quick/study.yaml', 'timesteps: 1000', 'timesteps: 9'), 'study.stages.screen.timesteps: 1000 -> 9'],
    ['an experiment withdrawn', (scene) => change(scene, '.rlxp/experiments.yaml', 'status: approved', 'status: withdrawn'), 'was withdrawn'],
  ];

  it.each(lapses)('C10 lapses by %s and says so', async (_name, spoil, reason) => {
    const scene = copyOf(approved);
    expect(await live(scene)).toBe('ok');
    spoil(scene);
    const answer = await live(scene);
    expect(answer).toMatch(/^approval_lapsed: /);
    expect(answer).toContain(reason);
  });

  const harmless: readonly (readonly [string, (scene: Scene) => unknown])[] = [
    ['comments and the order of keys in YAML', (scene) => {
      change(scene, '.rlxp/studies/quick.yaml', 'study: quick\nbase: { task: swing, num_envs: 4 }', '# new remark\nbase: { num_envs: 4, task: swing } # same\nstudy: quick');
      change(scene, '.rlxp/contract.yaml', '# What we agreed on in March', '# April');
      write(scene, '.rlxp/tasks/swing.yaml', `# remark\n${read(scene, '.rlxp/tasks/swing.yaml')}`);
    }],
    ['a default written out', (scene) => write(scene, '.rlxp/tasks/swing.yaml', `${read(scene, '.rlxp/tasks/swing.yaml')}score_scale: 1\n`)],
    ['CRLF line endings in code and YAML', (scene) => {
      for (const name of ['env.mjs', 'lib/physics.mjs', '.rlxp/studies/quick.yaml']) write(scene, name, read(scene, name).replaceAll('\n', '\r\n'));
    }],
    ['evidence of a gate', (scene) => change(scene, '.rlxp/contract.yaml', 'docs/notes.md', 'docs/other.md')],
    ['a file that nothing covers', (scene) => write(scene, 'README.md', 'rewritten')],
    ['a new time stamp', (scene) => write(scene, 'env.mjs', read(scene, 'env.mjs'))],
  ];

  it.each(harmless)('C11 holds when only %s changed', async (_name, edit) => {
    const scene = copyOf(approved);
    edit(scene);
    expect(await live(scene)).toBe('ok');
  });

  it.each([
    { what: 'another of two rewards stands first', before: 'reward/mean: { meaning: reward }\n  reward/best: { meaning: reward }', after: 'reward/best: { meaning: reward }\n  reward/mean: { meaning: reward }', rows: ['adapter.metrics: the first that means reward: reward/mean -> reward/best'] },
    { what: 'one reward stands elsewhere', before: 'reward/mean: { meaning: reward }\n  loss: { meaning: loss }', after: 'loss: { meaning: loss }\n  reward/mean: { meaning: reward }', rows: [] },
    { what: 'a reward on another axis stands first', before: 'reward/mean: { meaning: reward }\n  reward/time: { meaning: reward, axis: seconds }', after: 'reward/time: { meaning: reward, axis: seconds }\n  reward/mean: { meaning: reward }', rows: [] },
  ])('C7 C11 in the order of metrics: $what', async ({ before, after, rows }) => {
    const scene = copyOf(confirmed);
    change(scene, '.rlxp/adapter.yaml', 'reward/mean: { meaning: reward }', before);
    await approve(scene.ports, scene.root, { study: 'quick', by: 'ada', agentsMayStart: false });
    change(scene, '.rlxp/adapter.yaml', before, after);
    const check = await checkLive(scene.ports, scene.root, 'quick');
    expect(check.ok).toBe(rows.length === 0);
    if (!check.ok) expect(words(check.differences)).toEqual(rows);
    // The order in the frozen values decides while it runs, and is covered as well.
    const values = '.rlxp/runs/quick/approved.json';
    const frozen = JSON.parse(readFileSync(at(scene, values), 'utf8')) as { adapter: { metrics: Record<string, unknown> } };
    frozen.adapter.metrics = Object.fromEntries(Object.entries(frozen.adapter.metrics).reverse());
    writeFileSync(at(scene, values), JSON.stringify(frozen));
    const opened = await openApproval(scene.ports, scene.root, 'quick');
    expect(opened).toMatchObject(rows.length === 0 ? { ok: true } : { ok: false, text: expect.stringContaining('not those that were approved') as string });
  });

  it('C11 leaves out what git ignores inside a covered folder, and never what is named outright', async () => {
    const scene = copyOf(approved);
    scene.ignored.add('lib/cache.bin').add('env.mjs');
    write(scene, 'lib/cache.bin', 'x');
    expect(await live(scene)).toBe('ok');
    change(scene, 'env.mjs', 'gravity;', 'Gravity;');
    expect(await live(scene)).toContain('file env.mjs');
  });

  it('C11 counts line endings of a file that is no text', async () => {
    const scene = copyOf(approved);
    write(scene, 'lib/physics.mjs', '\0\r\n');
    const before = await live(scene);
    write(scene, 'lib/physics.mjs', '\0\n');
    expect(await live(scene)).not.toBe(before);
  });

  it('C12 lapses when the program\'s package list changed, and not when only its mirror did', async () => {
    const scene = copyOf(approved);
    const lock = { packages: { '': { version: '0.1.0' }, 'node_modules/zod': { version: '4.6.7', resolved: 'https://one/zod.tgz', integrity: 'sha512-a' } } };
    write(scene, '../program/package-lock.json', JSON.stringify(lock));
    expect(await live(scene)).toContain('package list');
    await approve(scene.ports, scene.root, options);
    write(scene, '../program/package-lock.json', JSON.stringify(lock, null, 2).replace('https://one', 'https://two'));
    expect(await live(scene)).toBe('ok');
    write(scene, '../program/package-lock.json', JSON.stringify(lock).replace('sha512-a', 'sha512-b'));
    expect(await live(scene)).toContain('package list');
  });

  it('AD14: AD16: covers a trainer of one\'s own: its script, what is installed for it, and the scripts we ship', async () => {
    const scene = copyOf(approved);
    const edge = '../program/out/engine/resources/edges/play.py';
    write(scene, edge, 'pass\n');
    write(scene, 'train.py', 'print(1)\n');
    write(scene, '.venv/bin/python', '');
    chmodSync(`${scene.root}/.venv/bin/python`, 0o755);
    write(scene, '.venv/pyvenv.cfg', 'version = 3.11.7\n');
    write(scene, '.venv/lib/python3.11/site-packages/torch-2.13.0.dist-info/METADATA', 'x');
    write(scene, '.rlxp/adapter.yaml', "framework: command\npython: [.venv/bin/python]\ntrain: ['{code}/train.py', '{trial_json}']\nevaluate: ['{edges}/play.py', '{trial_json}']\nmetrics: {}\n");
    await approve(scene.ports, scene.root, options);
    expect(await live(scene)).toBe('ok');
    const spoil = async (name: string, to: string) => {
      const before = read(scene, name);
      write(scene, name, to);
      const said = await live(scene);
      write(scene, name, before);
      expect(await live(scene)).toBe('ok');
      return said;
    };
    expect(await spoil('train.py', 'print(2)\n')).toContain('train.py');
    expect(await spoil(edge, 'raise SystemExit\n')).toContain('package list');
    expect(await spoil('.venv/pyvenv.cfg', 'version = 3.12.0\n')).toContain('package list');
    write(scene, '.venv/lib/python3.11/site-packages/numpy-2.0.0.dist-info/METADATA', 'x');
    expect(await live(scene)).toContain('package list');
  });
});

describe('an approval while its campaign runs', () => {
  it('C13 copies the code read-only, with its modes', () => {
    expect(statSync(at(started, '.rlxp/runs/quick/snapshot/env.mjs')).mode & 0o777).toBe(0o444);
    expect(statSync(at(started, '.rlxp/runs/quick/snapshot/bin/tool')).mode & 0o777).toBe(0o555);
  });

  it('C14 is not touched by edits of the repository, which lapse it for a new start', async () => {
    const scene = copyOf(started);
    change(scene, 'env.mjs', 'gravity;', 'Gravity;');
    change(scene, '.rlxp/studies/quick.yaml', 'timesteps: 1000', 'timesteps: 9');
    change(scene, '.rlxp/contract.yaml', 'wall_hours: 2', 'wall_hours: 9');
    rmSync(at(scene, '.rlxp/tasks/swing.yaml'));
    expect(await running(scene)).toBe('ok');
    expect(said(await checkApproval(scene.ports, scene.root, 'quick'))).toBe('ok');
    expect(await live(scene)).toMatch(/^approval_lapsed/);
  });

  const run = '.rlxp/runs/quick/';
  const spoilt: readonly (readonly [string, (scene: Scene) => unknown, string])[] = [
    ['a byte of the copied code', (scene) => rewrite(scene, `${run}snapshot/env.mjs`, 'Gravity'), 'file env.mjs: content'],
    ['a file more in the copy', (scene) => write(scene, `${run}snapshot/lib/x.mjs`, ''), 'file lib/x.mjs: - -> content'],
    ['a file less in the copy', (scene) => rmSync(at(scene, `${run}snapshot/bin/tool`), { force: true }), 'file bin/tool: content'],
    ['a link in the copy', (scene) => linkInPlace(scene, `${run}snapshot/env.mjs`), 'file env.mjs: a file of the repository -> it is a link'],
    ['the mode of the copy', (scene) => chmodSync(at(scene, `${run}snapshot/bin/tool`), 0o444), 'git mode: 100755 -> 100644'],
    ['no copy', (scene) => rmSync(at(scene, `${run}snapshot`), { recursive: true }), 'copy of the task\'s code of quick is missing'],
    ['the frozen study', (scene) => change(scene, `${run}study.yaml`, 'timesteps: 1000', 'timesteps: 9'), 'study.stages.screen.timesteps: 1000 -> 9'],
    ['the frozen values', (scene) => change(scene, `${run}approved.json`, '"wall_hours": 2', '"wall_hours": 99'), 'approved.json was edited'],
    ['the approval', (scene) => change(scene, approvalAt, '"agents_may_start": false', '"agents_may_start": true'), 'its seal does not hold'],
    ['the package list', (scene) => write(scene, '../program/package-lock.json', '{"packages":{}}'), 'package list'],
  ];

  it.each(spoilt)('C14 ends with %s changed, and says so', async (_name, spoil, reason) => {
    const scene = copyOf(started);
    expect(await running(scene)).toBe('ok');
    spoil(scene);
    const answer = await running(scene);
    expect(answer).toMatch(/^approval_lapsed: /);
    expect(answer).toContain(reason);
  });

  it('C14 ends without an approval, and under a damaged ledger', async () => {
    const scene = copyOf(started);
    const ledger = read(scene, '.rlxp/ledger.jsonl');
    write(scene, '.rlxp/ledger.jsonl', ledger.replace('ada', 'eve'));
    expect(await running(scene)).toMatch(/^damaged: /);
    write(scene, '.rlxp/ledger.jsonl', ledger);
    rmSync(at(scene, approvalAt));
    expect(await running(scene)).toMatch(/^not_approved: /);
  });

  it('C13 refuses to copy code that changed between the check and the copy', async () => {
    const scene = copyOf(approved);
    const check = approvedOrRefuse(await checkLive(scene.ports, scene.root, 'quick'));
    change(scene, 'lib/physics.mjs', '9.81', '9.82');
    expect(await refusalOf(takeSnapshot(scene.ports, scene.root, check))).toMatchObject({ code: 'approval_lapsed' });
    expect(existsSync(at(scene, `${run}snapshot`))).toBe(false);
  });

  it('C13 keeps a copy that is right and replaces one that is not', async () => {
    const scene = copyOf(started);
    const check = approvedOrRefuse(await checkLive(scene.ports, scene.root, 'quick'));
    const before = statSync(at(scene, `${run}snapshot/env.mjs`)).ino;
    await takeSnapshot(scene.ports, scene.root, check);
    expect(statSync(at(scene, `${run}snapshot/env.mjs`)).ino).toBe(before);
    rewrite(scene, `${run}snapshot/env.mjs`, 'Gravity');
    await takeSnapshot(scene.ports, scene.root, check);
    expect(await running(scene)).toBe('ok');
  });

  it('C15 takes less than 20 ms for a small snapshot', async () => {
    const scene = copyOf(started);
    const times: number[] = [];
    for (let count = 0; count < 15; count += 1) {
      const from = performance.now();
      await checkRunning(scene.ports, scene.root, 'quick');
      times.push(performance.now() - from);
    }
    expect(Math.min(...times)).toBeLessThan(20);
  });
});
