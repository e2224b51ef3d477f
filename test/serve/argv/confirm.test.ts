import { describe, expect, it } from 'vitest';
import { sampleOutputs } from '../../conformance/doors/samples.ts';
import { makeScene } from '../../conformance/doors/scene.ts';
import { runLine } from './command-line.ts';

const digest = 'ab'.repeat(32);

describe('approving at a terminal', () => {
  it('T48: shows the gate, asks for its name on standard error, and binds the answer to what was shown', async () => {
    const { code, out, err, scene, terminal } = await runLine(['contract', 'confirm', 'budget'], { isInteractive: true, answers: ['budget'] });
    expect(code).toBe(0);
    expect(terminal.questions).toEqual(['Type budget to agree, or press Enter to leave it: ']);
    expect(err).toContain('How many hours may this cost?');
    expect(err).toContain('wall_hours: 1');
    expect(out).toMatch(/^confirmed the gate budget, by ada/);
    expect(scene.runs.at(-1)).toMatchObject({ name: 'gate_confirm', input: { gate: 'budget', digest }, caller: { kind: 'terminal', by: 'ada', typed: 'budget' } });
  });

  it('T48: shows the study, its cost and the contract before it is approved', async () => {
    const { code, err, scene } = await runLine(['approve', 'quick', '--agents-may-start'], { isInteractive: true, answers: [' quick '] });
    expect(code).toBe(0);
    for (const text of ['agent.learning_rate 3e-4 -> 1e-3', 'costs at most 5 min 00 s', 'warning: The screen is short.', 'Agents MAY start', 'env.mjs: aa -> (nothing)']) expect(err).toContain(text);
    expect(scene.runs.at(-1)).toMatchObject({ name: 'study_approve', input: { study: 'quick', agents_may_start: true, digest }, caller: { typed: 'quick' } });
  });

  it('T48, AM1: shows what is raised before a budget is amended, and binds the answer to the budget that was shown', async () => {
    const { code, err, scene } = await runLine(['campaign', 'amend', 'quick', '--wall-hours', '3', '--per-trial-s', '60'], { isInteractive: true, answers: ['quick'] });
    expect(code).toBe(0);
    expect(err).toContain('You are about to raise the budget of quick');
    expect(err).toContain('wall_hours: 2 -> 3');
    expect(err).not.toContain('per_trial_s');
    expect(scene.runs.at(-1)).toMatchObject({ name: 'campaign_amend', input: { wall_hours: 3, per_trial_s: 60, digest }, caller: { typed: 'quick' } });
  });

  it.each([
    ['a wrong name', ['quik'], 3, 'name_mismatch'],
    ['an empty line', [''], 3, 'name_mismatch'],
    ['the end of input', [], 3, 'needs_person'],
    ['Ctrl-C', [{ is: 'interrupted' as const }], 130, 'cancelled'],
  ])('T48, T21: %s approves nothing', async (_what, answers, expected, refusal) => {
    const { code, out, scene } = await runLine(['approve', 'quick', '--json'], { isInteractive: true, answers });
    expect(code).toBe(expected);
    expect(JSON.parse(out)).toMatchObject({ ok: false, refusal: { code: refusal } });
    expect(scene.runs.map((run) => run.name)).not.toContain('study_approve');
  });

  it('T48, T21: without a terminal nobody is asked, and the answer is needs_person', async () => {
    const { code, err, terminal, scene } = await runLine(['approve', 'quick'], { answers: ['quick'] });
    expect([code, terminal.questions, scene.runs]).toEqual([3, [], []]);
    expect(err).toContain('only a person can confirm or approve');
  });

  it('T48: there is no flag that confirms an approval', async () => {
    for (const flag of ['--yes', '--typed', '--by', '--caller']) {
      const { code, scene } = await runLine(['approve', 'quick', flag, 'quick']);
      expect([code, scene.runs]).toEqual([2, []]);
    }
  });

  it('T48: what cannot be approved is not asked about', async () => {
    const scene = makeScene();
    scene.answers.set('study_check', () => ({ ...sampleOutputs.study_check, problems: [{ file: 'a.yaml', line: 1, column: 1, message: 'no baseline', fix: 'Add one.' }] }));
    const { code, err, terminal } = await runLine(['approve', 'quick'], { scene, isInteractive: true, answers: ['quick'] });
    expect([code, terminal.questions]).toEqual([3, []]);
    expect(err).toContain('no baseline');
    const missing = await runLine(['contract', 'confirm', 'task'], { isInteractive: true, answers: ['task'] });
    expect([missing.code, missing.terminal.questions]).toEqual([3, []]);
  });

  it('T47, T48: what is shown cannot hide or rewrite lines', async () => {
    const scene = makeScene();
    const [gate] = sampleOutputs.contract_show.gates;
    scene.answers.set('contract_show', () => ({ project: 'x', gates: [{ ...gate, value: { note: 'safe\u001b[1A\u001b[2Khidden\r' } }] }));
    const { err } = await runLine(['contract', 'confirm', 'budget'], { scene, isInteractive: true, answers: ['budget'] });
    expect(err).toContain('note: safe[1A[2Khidden');
    expect(err).not.toMatch(/[\u001b\r]/);
  });
});
