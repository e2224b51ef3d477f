// The tools of contract and ledger, through their handlers: shapes are those that were declared, callers are named.
import { describe, expect, it } from 'vitest';
import { approvalCheck, contractShow, gateConfirm, gateSet, studyApprove } from '../../../src-main/core/contract/handlers.ts';
import type { HandlerContext } from '../../../src-main/core/dispatch/handler.ts';
import { ledgerShow, ledgerVerify } from '../../../src-main/core/ledger/handlers.ts';
import * as contract from '../../../src-protocol/contract.ts';
import { gateNames } from '../../../src-protocol/files/contract.ts';
import * as ledger from '../../../src-protocol/ledger.ts';
import { makeScene, type Scene } from '../ledger/scene.ts';
import { change, read, refusalOf, write, writeProject } from './project.ts';

function context(scene: Scene, by = 'ada'): HandlerContext {
  return { caller: { kind: 'terminal', by, typed: null }, ports: scene.ports, signal: new AbortController().signal };
}

describe('the tools of the contract', () => {
  it('C19 lead from drafts to an approval and tell at each step what is missing', async () => {
    const scene = writeProject(makeScene());
    const { root } = scene;
    const here = context(scene);
    expect(contract.approvalCheck.output.parse(await approvalCheck({ root, study: 'quick' }, here))).toMatchObject({ state: 'none', digest: null });
    const drafted = contract.gateSet.output.parse(await gateSet({ root, gate: 'budget', value: { wall_hours: 1, per_trial_s: 60 } }, context(scene, 'agent')));
    expect(drafted).toMatchObject({ gate: 'budget', status: 'draft', value: { wall_hours: 1, verify_reserve_hours: 0 } });
    for (const gate of gateNames) {
      const digest = gate === 'budget' ? { digest: drafted.digest } : {};
      expect(contract.gateConfirm.output.parse(await gateConfirm({ root, gate, ...digest }, here))).toMatchObject({ gate, by: 'ada' });
    }
    const shown = contract.contractShow.output.parse(await contractShow({ root }, here));
    expect(shown.project).toBe('demo');
    expect(shown.gates.map((gate) => gate.status)).toEqual(Array(8).fill('confirmed'));
    const before = await approvalCheck({ root, study: 'quick' }, here);
    expect(before.digest).toMatch(/^[0-9a-f]{64}$/);
    const approved = contract.studyApprove.output.parse(await studyApprove({ root, study: 'quick', agents_may_start: true, fresh: false, digest: before.digest ?? '' }, here));
    expect(approved).toMatchObject({ by: 'ada', agents_may_start: true, files: 3, digest: before.digest });
    expect(contract.approvalCheck.output.parse(await approvalCheck({ root, study: 'quick' }, here))).toMatchObject({ state: 'valid', kind: 'person', by: 'ada', agents_may_start: true, differences: [] });

    change(scene, 'env.mjs', 'gravity;', 'Gravity;');
    expect(contract.approvalCheck.output.parse(await approvalCheck({ root, study: 'quick' }, here))).toMatchObject({ state: 'lapsed', by: null, agents_may_start: false, differences: [{ what: 'file env.mjs' }] });
    expect((await approvalCheck({ root, study: 'quick' }, { ...here, ports: scene.elsewhere })).state).toBe('elsewhere');
    change(scene, '.rlxp/contract.yaml', 'wall_hours: 1', 'wall_hours: 2');
    const lapsed = contract.contractShow.output.parse(await contractShow({ root }, here)).gates.find((gate) => gate.gate === 'budget');
    expect(lapsed).toMatchObject({ status: 'draft', confirmed: null, differences: [{ what: 'budget.wall_hours', approved: '1', now: '2' }] });
  });

  it('LG11 show the ledger and prove it, naming the damaged line', async () => {
    const scene = writeProject(makeScene());
    const { root } = scene;
    const here = context(scene);
    expect(ledger.ledgerVerify.output.parse(await ledgerVerify({ root }, here))).toEqual({ intact: true, lines: 0, seal: 'absent', problems: [] });
    for (const gate of gateNames) await gateConfirm({ root, gate }, here);
    expect(ledger.ledgerShow.output.parse(await ledgerShow({ root, last: 3 }, here))).toMatchObject({ total: 8, lines: [{ seq: 5 }, { seq: 6 }, { seq: 7 }] });
    expect(await ledgerShow({ root, last: 3, study: 'quick' }, here)).toEqual({ total: 0, lines: [] });
    expect(await ledgerVerify({ root }, here)).toEqual({ intact: true, lines: 8, seal: 'valid', problems: [] });
    expect(await ledgerVerify({ root }, { ...here, ports: scene.elsewhere })).toMatchObject({ intact: false, seal: 'foreign', problems: [{ file: '.rlxp/ledger.jsonl' }] });
    write(scene, '.rlxp/ledger.jsonl', read(scene, '.rlxp/ledger.jsonl').replace('"seq":4', '"seq":5'));
    expect(ledger.ledgerVerify.output.parse(await ledgerVerify({ root }, here))).toMatchObject({ intact: false, seal: 'broken', lines: 4, problems: [{ line: 5, message: expect.stringContaining('Line 5') as string }] });
  });

  it('C19 refuse outside a project', async () => {
    const scene = makeScene();
    const here = context(scene);
    const { root } = scene;
    const calls = [() => contractShow({ root }, here), () => approvalCheck({ root, study: 'quick' }, here), () => ledgerShow({ root, last: 1 }, here), () => ledgerVerify({ root }, here)];
    for (const call of calls) expect((await refusalOf(call())).code).toBe('not_a_repository');
  });
});
