// What every door must do, whatever it is made of: in-process and argv now; IPC, WebSocket and MCP run the same suite.
import { describe, expect, it } from 'vitest';
import { isAgent } from '../../../src-protocol/caller.ts';
import type { Caller, CallerKind } from '../../../src-protocol/caller.ts';
import type { Transport } from '../../../src-protocol/client.ts';
import type { Frame } from '../../../src-protocol/frame.ts';
import { feeds, tools } from '../../../src-protocol/index.ts';
import type { FeedName, ToolName } from '../../../src-protocol/index.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import { makeRefusal, refusal as refusalSchema, RefusalError } from '../../../src-protocol/refusal.ts';
import type { Result } from '../../../src-protocol/refusal.ts';
import { effectOf } from '../../../src-protocol/tool.ts';
import { sampleChanges, sampleFeedInputs, sampleInputs, sampleOutputs, sampleSnapshots } from './samples.ts';
import { makeScene, replay } from './scene.ts';
import type { Scene } from './scene.ts';

export interface DoorUnderTest {
  readonly name: string;
  /** The kinds of callers this door lets in. */
  readonly callers: readonly CallerKind[];
  /** A door to the scene's dispatch for one such caller; values in wire form. */
  open(scene: Scene, caller: Caller): Transport;
}

export function doorSuite(door: DoorUnderTest): void {
  const person: CallerKind = door.callers.includes('window') ? 'window' : (door.callers[0] ?? 'script');
  /** A caller that may run this tool, if this door has one. */
  const allowed = (name: ToolName): Caller | null => {
    const kind = [person, ...door.callers].find((one) => expectation(name, { kind: one, by: 'ada', typed: aboutOf(name) }, 'for agents too') === 'runs');
    return kind === undefined ? null : { kind, by: 'ada', typed: aboutOf(name) };
  };
  const reader: Caller = { kind: person, by: 'ada', typed: null };

  describe(`${door.name}: calls`, () => {
    it.each(tools.map((tool) => tool.name))('T10, T16: %s takes its input there and its output back unchanged', async (name) => {
      const caller = allowed(name);
      if (caller === null) return;
      const scene = makeScene();
      const result = await door.open(scene, caller).call(name, sampleInputs[name]);
      expect(result).toEqual({ ok: true, output: wire(sampleOutputs[name]) });
      const run = scene.runs.find((one) => one.name === name);
      expect(run?.input).toMatchObject(sampleInputs[name]);
      expect(run?.caller.kind).toBe(caller.kind);
    });

    it('T10: refuses a tool that does not exist', async () => {
      const scene = makeScene();
      const result = await door.open(scene, reader).call('ledger_burn', { root: '/r' });
      expect(codeOf(result)).toBe('unknown_tool');
      expect(scene.runs).toEqual([]);
    });

    it.each([
      ['a missing input', 'campaign_skip', { root: '/r', study: 'quick' }],
      ['an input that does not fit', 'campaign_status', { root: '/r', study: 'Not A Slug' }],
      ['a number out of range', 'ledger_show', { root: '/r', last: 0 }],
      ['a choice that is none', 'gate_set', { root: '/r', gate: 'bugdet', value: {} }],
      ['an unknown key', 'repository_show', { root: '/r', studdy: 'quick' }],
    ] as const)('T11: refuses %s and runs nothing', async (_what, name, input) => {
      const scene = makeScene();
      const result = await door.open(scene, reader).call(name, input);
      expect(codeOf(result)).toBe('bad_input');
      expectRefusalShape(result);
      expect(scene.runs.filter((run) => run.name === name)).toEqual([]);
    });

    it('T13, T6: passes a declared refusal on as it is', async () => {
      const scene = makeScene();
      const refused = makeRefusal('invalid_file', 'contract.yaml has a problem', { problems: [{ file: '.rlxp/contract.yaml', line: 3, column: 5, message: 'unknown key "wal_hours"', fix: 'write wall_hours' }] });
      scene.answers.set('contract_show', () => {
        throw new RefusalError(refused);
      });
      expect(await door.open(scene, reader).call('contract_show', { root: '/r' })).toEqual({ ok: false, refusal: refused });
    });

    it.each([
      ['T13: an undeclared refusal', () => makeThrow(new RefusalError(makeRefusal('over_budget', 'secret-7')))],
      ['T14: a thrown error', () => makeThrow(new Error('secret-7'))],
      ['T12: an output that does not fit', () => ({ project: 'secret-7', gates: [], extra: 1 })],
    ])('%s is a fault that tells nothing', async (_what, answer) => {
      const scene = makeScene();
      scene.answers.set('contract_show', answer);
      const result = await door.open(scene, reader).call('contract_show', { root: '/r' });
      expect(result).toMatchObject({ ok: false, fault: { id: expect.any(String) as string } });
      expect(JSON.stringify(result)).not.toContain('secret-7');
    });
  });

  describe(`${door.name}: permission`, () => {
    it.each(door.callers)('T20, T21, T23, T24: a caller of kind %s may run what the table says, and nothing else', async (kind) => {
      for (const { name } of tools) {
        for (const typed of [null, 'another', aboutOf(name)]) {
          for (const approval of ['none', 'for people', 'for agents too'] as const) {
            const scene = makeScene();
            scene.approval = approval;
            const caller: Caller = { kind, by: 'ada', typed };
            const result = await door.open(scene, caller).call(name, sampleInputs[name]);
            const expected = expectation(name, caller, approval);
            const what = `${name} typed ${String(typed)} approval ${approval}`;
            expect(result.ok ? 'runs' : codeOf(result), what).toBe(expected);
            expect(scene.runs.some((run) => run.name === name), what).toBe(expected === 'runs');
          }
        }
      }
    });
  });

  describe(`${door.name}: feeds`, () => {
    it.each(feeds.map((feed) => feed.name))('T30: %s is a snapshot, changes numbered without a gap, and one end', async (name) => {
      const scene = makeScene();
      const frames = await collect(door.open(scene, reader), name, sampleFeedInputs[name]);
      const changes = sampleChanges[name].map((change, index) => ({ kind: 'change', seq: index + 1, change: wire(change) }));
      expect(frames).toEqual([{ kind: 'snapshot', seq: 0, snapshot: wire(sampleSnapshots[name]) }, ...changes, { kind: 'end', seq: changes.length + 1 }]);
    });

    it('T31: a feed that is refused ends with the refusal', async () => {
      const frames = await collect(door.open(makeScene(), reader), 'campaign_watch', { root: '/r', study: 'Not A Slug' });
      expect(frames).toMatchObject([{ kind: 'end', seq: 0, refusal: { code: 'bad_input' } }]);
    });

    it('T31, T34: a fault in the middle ends it and tells nothing', async () => {
      const scene = makeScene();
      scene.changes = () => replay([...sampleChanges.campaign_watch.slice(0, 1), { kind: 'secret-7' }, ...sampleChanges.campaign_watch]);
      const frames = await collect(door.open(scene, reader), 'campaign_watch', sampleFeedInputs.campaign_watch);
      expect(frames.map((frame) => frame.kind)).toEqual(['snapshot', 'change', 'end']);
      expect(frames.at(-1)).toMatchObject({ seq: 2, fault: { id: expect.any(String) as string } });
      expect(JSON.stringify(frames)).not.toContain('secret-7');
    });

    it('T33: cancelling tells the handler and ends the feed, even if the handler listens to nothing', async () => {
      const scene = makeScene();
      scene.changes = () => stuck();
      const controller = new AbortController();
      const frames: Frame[] = [];
      for await (const frame of door.open(scene, reader).open('campaign_watch', sampleFeedInputs.campaign_watch, { signal: controller.signal })) {
        frames.push(frame);
        setTimeout(() => controller.abort(), 1);
      }
      expect(frames.at(-1)).toMatchObject({ kind: 'end', refusal: { code: 'cancelled' } });
      expect(scene.stopped).toBe(1);
    });
  });
}

