// Approving a study, and everything that lapses an approval: each covered thing is changed in turn, and each refusal says why.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { approve } from '../../../src-main/core/contract/approval.ts';
import { carryApproval } from '../../../src-main/core/contract/carry-approval.ts';
import { approvedOrRefuse, checkApproval, checkLive, checkRunning, type ApprovalCheck } from '../../../src-main/core/contract/check-approval.ts';
import { confirmGate, setGate } from '../../../src-main/core/contract/gate-changes.ts';
import { takeSnapshot } from '../../../src-main/core/contract/take-snapshot.ts';
import { verifyLedger } from '../../../src-main/core/ledger/ledger.ts';
import { approvalFile } from '../../../src-protocol/files/approval.ts';
import { keepScene, type Scene } from '../ledger/scene.ts';
import { at, change, confirmAll, copyOf, read, refusalOf, words, write, writeProject } from './project.ts';

let confirmed: Scene;
let approved: Scene;
let started: Scene;

beforeAll(async () => {
  confirmed = writeProject(keepScene());
  await confirmAll(confirmed);
  approved = copyOf(confirmed, keepScene());
  await approve(approved.ports, approved.root, { ...options, agentsMayStart: false });
  started = copyOf(approved, keepScene());
  await takeSnapshot(started.ports, started.root, approvedOrRefuse(await checkLive(started.ports, started.root, 'quick')));
});

const options = { study: 'quick', by: 'ada', agentsMayStart: true };
const approvalAt = '.rlxp/runs/quick/approval.json';

/** What the check says, in one line; `ok` when it holds. */
function said(check: ApprovalCheck): string {
  return check.ok ? 'ok' : [`${check.code}: ${check.text}`, ...words(check.differences)].join(' | ');
}

async function live(scene: Scene): Promise<string> {
  return said(await checkLive(scene.ports, scene.root, 'quick'));
}

async function running(scene: Scene): Promise<string> {
  return said(await checkRunning(scene.ports, scene.root, 'quick'));
}

