// The approval of one doctor: what it needs, what it covers, when it is used up, and where a bundled example stands.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeBundledApproval } from '../../../src-main/core/contract/bundled-example.ts';
import { approveDoctor, checkDoctorApproval, requireDoctorPermission } from '../../../src-main/core/contract/doctor-approval.ts';
import { checkDoctorLaunch, takeDoctorCopy } from '../../../src-main/core/contract/doctor-copy.ts';
import { confirmGate } from '../../../src-main/core/contract/gate-changes.ts';
import { appendLedger, verifyLedger } from '../../../src-main/core/ledger/ledger.ts';
import { doctorAllows, doctorGates } from '../../../src-protocol/files/doctor.ts';
import { keepScene, makeScene, type Scene } from '../ledger/scene.ts';
import { change, copyOf, read, refusalOf, rewrite, words, write, writeProject } from './project.ts';

const options = { study: 'quick', by: 'ada', agentsMayStart: false, timesteps: null };
const file = '.rlxp/doctor/quick/approval.json';
let confirmed: Scene;
let approved: Scene;

beforeAll(async () => {
  confirmed = writeProject(keepScene());
  for (const gate of doctorGates) await confirmGate(confirmed.ports, confirmed.root, { gate, by: 'ada' });
  approved = copyOf(confirmed, keepScene());
  await approveDoctor(approved.ports, approved.root, options);
});

async function stateOf(scene: Scene): Promise<string> {
  const check = await checkDoctorApproval(scene.ports, scene.root, 'quick');
  return check.state === 'valid' ? 'valid' : [check.state, ...words(check.differences)].join(' | ');
}