/** The table of docs/specs/tools.md, written down a second time: what this call must come to. */
function expectation(name: ToolName, caller: Caller, approval: Scene['approval']): string {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(name);
  const agent = isAgent(caller);
  switch (effectOf(tool, sampleInputs[name])) {
    case 'read':
    case 'write':
      return 'runs';
    case 'spend':
      if (approval === 'none') return 'not_approved';
      return agent && approval === 'for people' ? 'needs_person' : 'runs';
    case 'approve':
      if (agent || caller.kind === 'script') return 'needs_person';
      if (caller.typed === null) return caller.kind === 'window' ? 'runs' : 'needs_person';
      return caller.typed === aboutOf(name) ? 'runs' : 'name_mismatch';
    case 'destroy':
      if (agent || caller.typed === null) return 'needs_person';
      return caller.typed === aboutOf(name) ? 'runs' : 'name_mismatch';
  }
}

function aboutOf(name: ToolName): string | null {
  const about = tools.find((one) => one.name === name)?.about ?? null;
  return about === null ? null : String((sampleInputs[name] as Readonly<Record<string, unknown>>)[about]);
}

async function collect(transport: Transport, name: FeedName, input: unknown): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of transport.open(name, input)) frames.push(frame);
  return frames;
}

async function* stuck(): AsyncGenerator {
  await new Promise(() => undefined);
  yield null;
}

function makeThrow(error: Error): never {
  throw error;
}

function wire(value: unknown): unknown {
  return JSON.parse(stringifyWire(value)) as unknown;
}

function codeOf(result: Result<unknown>): string {
  return !result.ok && 'refusal' in result ? result.refusal.code : JSON.stringify(result);
}

function expectRefusalShape(result: Result<unknown>): void {
  if (result.ok || !('refusal' in result)) throw new Error('expected a refusal');
  expect(refusalSchema.parse(result.refusal)).toEqual(result.refusal);
  expect(result.refusal.next).not.toBe('');
  expect(result.refusal.problems?.length).toBeGreaterThan(0);
}