describe('approving a study', () => {
  it('C7 seals what a person approved, freezes it and says so in ledger and experiments.yaml', async () => {
    const scene = copyOf(confirmed);
    const approval = await approve(scene.ports, scene.root, options);
    expect(approvalFile.parse(JSON.parse(read(scene, approvalAt)))).toEqual(approval);
    expect(approval).toMatchObject({ kind: 'person', by: 'ada', agents_may_start: true });
    expect(approval.subject.snapshot.map((one) => `${one.mode} ${one.path}`)).toEqual(['100755 bin/tool', '100644 env.mjs', '100644 lib/physics.mjs']);
    expect(readFileSync(at(scene, '.rlxp/runs/quick/study.yaml'))).toEqual(readFileSync(at(scene, '.rlxp/studies/quick.yaml')));
    expect(read(scene, '.rlxp/experiments.yaml')).toContain('study: quick # the first\n    why: to see\n    status: approved');
    const { lines } = await verifyLedger(scene.ports, scene.root);
    expect(lines.at(-1)).toMatchObject({ kind: 'experiment_approved', study: 'quick', by: 'ada', facts: { digest: approval.digest, agents_may_start: true, files: 3 } });
    expect(await checkApproval(scene.ports, scene.root, 'quick')).toMatchObject({ ok: true, agentsMayStart: true, approved: { task: { entry: './env.mjs#makeEnv' } } });
  });

  it('C6 refuses while a gate is missing, a draft or lapsed, and names each of them', async () => {
    const scene = copyOf(confirmed);
    await setGate(scene.ports, scene.root, { gate: 'budget', by: 'agent', value: { wall_hours: 3, per_trial_s: 600 } });
    change(scene, '.rlxp/contract.yaml', 'devices: [ cpu ]', 'devices: [ "cuda:0" ]');
    const refusal = await refusalOf(approve(scene.ports, scene.root, options));
    expect(refusal.code).toBe('gate_missing');
    expect(refusal.problems?.map((one) => `${one.message}. ${one.fix}`)).toEqual([
      'the gate budget is a draft that nobody confirmed. Confirm it with `rlxp contract confirm budget`.',
      'the gate hardware changed after it was confirmed. Confirm it with `rlxp contract confirm hardware`.',
    ]);
    expect(existsSync(at(scene, approvalAt))).toBe(false);
  });

  it('C6 refuses a contract that is about another study or another task', async () => {
    const scene = copyOf(confirmed);
    await setGate(scene.ports, scene.root, { gate: 'experiment', by: 'ada', value: { study: 'other' } });
    await setGate(scene.ports, scene.root, { gate: 'task', by: 'ada', value: { task: 'walk' } });
    for (const gate of ['experiment', 'task'] as const) await confirmGate(scene.ports, scene.root, { gate, by: 'ada' });
    const refusal = await refusalOf(approve(scene.ports, scene.root, options));
    expect(refusal.message).toContain('the gate experiment names other, and this is quick; the gate task names walk, and this is swing');
  });

  it.each([
    ['a study nobody proposed', (scene: Scene) => write(scene, '.rlxp/experiments.yaml', 'schema: 1\nexperiments: []\n'), 'not_found', 'proposes no study quick'],
    ['a withdrawn experiment', (scene: Scene) => change(scene, '.rlxp/experiments.yaml', 'why: to see', 'status: withdrawn'), 'not_found', 'was withdrawn'],
    ['a missing study', (scene: Scene) => rmSync(at(scene, '.rlxp/studies/quick.yaml')), 'not_found', 'studies/quick.yaml does not exist'],
    ['a study under another name', (scene: Scene) => change(scene, '.rlxp/studies/quick.yaml', 'study: quick', 'study: slow'), 'invalid_file', 'names the study slow'],
    ['a missing code file', (scene: Scene) => rmSync(at(scene, 'env.mjs')), 'invalid_file', ''],
    ['no project', (scene: Scene) => rmSync(at(scene, '.rlxp'), { recursive: true }), 'not_a_repository', 'holds no folder .rlxp'],
    ['a study out of scope', (scene: Scene) => change(scene, '.rlxp/studies/quick.yaml', 'agent_cfg: { agent: { learning_epochs: 4 } }', 'env_cfg: { gravity: 1 }'), 'out_of_scope', 'one problem'],
    ['an invalid adapter', (scene: Scene) => write(scene, '.rlxp/adapter.yaml', 'framework: bundeld\n'), 'invalid_file', 'adapter.yaml'],
    ['a cut ledger', (scene: Scene) => write(scene, '.rlxp/ledger.jsonl', read(scene, '.rlxp/ledger.jsonl').split('\n').slice(0, 5).join('\n') + '\n'), 'damaged', 'was cut'],
  ])('C7 refuses %s and writes nothing', async (_name, spoil, code, message) => {
    const scene = copyOf(confirmed);
    spoil(scene);
    const refusal = await refusalOf(approve(scene.ports, scene.root, options));
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(message) as string });
    expect(existsSync(at(scene, '.rlxp/runs'))).toBe(false);
  });

  it('C8 refuses when something changed between showing and approving', async () => {
    const scene = copyOf(confirmed);
    const shown = (await approve(scene.ports, scene.root, options)).digest;
    change(scene, 'env.mjs', 'gravity;', 'gravity ;');
    expect(await refusalOf(approve(scene.ports, scene.root, { ...options, digest: shown }))).toMatchObject({ code: 'approval_lapsed', message: expect.stringContaining('nothing was approved') as string });
  });

  it('C8 gives one approval and one ledger line to two windows that approve at once', async () => {
    const scene = copyOf(confirmed);
    const [one, two] = await Promise.all([approve(scene.ports, scene.root, options), approve(scene.ports, scene.root, options)]);
    expect(one).toEqual(two);
    expect((await verifyLedger(scene.ports, scene.root)).lines.filter((line) => line.kind === 'experiment_approved')).toHaveLength(1);
    await approve(scene.ports, scene.root, { ...options, agentsMayStart: false });
    expect(await checkLive(scene.ports, scene.root, 'quick')).toMatchObject({ ok: true, agentsMayStart: false });
  });

  it('C17 refuses while the campaign of this study is running', async () => {
    const scene = copyOf(confirmed);
    const lock = await scene.ports.locks.take(scene.root, 'campaign quick');
    expect(await refusalOf(approve(scene.ports, scene.root, options))).toMatchObject({ code: 'campaign_running' });
    if (lock.held) await lock.release();
    const other = await scene.ports.locks.take(scene.root, 'campaign other');
    await approve(scene.ports, scene.root, options);
    if (other.held) await other.release();
  });

  it('C17 with finished trials, takes other budgets as an amendment and refuses everything else', async () => {
    const scene = copyOf(started);
    write(scene, '.rlxp/runs/quick/trials.jsonl', '{}\n');
    await setGate(scene.ports, scene.root, { gate: 'budget', by: 'ada', value: { wall_hours: 5, per_trial_s: 600 } });
    await confirmGate(scene.ports, scene.root, { gate: 'budget', by: 'ada' });
    await approve(scene.ports, scene.root, options);
    expect((await verifyLedger(scene.ports, scene.root)).lines.at(-1)).toMatchObject({ kind: 'amendment' });
    expect(await running(scene)).toBe('ok');
    change(scene, '.rlxp/studies/quick.yaml', 'num_envs: 4 }', 'num_envs: 4, max_trial_s: 30 }');
    await approve(scene.ports, scene.root, options);
    expect(await running(scene)).toBe('ok');
    change(scene, '.rlxp/studies/quick.yaml', 'learning_epochs: 4', 'learning_epochs: 5');
    const refusal = await refusalOf(approve(scene.ports, scene.root, options));
    expect(refusal).toMatchObject({ code: 'study_finished' });
    expect(words(refusal.differences ?? [])).toEqual(['study.candidates.slow.agent_cfg.agent.learning_epochs: 4 -> 5']);
  });

  it('C17 starts a new copy of the code when it is approved again before a trial was finished', async () => {
    const scene = copyOf(started);
    change(scene, 'env.mjs', 'gravity;', 'gravity * 2;');
    await approve(scene.ports, scene.root, options);
    expect(existsSync(at(scene, '.rlxp/runs/quick/snapshot'))).toBe(false);
    const check = approvedOrRefuse(await checkApproval(scene.ports, scene.root, 'quick'));
    expect(readFileSync(`${await takeSnapshot(scene.ports, scene.root, check)}/env.mjs`, 'utf8')).toContain('gravity * 2');
  });

  it('C17 mends a frozen study or a copy of the code that was spoilt, with finished trials too', async () => {
    for (const trials of ['', '{}\n']) {
      const scene = copyOf(started);
      write(scene, '.rlxp/runs/quick/trials.jsonl', trials);
      rewrite(scene, '.rlxp/runs/quick/snapshot/env.mjs', 'Gravity');
      write(scene, '.rlxp/runs/quick/study.yaml', 'study: quick');
      expect(said(await checkApproval(scene.ports, scene.root, 'quick'))).toMatch(/^approval_lapsed/);
      await approve(scene.ports, scene.root, { ...options, agentsMayStart: false });
      await takeSnapshot(scene.ports, scene.root, approvedOrRefuse(await checkApproval(scene.ports, scene.root, 'quick')));
      expect(await running(scene)).toBe('ok');
    }
  });

  it('C18 carries an approval to a new run when the old one is set aside', async () => {
    const scene = copyOf(started);
    renameSync(at(scene, '.rlxp/runs/quick'), at(scene, '.rlxp/runs/quick.old'));
    await carryApproval(scene.ports, scene.root, { study: 'quick', fromFolder: at(scene, '.rlxp/runs/quick.old') });
    expect(said(await checkApproval(scene.ports, scene.root, 'quick'))).toBe('ok');
    expect(existsSync(at(scene, '.rlxp/runs/quick/snapshot'))).toBe(false);
  });
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
});

