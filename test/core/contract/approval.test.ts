// Approving a study: what is sealed and frozen, what refuses it, and which approvals are forged or foreign.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { approve } from '../../../src-main/core/contract/approval.ts';
import { carryApproval } from '../../../src-main/core/contract/carry-approval.ts';
import { approvedOrRefuse, checkApproval, checkLive } from '../../../src-main/core/contract/check-approval.ts';
import { confirmGate, setGate } from '../../../src-main/core/contract/gate-changes.ts';
import { setAsideAlone } from '../../../src-main/core/contract/set-aside.ts';
import { takeSnapshot } from '../../../src-main/core/contract/take-snapshot.ts';
import { verifyLedger } from '../../../src-main/core/ledger/ledger.ts';
import { approvalFile } from '../../../src-protocol/files/approval.ts';
import type { Scene } from '../ledger/scene.ts';
import { approvalAt, at, change, copyOf, linkInPlace, live, options, read, refusalOf, rewrite, running, said, threeStages, words, write } from './project.ts';

let confirmed: Scene;
let approved: Scene;
let started: Scene;

beforeAll(async () => {
  ({ confirmed, approved, started } = await threeStages());
});

describe('a run that is set aside', () => {
  it('C18 is never moved away under a campaign', async () => {
    const scene = copyOf(started);
    const before = readdirSync(at(scene, '.rlxp/runs'));
    const lock = await scene.ports.locks.take(scene.root, 'campaign quick');
    const aside = () => setAsideAlone(scene.ports, scene.root, { study: 'quick', by: 'ada' });
    expect(await refusalOf(aside())).toMatchObject({ code: 'campaign_running', message: expect.stringMatching(/^campaign quick is running/) as string });
    expect(readdirSync(at(scene, '.rlxp/runs'))).toEqual(before);
    if (lock.held) await lock.release();
    await aside();
    expect(readdirSync(at(scene, '.rlxp/runs'))).toHaveLength(before.length + 1);
  });
});

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
    ['a withdrawn experiment', (scene: Scene) => change(scene, '.rlxp/experiments.yaml', 'why: to see', 'status: withdrawn'), 'not_found', 'was withdrawn'],
    ['a missing study', (scene: Scene) => rmSync(at(scene, '.rlxp/studies/quick.yaml')), 'not_found', 'studies/quick.yaml does not exist'],
    ['a study under another name', (scene: Scene) => change(scene, '.rlxp/studies/quick.yaml', 'study: quick', 'study: slow'), 'invalid_file', 'names the study slow'],
    ['a missing code file', (scene: Scene) => rmSync(at(scene, 'env.mjs')), 'invalid_file', ''],
    ['no project', (scene: Scene) => rmSync(at(scene, '.rlxp'), { recursive: true }), 'not_a_repository', 'holds no folder .rlxp'],
    ['a study out of scope', (scene: Scene) => change(scene, '.rlxp/studies/quick.yaml', 'agent_cfg: { agent: { learning_epochs: 4 } }', 'env_cfg: { gravity: 1 }'), 'out_of_scope', '1 problem'],
    ['an invalid adapter', (scene: Scene) => write(scene, '.rlxp/adapter.yaml', 'framework: bundeld\n'), 'invalid_file', 'adapter.yaml'],
    ['a cut ledger', (scene: Scene) => write(scene, '.rlxp/ledger.jsonl', read(scene, '.rlxp/ledger.jsonl').split('\n').slice(0, 5).join('\n') + '\n'), 'damaged', 'was cut'],
  ])('C7 refuses %s and writes nothing', async (_name, spoil, code, message) => {
    const scene = copyOf(confirmed);
    spoil(scene);
    const refusal = await refusalOf(approve(scene.ports, scene.root, options));
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(message) as string });
    expect(existsSync(at(scene, '.rlxp/runs'))).toBe(false);
  });

  it('C7 takes the gate experiment for the proposal when experiments.yaml names no such study, and adds it there', async () => {
    const scene = copyOf(confirmed);
    write(scene, '.rlxp/experiments.yaml', '# mine\nschema: 1\nexperiments: []\n');
    await approve(scene.ports, scene.root, options);
    expect(read(scene, '.rlxp/experiments.yaml')).toMatch(/^# mine[\s\S]*study: quick[\s\S]*status: approved/);
    expect(await checkLive(scene.ports, scene.root, 'quick')).toMatchObject({ ok: true });
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
