import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerKinds } from '../../../src-protocol/caller.ts';
import type { CallerKind } from '../../../src-protocol/caller.ts';
import type { Result } from '../../../src-protocol/refusal.ts';
import { effects } from '../../../src-protocol/tool.ts';
import type { Effect } from '../../../src-protocol/tool.ts';
import { permit } from '../../../src-main/core/dispatch/permission.ts';
import { madeUpTools, makeMadeUp } from './made-up.ts';

const place = { root: '/r', study: 'quick' };

/** What `permit` says, in one word, for no name, a wrong name and the exact name. */
const table: Readonly<Record<Effect, Readonly<Record<CallerKind, readonly [string, string, string]>>>> = {
  read: everybody('allowed'),
  write: everybody('allowed'),
  spend: { ...everybody('approval'), chat: three('approval for agents'), mcp: three('approval for agents') },
  approve: {
    window: ['allowed', 'name_mismatch', 'allowed'],
    terminal: ['needs_person', 'name_mismatch', 'allowed'],
    chat: three('needs_person'),
    mcp: three('needs_person'),
    script: three('needs_person'),
  },
  destroy: {
    window: ['needs_person', 'name_mismatch', 'allowed'],
    terminal: ['needs_person', 'name_mismatch', 'allowed'],
    chat: three('needs_person'),
    mcp: three('needs_person'),
    script: ['needs_person', 'name_mismatch', 'allowed'],
  },
};

describe('permission', () => {
  const cells = effects.flatMap((effect) => callerKinds.map((kind) => ({ effect, kind })));
  it.each(cells)('T20, T21, T23, T24, T25: $effect by $kind', ({ effect, kind }) => {
    const typed = [null, 'quikc', 'quick'];
    expect(typed.map((name) => wordFor(permit(effect, { kind, by: 'x', typed: name }, 'quick')))).toEqual(table[effect][kind]);
  });

  it.each([
    [null, 'quick', 'needs_person'],
    ['', '', 'needs_person'],
    ['quick', '', 'name_mismatch'],
    ['quick', ' quick', 'name_mismatch'],
    ['quick', 'QUICK', 'name_mismatch'],
  ])('T21, T25: about %j typed %j is %s', (about, typed, expected) => {
    const caller = { kind: 'terminal', by: 'x', typed } as const;
    expect(wordFor(permit('approve', caller, about))).toBe(expected);
    expect(wordFor(permit('destroy', caller, about))).toBe(expected);
  });

  it('T23: asks the room that keeps approvals, naming root, study and tool', async () => {
    const madeUp = makeMadeUp();
    madeUp.approval = 'none';
    const result = await madeUp.dispatch.call('spend_it', place, { kind: 'window', by: 'ada', typed: 'quick' });
    expect(codeOf(result)).toBe('not_approved');
    expect(madeUp.questions).toEqual([{ ...place, tool: 'spend_it' }]);
    expect(madeUp.runs).toEqual([]);
  });

  it('T24: an agent also needs the approval to name agents', async () => {
    const madeUp = makeMadeUp();
    madeUp.approval = 'for people';
    const call = (kind: CallerKind) => madeUp.dispatch.call('spend_it', place, { kind, by: 'x', typed: 'quick' });
    expect(codeOf(await call('chat'))).toBe('needs_person');
    expect(codeOf(await call('mcp'))).toBe('needs_person');
    expect((await call('script')).ok).toBe(true);
    madeUp.approval = 'for agents too';
    expect((await call('chat')).ok).toBe(true);
  });

  it('T26: a raised read needs what a spend needs', async () => {
    const madeUp = makeMadeUp();
    madeUp.approval = 'none';
    const caller = { kind: 'window', by: 'ada', typed: null } as const;
    expect((await madeUp.dispatch.call('raise_it', place, caller)).ok).toBe(true);
    expect(codeOf(await madeUp.dispatch.call('raise_it', { ...place, more: 1 }, caller))).toBe('not_approved');
  });

  it('T22: no sequence of calls by agents, clients and scripts runs an approve handler', async () => {
    const names = fc.oneof(fc.constantFrom(...madeUpTools.map((tool) => tool.name)), fc.string());
    const text = fc.oneof(fc.constantFrom('quick', '/r', '', 'window', 'terminal'), fc.string());
    const input = fc.oneof(fc.record({ root: text, study: text }), fc.record({ root: text, study: text, typed: text, kind: text, caller: fc.object() }), fc.anything());
    const call = fc.record({ name: names, input, kind: fc.constantFrom<CallerKind>('chat', 'mcp', 'script'), typed: fc.option(text, { nil: null }) });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), fc.constantFrom('none', 'for people', 'for agents too'), async (calls, approval) => {
        const madeUp = makeMadeUp();
        madeUp.approval = approval;
        for (const one of calls) await madeUp.dispatch.call(one.name, one.input, { kind: one.kind, by: one.typed ?? 'x', typed: one.typed });
        const ran = madeUp.runs.map((run) => run.name);
        expect(ran).not.toContain('approve_it');
        if (calls.every((one) => one.kind !== 'script')) expect(ran).not.toContain('destroy_it');
        if (approval === 'none') expect(ran).not.toContain('spend_it');
      }),
      { numRuns: 300, seed: 20_260_101 },
    );
  });
});

function wordFor(permission: ReturnType<typeof permit>): string {
  switch (permission.is) {
    case 'allowed':
      return 'allowed';
    case 'needs_approval':
      return permission.agentsMustBeNamed ? 'approval for agents' : 'approval';
    case 'refused':
      return permission.refusal.code;
  }
}

function codeOf(result: Result<unknown>): string {
  return !result.ok && 'refusal' in result ? result.refusal.code : JSON.stringify(result);
}

function everybody(word: string): Readonly<Record<CallerKind, readonly [string, string, string]>> {
  return { window: three(word), terminal: three(word), chat: three(word), mcp: three(word), script: three(word) };
}

function three(word: string): readonly [string, string, string] {
  return [word, word, word];
}