describe('a forged or foreign approval', () => {
  it('C9 reads as approved elsewhere under another machine key', async () => {
    const scene = copyOf(approved);
    expect(said(await checkLive(scene.elsewhere, scene.root, 'quick'))).toBe('approved_elsewhere: The study quick was approved by ada on another machine.');
  });

  const forgeries: readonly (readonly [string, (approval: Record<string, unknown>) => unknown, string])[] = [
    ['agents_may_start', (approval) => (approval['agents_may_start'] = true), 'its seal does not hold'],
    ['who approved', (approval) => (approval['by'] = 'eve'), 'its seal does not hold'],
    ['when', (approval) => (approval['at'] = '2020-01-01T00:00:00.000Z'), 'its seal does not hold'],
    ['the seal', (approval) => (approval['seal'] = '0'.repeat(64)), 'its seal does not hold'],
    ['the seal, to none,', (approval) => (approval['seal'] = null), 'its seal does not hold'],
    ['the subject', (approval) => ((approval['subject'] as Record<string, unknown>)['study_digest'] = '0'.repeat(64)), 'its digest is not that of what it lists'],
    ['the kind', (approval) => (approval['kind'] = 'bundled-example'), 'only inside the program\'s own examples folder'],
    ['an unknown key, added,', (approval) => (approval['extra'] = 1), 'cannot be read'],
    ['the schema', (approval) => (approval['schema'] = 2), 'cannot be read'],
  ];

  it.each(forgeries)('C9 refuses an approval in which %s was edited', async (_name, forge, reason) => {
    const scene = copyOf(approved);
    const approval = JSON.parse(read(scene, approvalAt)) as Record<string, unknown>;
    forge(approval);
    write(scene, approvalAt, JSON.stringify(approval));
    expect(await live(scene)).toMatch(/^approval_lapsed: /);
    expect(await live(scene)).toContain(reason);
  });

  it('C9 notices the change of any byte of approval.json', async () => {
    const scene = copyOf(approved);
    const bytes = readFileSync(at(scene, approvalAt));
    for (let place = 3; place < bytes.length; place += 97) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 0x02;
      writeFileSync(at(scene, approvalAt), changed);
      expect(await live(scene), `byte ${place}`).not.toBe('ok');
    }
  });

  it('C9 refuses the approval of another study', async () => {
    const scene = copyOf(approved);
    write(scene, '.rlxp/runs/other/approval.json', read(scene, approvalAt));
    expect(said(await checkApproval(scene.ports, scene.root, 'other'))).toBe('approval_lapsed: .rlxp/runs/other/approval.json is an approval of the study quick, not of other.');
  });

  it('C9 refuses an approval that the ledger knows nothing of', async () => {
    const scene = copyOf(approved);
    for (const name of ['.rlxp/ledger.jsonl', '.rlxp/ledger.head.json']) rmSync(at(scene, name));
    expect(await live(scene)).toBe('approval_lapsed: The ledger holds no line of this approval of quick.');
  });

  it('C9 refuses under a ledger that was cut or rewritten', async () => {
    const scene = copyOf(approved);
    const ledger = read(scene, '.rlxp/ledger.jsonl');
    write(scene, '.rlxp/ledger.jsonl', ledger.split('\n').slice(0, -2).join('\n') + '\n');
    expect(await live(scene)).toBe('damaged: The ledger was cut: 9 lines were sealed, 8 are there.');
    write(scene, '.rlxp/ledger.jsonl', ledger.replace('"by":"ada"', '"by":"eve"'));
    expect(await live(scene)).toMatch(/^damaged: Line 2 of the ledger is damaged/);
  });

  it('C9 refuses when the frozen values were edited', async () => {
    const scene = copyOf(approved);
    change(scene, '.rlxp/runs/quick/approved.json', '"learning_epochs": 4', '"learning_epochs": 9');
    expect(await live(scene)).toContain('approved.json was edited');
  });

  it('C9 reads a link in place of approval.json as no approval', async () => {
    const scene = copyOf(approved);
    linkInPlace(scene, approvalAt);
    expect(await live(scene)).toMatch(/^approval_lapsed: The approval cannot be read/);
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

/** Moves a file away and puts a link to it in its place: the same bytes, from a place nobody approved. */
function linkInPlace(scene: Scene, name: string): void {
  renameSync(at(scene, name), at(scene, 'moved-away'));
  symlinkSync(at(scene, 'moved-away'), at(scene, name));
}

/** Writes over a read-only file. */
function rewrite(scene: Scene, name: string, text: string): void {
  rmSync(at(scene, name));
  write(scene, name, text);
}