describe('the approval of a doctor', () => {
  it('DR1 needs four gates and names each that is open', async () => {
    const scene = writeProject(makeScene());
    await confirmGate(scene.ports, scene.root, { gate: 'baseline', by: 'ada' });
    const refusal = await refusalOf(approveDoctor(scene.ports, scene.root, options));
    expect(refusal).toMatchObject({ code: 'gate_missing', next: expect.stringContaining('rlxp contract confirm task') as string });
    expect(refusal.problems?.map((one) => one.message.split(' ')[2])).toEqual(['task', 'hardware', 'evaluation']);
    expect((await verifyLedger(scene.ports, scene.root)).lines).toHaveLength(1);
  });

  it('DR1 minds neither the budget nor the scope', async () => {
    const scene = copyOf(confirmed);
    change(scene, '.rlxp/contract.yaml', 'wall_hours: 2', 'wall_hours: 0.001');
    change(scene, '.rlxp/contract.yaml', 'agent_cfg ]', 'env_cfg ]');
    expect((await approveDoctor(scene.ports, scene.root, options)).approval.subject.study).toBe('quick');
    change(scene, '.rlxp/studies/quick.yaml', 'name: baseline', 'name: base');
    expect((await refusalOf(approveDoctor(scene.ports, scene.root, options))).code).toBe('invalid_file');
  });

  it('DR2 says what it allows, is sealed, and its line stands in the ledger', async () => {
    expect(await stateOf(approved)).toBe('valid');
    const kept = JSON.parse(read(approved, file)) as { subject: { allows: string }; seal: string };
    expect(kept.subject.allows).toBe(doctorAllows);
    expect(kept.seal).toMatch(/^[0-9a-f]{64}$/);
    const { lines } = await verifyLedger(approved.ports, approved.root);
    expect(lines.at(-1)).toMatchObject({ kind: 'doctor_approved', by: 'ada', study: 'quick', facts: { timesteps: 1000 } });
    expect(await checkDoctorApproval(approved.elsewhere, approved.root, 'quick')).toMatchObject({ state: 'elsewhere' });
  });

  it.each([
    ['its steps', (scene: Scene) => change(scene, '.rlxp/studies/quick.yaml', 'timesteps: 1000', 'timesteps: 2000'), 'trial.timesteps: 1000 -> 2000'],
    ['its environments', (scene: Scene) => change(scene, '.rlxp/studies/quick.yaml', 'base: { task: swing, num_envs: 4 }', 'base: { task: swing, num_envs: 8 }'), 'trial.num_envs: 4 -> 8'],
    ['a gate it rests on', (scene: Scene) => change(scene, '.rlxp/contract.yaml', 'the stock settings', 'my settings'), 'contract.baseline.what: the stock settings -> my settings'],
    ['the adapter', (scene: Scene) => change(scene, '.rlxp/adapter.yaml', 'meaning: reward', 'meaning: reward, axis: step }\n  loss: { meaning: loss'), 'adapter.metrics.loss'],
    ['the task', (scene: Scene) => change(scene, '.rlxp/tasks/swing.yaml', 'snapshot', 'score_scale: 5\nsnapshot'), 'task.score_scale: 1 -> 5'],
    ['its code', (scene: Scene) => change(scene, 'lib/physics.mjs', '9.81', '9.8'), 'file lib/physics.mjs: content'],
    ['its own file', (scene: Scene) => change(scene, file, '"agents_may_start": false', '"agents_may_start": true'), 'approval.json: as it was written -> edited'],
    ['the values in it', (scene: Scene) => change(scene, file, '"timesteps": 1000', '"timesteps": 5000'), 'approval.json: as it was written -> edited'],
  ])('DR2 lapses by a change of %s', async (_what, edit, row) => {
    const scene = copyOf(approved);
    edit(scene);
    expect(await stateOf(scene)).toContain('lapsed');
    expect(await stateOf(scene)).toContain(row);
    expect(await refusalOf(requireDoctorPermission(scene.ports, scene.root, 'quick'))).toMatchObject({ code: 'approval_lapsed', next: expect.stringContaining('rlxp doctor approve quick') as string });
  });

  it('DR2 minds no other candidate, no comment and no gate it does not rest on', async () => {
    const scene = copyOf(approved);
    change(scene, '.rlxp/studies/quick.yaml', 'learning_epochs: 4', 'learning_epochs: 3');
    write(scene, '.rlxp/tasks/swing.yaml', `# a note\n${read(scene, '.rlxp/tasks/swing.yaml')}`);
    change(scene, '.rlxp/contract.yaml', 'equivalence_margin: 2', 'equivalence_margin: 3');
    expect(await stateOf(scene)).toBe('valid');
  });

  it('DR2 refuses when something else was shown, and DR3 is one approval when asked for twice', async () => {
    const scene = copyOf(approved);
    expect(await refusalOf(approveDoctor(scene.ports, scene.root, { ...options, digest: '0'.repeat(64) }))).toMatchObject({ code: 'approval_lapsed' });
    const before = (await verifyLedger(scene.ports, scene.root)).lines.length;
    await approveDoctor(scene.ports, scene.root, options);
    expect((await verifyLedger(scene.ports, scene.root)).lines).toHaveLength(before);
    await approveDoctor(scene.ports, scene.root, { ...options, timesteps: 50 });
    expect(JSON.parse(read(scene, file))).toMatchObject({ subject: { timesteps: 50 }, approved: { trial: { timesteps: 50 } } });
  });

  it('DR3 is used up by one start, and a new one is needed', async () => {
    const scene = copyOf(approved);
    const permission = await requireDoctorPermission(scene.ports, scene.root, 'quick');
    expect(permission).toMatchObject({ kind: 'person', by: 'ada', agentsMayStart: false });
    await appendLedger(scene.ports, scene.root, { kind: 'doctor_started', by: 'ada', study: 'quick', facts: { digest: permission.digest, approved_at: permission.approvedAt, run: 'x' } });
    expect(await stateOf(scene)).toBe('used');
    expect(await refusalOf(requireDoctorPermission(scene.ports, scene.root, 'quick'))).toMatchObject({ code: 'not_approved', message: expect.stringContaining('has been run') as string });
    await approveDoctor(scene.ports, scene.root, options);
    expect(await stateOf(scene)).toBe('valid');
    await approveDoctor(scene.ports, scene.root, { ...options, agentsMayStart: true });
    expect((await requireDoctorPermission(scene.ports, scene.root, 'quick')).agentsMayStart).toBe(true);
  });

  it('DR2 does not count without its line in the ledger', async () => {
    const scene = copyOf(confirmed);
    cpSync(path.join(approved.root, '.rlxp/doctor'), path.join(scene.root, '.rlxp/doctor'), { recursive: true });
    expect(await stateOf(scene)).toContain('lapsed');
  });

  it('DR7 is checked against its copy before each process', async () => {
    const scene = copyOf(approved);
    const permission = await requireDoctorPermission(scene.ports, scene.root, 'quick');
    const folder = path.join(scene.root, '.rlxp/doctor/quick/x/snapshot');
    const of = { permission, folder };
    await takeDoctorCopy(scene.ports, scene.root, of);
    change(scene, 'lib/physics.mjs', '9.81', '9.8');
    await checkDoctorLaunch(scene.ports, scene.root, of);
    rewrite(scene, '.rlxp/doctor/quick/x/snapshot/lib/physics.mjs', 'export const gravity = 0;\n');
    expect(await refusalOf(checkDoctorLaunch(scene.ports, scene.root, of))).toMatchObject({ code: 'approval_lapsed' });
    const other = copyOf(approved);
    const again = { permission: await requireDoctorPermission(other.ports, other.root, 'quick'), folder: path.join(other.root, '.rlxp/doctor/quick/x/snapshot') };
    await takeDoctorCopy(other.ports, other.root, again);
    await approveDoctor(other.ports, other.root, { ...options, timesteps: 50 });
    expect(await refusalOf(checkDoctorLaunch(other.ports, other.root, again))).toMatchObject({ code: 'approval_lapsed', message: expect.stringContaining('is gone') as string });
  });
});

describe('the doctor of a bundled example', () => {
  it('DR5 runs on the shipped approval, as long as everything is as shipped, and not for agents', async () => {
    const scene = writeProject(makeScene({ below: 'program/examples/swing' }));
    write(scene, '../../package-lock.json', '{"packages":{"":{"version":"0.1.0"}}}');
    expect(await refusalOf(requireDoctorPermission(scene.ports, scene.root, 'quick'))).toMatchObject({ code: 'not_approved' });
    await makeBundledApproval(scene.ports, scene.root, 'quick');
    expect(await requireDoctorPermission(scene.ports, scene.root, 'quick')).toMatchObject({ kind: 'bundled-example', approvedAt: null, agentsMayStart: false });
    change(scene, 'lib/physics.mjs', '9.81', '9.8');
    expect(await refusalOf(requireDoctorPermission(scene.ports, scene.root, 'quick'))).toMatchObject({ code: 'approval_lapsed', differences: [{ what: 'file lib/physics.mjs' }] });
  });
});
