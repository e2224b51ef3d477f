import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { feeds, tools } from '../../src-protocol/index.ts';
import { makeRefusal, nextSteps, problem, refusal, refusalCodes } from '../../src-protocol/refusal.ts';
import { effects } from '../../src-protocol/tool.ts';

const all = [...tools, ...feeds];

describe('declarations', () => {
  it('T1: names are unique lowercase words, and everything is titled and explained', () => {
    expect(new Set(all.map((one) => one.name)).size).toBe(all.length);
    for (const { name, title, use } of all) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(title.length).toBeLessThan(40);
      expect(use.length).toBeGreaterThan(40);
    }
  });

  it('T1: every command path is its own; one that goes on in another has the other\'s next word as no command of its own', () => {
    const paths = all.map((one) => one.cli.path.join(' '));
    expect(new Set(paths).size).toBe(paths.length);
    const longer = paths.filter((path) => paths.some((other) => path.startsWith(`${other} `)));
    expect(longer).toEqual(['evidence verify']);
  });

  it.each(all.map((one) => [one.name, one] as const))('T2, T3: %s has a strict, described input and converts to JSON Schema', (_name, declared) => {
    const schema = z.toJSONSchema(declared.input, { io: 'input' });
    expect(schema.additionalProperties).toBe(false);
    for (const [key, property] of Object.entries(schema.properties ?? {})) expect(property, key).toHaveProperty('description');
    const outputs = declared.kind === 'tool' ? [declared.output] : [declared.snapshot, declared.change];
    for (const output of outputs) expect(z.toJSONSchema(output, { io: 'input' })).toBeTypeOf('object');
  });

  it('T4: what spends, approves or destroys names an input that a person could type', () => {
    for (const tool of tools) {
      expect(effects).toContain(tool.effect);
      const isNamed = tool.effect === 'spend' || tool.effect === 'approve' || tool.effect === 'destroy' || tool.raisedBy !== null;
      expect(tool.about !== null, tool.name).toBe(isNamed);
      if (tool.about !== null) expect(Object.keys(tool.input.shape)).toContain(tool.about);
      if (isNamed && tool.effect !== 'approve') expect(Object.keys(tool.input.shape)).toContain('root');
    }
  });

  it('T4: an input that raises a read may be left out', () => {
    for (const tool of tools.filter((one) => one.raisedBy !== null)) {
      expect(tool.effect).toBe('read');
      const schema = z.toJSONSchema(tool.input, { io: 'input' });
      expect(schema.required).not.toContain(tool.raisedBy);
    }
  });

  it('T27: agents may ask a campaign for less; what changes its spending is a spend', () => {
    const effectOf = Object.fromEntries(tools.map((tool) => [tool.name, tool.effect]));
    expect(effectOf).toMatchObject({ campaign_stop: 'write', campaign_pause: 'write', campaign_resume: 'spend', campaign_skip: 'spend', campaign_complete_looks: 'spend', campaign_run: 'spend' });
    expect(tools.filter((tool) => tool.effect === 'approve').map((tool) => tool.name)).toEqual(['gate_confirm', 'study_approve', 'campaign_amend', 'doctor_approve']);
  });
});

describe('refusals', () => {
  it('T6: every code has a next step, and a made refusal is valid', () => {
    for (const code of refusalCodes) {
      expect(nextSteps[code]).toMatch(/^[A-Z].*\.$/);
      expect(refusal.parse(makeRefusal(code, 'no'))).toEqual({ code, message: 'no', next: nextSteps[code] });
    }
  });

  it('T6: every command that a next step names exists', () => {
    const paths = all.map((one) => one.cli.path.join(' '));
    const named = Object.values(nextSteps).flatMap((step) => [...step.matchAll(/`rlxp ([a-z -]+?)(?= <| --|`)/g)].map((match) => match[1]?.trim() ?? ''));
    expect(named.length).toBeGreaterThan(10);
    for (const command of named.filter((one) => !one.startsWith('-'))) expect(paths).toContain(command);
  });

  it('T6: problems are placed with file, line and column', () => {
    const at = { file: 'a.yaml', line: 3, column: null, message: 'm', fix: 'f' };
    expect(makeRefusal('invalid_file', 'x', { problems: [at], next: 'Do that.' })).toMatchObject({ next: 'Do that.', problems: [at] });
    expect(problem.safeParse({ ...at, line: 0 }).success).toBe(false);
  });
});
