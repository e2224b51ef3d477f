// Drafting and confirming gates: who may be believed, what lapses, and that contract.yaml stays a file of the person's own.
import { beforeAll, describe, expect, it } from 'vitest';
import { confirmGate, readGates, setGate } from '../../../src-main/core/contract/gate-changes.ts';
import type { GateView } from '../../../src-main/core/contract/gates.ts';
import { repairLedger } from '../../../src-main/core/ledger/repair.ts';
import { verifyLedger } from '../../../src-main/core/ledger/ledger.ts';
import type { GateName } from '../../../src-protocol/files/contract.ts';
import { keepScene, makeScene, type Scene } from '../ledger/scene.ts';
import { change, confirmAll, contractText, copyOf, read, refusalOf, words, write, writeProject } from './project.ts';

const contractAt = '.rlxp/contract.yaml';
let confirmed: Scene;

beforeAll(async () => {
  confirmed = writeProject(keepScene());
  await confirmAll(confirmed);
});

async function gate(scene: Scene, name: GateName): Promise<GateView> {
  const view = (await readGates(scene.ports, scene.root)).find((one) => one.gate === name);
  if (view === undefined) throw new Error(name);
  return view;
}

describe('the gates', () => {
  it('C1 are eight, and each is missing, a draft, confirmed or lapsed', async () => {
    const scene = writeProject(makeScene());
    write(scene, contractAt, contractText.replace('{ status: draft, value: { may_change: [agent_cfg] } }', '{ status: missing, value: null }'));
    const views = await readGates(scene.ports, scene.root);
    expect(views.map((view) => `${view.gate} ${view.state}`)).toEqual([
      ...['task draft', 'metric draft', 'scope missing', 'budget draft', 'hardware draft', 'baseline draft', 'evaluation draft', 'experiment draft'],
    ]);
    expect((await readGates(confirmed.ports, confirmed.root)).map((view) => view.state)).toEqual(Array(8).fill('confirmed'));
  });

  it('C2 are digested as values: comments, order, defaults and evidence do not count', async () => {
    const scene = copyOf(confirmed);
    const before = (await gate(scene, 'budget')).digest;
    change(scene, contractAt, 'wall_hours: 2 # one evening\n      per_trial_s: 600', 'per_trial_s: 600 # s\n      verify_reserve_hours: 0\n      wall_hours: 2.0');
    expect(await gate(scene, 'budget')).toMatchObject({ state: 'confirmed', digest: before });
  });

  it('C3 are drafted with comments and order kept, and checked as they are written', async () => {
    const scene = writeProject(makeScene());
    await setGate(scene.ports, scene.root, { gate: 'metric', by: 'agent', value: { primary: 'success', equivalence_margin: 0.1 }, evidence: ['docs/a.md'] });
    await setGate(scene.ports, scene.root, { gate: 'budget', by: 'agent', value: { wall_hours: 4, per_trial_s: 60 } });
    const text = read(scene, contractAt);
    expect(text).toContain('# What we agreed on in March\nschema: 1\nproject: demo # a demo\n');
    expect(text).toContain('      primary: success\n      # a fall of 2 points is noise\n      equivalence_margin: 0.1\n');
    expect(text).toContain('      wall_hours: 4 # one evening\n      per_trial_s: 60\n');
    expect(text.indexOf('task:')).toBeLessThan(text.indexOf('metric:'));
    const refusal = await refusalOf(setGate(scene.ports, scene.root, { gate: 'budget', by: 'agent', value: { wall_hours: -1, per_trial: 60 } }));
    expect(refusal.code).toBe('bad_input');
    expect(refusal.problems?.map((one) => one.fix).join(' ')).toContain('Did you mean `per_trial_s`?');
    expect(read(scene, contractAt)).toBe(text);
  });

  it('C3 keep CRLF line endings, and refuse a file with aliases rather than break it', async () => {
    const scene = writeProject(makeScene());
    write(scene, contractAt, contractText.replaceAll('\n', '\r\n'));
    await setGate(scene.ports, scene.root, { gate: 'budget', by: 'ada', value: { wall_hours: 4, per_trial_s: 60 } });
    expect(read(scene, contractAt)).toContain('wall_hours: 4 # one evening\r\n');
    expect(read(scene, contractAt)).not.toMatch(/[^\r]\n/);
    write(scene, contractAt, contractText.replace('{ what: the stock settings }', '{ what: &same stock }').replace('why: a first look', 'why: *same'));
    const before = read(scene, contractAt);
    expect(await refusalOf(setGate(scene.ports, scene.root, { gate: 'baseline', by: 'ada', value: { what: 'other' } }))).toMatchObject({
      code: 'invalid_file',
      message: expect.stringContaining('uses aliases') as string,
    });
    expect(read(scene, contractAt)).toBe(before);
    expect((await gate(scene, 'experiment')).value).toMatchObject({ why: 'stock' });
  });

  it('C4 are confirmed in the ledger first, with the value, and mirrored in contract.yaml', async () => {
    const scene = writeProject(makeScene());
    const view = await confirmGate(scene.ports, scene.root, { gate: 'budget', by: 'ada' });
    expect(view).toMatchObject({ state: 'confirmed', confirmed: { by: 'ada' } });
    const { lines } = await verifyLedger(scene.ports, scene.root);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ kind: 'gate_confirmed', by: 'ada', facts: { gate: 'budget', digest: view.digest, value: { wall_hours: 2, verify_reserve_hours: 0 } } });
    expect(read(scene, contractAt)).toContain(`digest: ${view.digest ?? ''}`);
    await confirmGate(scene.ports, scene.root, { gate: 'budget', by: 'ada' });
    expect((await verifyLedger(scene.ports, scene.root)).lines).toHaveLength(1);
  });

  it('C4 cannot be confirmed without a value, or when another value was shown', async () => {
    const scene = writeProject(makeScene());
    change(scene, contractAt, '{ status: draft, value: { devices: [cpu] } }', '{ status: missing, value: null }');
    expect(await refusalOf(confirmGate(scene.ports, scene.root, { gate: 'hardware', by: 'ada' }))).toMatchObject({ code: 'gate_missing' });
    const shown = (await gate(scene, 'budget')).digest ?? '';
    await setGate(scene.ports, scene.root, { gate: 'budget', by: 'agent', value: { wall_hours: 40, per_trial_s: 60 } });
    expect(await refusalOf(confirmGate(scene.ports, scene.root, { gate: 'budget', by: 'ada', digest: shown }))).toMatchObject({ code: 'approval_lapsed' });
    expect((await verifyLedger(scene.ports, scene.root)).lines).toHaveLength(0);
  });

  it('C5 lapse when their value changes, and show what changed in words', async () => {
    const scene = copyOf(confirmed);
    change(scene, contractAt, 'wall_hours: 2', 'wall_hours: 20');
    const view = await gate(scene, 'budget');
    expect(view).toMatchObject({ state: 'lapsed', confirmed: null, text: 'changed after it was confirmed' });
    expect(words(view.differences)).toEqual(['budget.wall_hours: 2 -> 20']);
    change(scene, contractAt, 'wall_hours: 20', 'wall_hours: 2');
    expect(await gate(scene, 'budget')).toMatchObject({ state: 'confirmed' });
  });

  it('C5 lapse with a ledger line when an agent drafts another value, and stay with the same one', async () => {
    const scene = copyOf(confirmed);
    const count = (await verifyLedger(scene.ports, scene.root)).lines.length;
    expect(await setGate(scene.ports, scene.root, { gate: 'budget', by: 'agent', value: { per_trial_s: 600, wall_hours: 2 } })).toMatchObject({ state: 'confirmed' });
    expect((await verifyLedger(scene.ports, scene.root)).lines).toHaveLength(count);
    expect(await setGate(scene.ports, scene.root, { gate: 'budget', by: 'agent', value: { per_trial_s: 600, wall_hours: 3 } })).toMatchObject({ state: 'draft' });
    expect((await verifyLedger(scene.ports, scene.root)).lines.at(-1)).toMatchObject({ kind: 'gate_lapsed', by: 'agent', facts: { gate: 'budget' } });
  });

  it('C5 are not believed on the word of contract.yaml alone', async () => {
    const scene = copyOf(confirmed);
    const digest = (await gate(scene, 'budget')).digest ?? '';
    change(scene, contractAt, 'wall_hours: 2', 'wall_hours: 20');
    const forged = (await gate(scene, 'budget')).digest ?? '';
    change(scene, contractAt, digest, forged);
    expect(await gate(scene, 'budget')).toMatchObject({ state: 'lapsed' });
    const fresh = writeProject(makeScene());
    write(fresh, contractAt, read(confirmed, contractAt));
    const view = await gate(fresh, 'budget');
    expect(view).toMatchObject({ state: 'lapsed', text: 'says confirmed, but the ledger of this machine holds no confirmation of it' });
    const edited = copyOf(confirmed);
    change(edited, contractAt, digest, 'f'.repeat(64));
    expect(words((await gate(edited, 'budget')).differences)).toEqual(['budget: its confirmation in contract.yaml: as the ledger holds it -> edited by hand']);
  });

  it('C5 do not count when the ledger was cut, sealed elsewhere or repaired, until they are confirmed here', async () => {
    const cut = copyOf(confirmed);
    write(cut, '.rlxp/ledger.jsonl', read(cut, '.rlxp/ledger.jsonl').split('\n').slice(0, 6).join('\n') + '\n');
    expect((await gate(cut, 'task')).state).toBe('lapsed');
    expect(await refusalOf(confirmGate(cut.ports, cut.root, { gate: 'task', by: 'ada' }))).toMatchObject({ code: 'damaged' });
    await repairLedger(cut.ports, cut.root, 'ada');
    expect((await gate(cut, 'task')).state).toBe('lapsed');
    await confirmGate(cut.ports, cut.root, { gate: 'task', by: 'ada' });
    expect((await gate(cut, 'task')).state).toBe('confirmed');

    const foreign = copyOf(confirmed);
    const elsewhere: Scene = { ...foreign, ports: foreign.elsewhere };
    expect((await gate(elsewhere, 'task')).state).toBe('lapsed');
    await confirmGate(elsewhere.ports, elsewhere.root, { gate: 'task', by: 'bob' });
    expect((await gate(elsewhere, 'task')).state).toBe('confirmed');
    expect((await gate(elsewhere, 'budget')).state).toBe('lapsed');
    expect((await verifyLedger(elsewhere.ports, elsewhere.root)).lines.slice(-2)).toMatchObject([{ kind: 'repaired', by: 'bob' }, { kind: 'gate_confirmed', by: 'bob' }]);
  });

  it('C3 survive two processes that change the contract at once', async () => {
    const scene = writeProject(makeScene());
    await Promise.all([
      setGate(scene.ports, scene.root, { gate: 'baseline', by: 'agent', value: { what: 'a' } }),
      setGate(scene.ports, scene.root, { gate: 'hardware', by: 'agent', value: { devices: ['cpu', 'cuda:0'] } }),
      confirmGate(scene.ports, scene.root, { gate: 'task', by: 'ada' }),
      confirmGate(scene.ports, scene.root, { gate: 'metric', by: 'ada' }),
    ]);
    const states = (await readGates(scene.ports, scene.root)).map((view) => view.state);
    expect(states).toEqual(['confirmed', 'confirmed', ...Array<string>(6).fill('draft')]);
    expect((await gate(scene, 'hardware')).value).toMatchObject({ devices: ['cpu', 'cuda:0'] });
  });
});
