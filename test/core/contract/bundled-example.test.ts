// The approval a bundled example is shipped with: taken on as a visible step, valid only as shipped and where it was shipped.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { acceptBundledExample, hasBundledApproval, makeBundledApproval } from '../../../src-main/core/contract/bundled-example.ts';
import { checkApproval, checkLive } from '../../../src-main/core/contract/check-approval.ts';
import { readGates } from '../../../src-main/core/contract/gate-changes.ts';
import { takeSnapshot } from '../../../src-main/core/contract/take-snapshot.ts';
import { approvedOrRefuse } from '../../../src-main/core/contract/check-approval.ts';
import { verifyLedger } from '../../../src-main/core/ledger/ledger.ts';
import { keepScene, makeScene, type Scene } from '../ledger/scene.ts';
import { change, read, refusalOf, words, write, writeProject } from './project.ts';

const below = 'program/examples/swing';
let shipped: Scene;

beforeAll(async () => {
  shipped = writeProject(keepScene({ below }));
  write(shipped, '../../package-lock.json', '{"packages":{"":{"version":"0.1.0"}}}');
  await makeBundledApproval(shipped.ports, shipped.root, 'quick');
});

/** A fresh clone: the shipped files, no ledger, no runs, another machine key. */
function clone(options: { readonly below: string } = { below }): Scene {
  const scene = makeScene(options);
  cpSync(path.join(shipped.root, '..', '..'), path.join(scene.root, '..', '..'), { recursive: true });
  if (options.below !== below) cpSync(shipped.root, scene.root, { recursive: true });
  return { ...scene, ports: scene.elsewhere };
}

describe('a bundled example', () => {
  it('C16 is shipped with the values and digests of its approval, and no seal', async () => {
    const text = read(shipped, '.rlxp/approvals/quick.json');
    expect(JSON.parse(text)).toMatchObject({ approval: { kind: 'bundled-example', seal: null, machine: null, agents_may_start: false }, approved: { study: { study: 'quick' } } });
    expect(read(shipped, '.rlxp/contract.yaml').match(/status: confirmed/g)).toHaveLength(8);
    await makeBundledApproval(shipped.ports, shipped.root, 'quick');
    expect(read(shipped, '.rlxp/approvals/quick.json')).toBe(text);
  });

  it('C16 is approved on any machine by a step that the ledger shows', async () => {
    const scene = clone();
    expect(await hasBundledApproval(scene.ports, scene.root, 'quick')).toBe(true);
    expect(await checkLive(scene.ports, scene.root, 'quick')).toMatchObject({ ok: false, code: 'not_approved' });
    expect((await readGates(scene.ports, scene.root)).every((gate) => gate.state === 'lapsed')).toBe(true);
    const approval = await acceptBundledExample(scene.ports, scene.root, 'quick');
    expect(await checkLive(scene.ports, scene.root, 'quick')).toMatchObject({ ok: true, agentsMayStart: false });
    expect((await readGates(scene.ports, scene.root)).every((gate) => gate.state === 'confirmed')).toBe(true);
    const { lines } = await verifyLedger(scene.ports, scene.root);
    expect(lines).toMatchObject([{ kind: 'experiment_approved', study: 'quick', facts: { kind: 'bundled-example', digest: approval.digest } }]);
    await acceptBundledExample(scene.ports, scene.root, 'quick');
    expect((await verifyLedger(scene.ports, scene.root)).lines).toHaveLength(1);
  });

  it('C16 holds with CRLF line endings in its code', async () => {
    const scene = clone();
    write(scene, 'env.mjs', read(scene, 'env.mjs').replaceAll('\n', '\r\n'));
    expect((await acceptBundledExample(scene.ports, scene.root, 'quick')).kind).toBe('bundled-example');
  });

  const edits: readonly (readonly [string, (scene: Scene) => unknown, string])[] = [
    ['its study', (scene) => change(scene, '.rlxp/studies/quick.yaml', 'timesteps: 1000', 'timesteps: 2000'), 'study.stages.screen.timesteps: 1000 -> 2000'],
    ['its code', (scene) => change(scene, 'env.mjs', 'gravity;', 'Gravity;'), 'file env.mjs: content'],
    ['its contract', (scene) => change(scene, '.rlxp/contract.yaml', 'wall_hours: 2', 'wall_hours: 3'), 'contract.budget.wall_hours: 2 -> 3'],
    ['the package list', (scene) => write(scene, '../../package-lock.json', '{"packages":{"":{"version":"0.2.0"}}}'), 'package list'],
  ];

  it.each(edits)('C16 lapses by an edit of %s, before and after it was taken on', async (_name, edit, row) => {
    const before = clone();
    edit(before);
    const refusal = await refusalOf(acceptBundledExample(before.ports, before.root, 'quick'));
    expect(refusal.code).toBe('approval_lapsed');
    expect(words(refusal.differences ?? []).join()).toContain(row);
    const after = clone();
    await acceptBundledExample(after.ports, after.root, 'quick');
    edit(after);
    const check = await checkLive(after.ports, after.root, 'quick');
    expect(check.ok ? [] : words(check.differences).join()).toContain(row);
  });

  it('C16 counts nowhere but in the program\'s own examples folder', async () => {
    const scene = clone({ below: 'program/copied/swing' });
    expect(await refusalOf(acceptBundledExample(scene.ports, scene.root, 'quick'))).toMatchObject({ code: 'not_approved' });
    const inside = clone();
    await acceptBundledExample(inside.ports, inside.root, 'quick');
    cpSync(path.join(inside.root, '.rlxp'), path.join(scene.root, '.rlxp'), { recursive: true });
    const check = await checkApproval(scene.ports, scene.root, 'quick');
    expect(check).toMatchObject({ ok: false, code: 'approval_lapsed', text: expect.stringContaining('own examples folder') as string });
  });

  it('C16 refuses an approval.json that differs from the shipped one', async () => {
    const scene = clone();
    await acceptBundledExample(scene.ports, scene.root, 'quick');
    change(scene, '.rlxp/runs/quick/approval.json', '"agents_may_start": false', '"agents_may_start": true');
    expect(await checkLive(scene.ports, scene.root, 'quick')).toMatchObject({ ok: false, code: 'approval_lapsed', text: expect.stringContaining('not the one shipped') as string });
  });

  it('C16 is checked against its copy once it runs, like any other', async () => {
    const scene = clone();
    await acceptBundledExample(scene.ports, scene.root, 'quick');
    await takeSnapshot(scene.ports, scene.root, approvedOrRefuse(await checkLive(scene.ports, scene.root, 'quick')));
    change(scene, 'env.mjs', 'gravity;', 'Gravity;');
    expect(await checkApproval(scene.ports, scene.root, 'quick')).toMatchObject({ ok: true });
    expect((await acceptBundledExample(scene.ports, scene.root, 'quick')).kind).toBe('bundled-example');
  });
});
