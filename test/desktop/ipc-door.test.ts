import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openIpcDoor } from '../../src-main/desktop/ipc-door.ts';
import { makeInProcessDoor } from '../../src-main/serve/in-process.ts';
import type { Bridge as PageBridge } from '../../src-renderer/host.ts';
import { makeBridge } from '../../src-preload/make-bridge.ts';
import type { Bridge } from '../../src-preload/make-bridge.ts';
import { makeScene, replay } from '../conformance/doors/scene.ts';
import { FakeFrame, makeFakeElectron } from './fake-electron.ts';

const show = { do: 'call', id: '1', name: 'repository_show', input: { root: '/r' } };
const watch = { do: 'open', id: 'f', name: 'campaign_watch', input: { root: '/r', study: 'quick' } };

function makeDoor() {
  const scene = makeScene();
  const electron = makeFakeElectron();
  const door = openIpcDoor(electron.parts, makeInProcessDoor(scene.dispatch, { kind: 'window', by: 'ada', typed: null }), scene.ports.log);
  const contents = electron.makeContents();
  door.admit(contents);
  return { scene, electron, door, contents };
}

describe('who may send', () => {
  const frames: readonly (readonly [string, () => FakeFrame | null])[] = [
    ['no frame', () => null],
    ['a destroyed frame', () => Object.assign(new FakeFrame(), { isGone: true })],
    ['a detached frame', () => Object.assign(new FakeFrame(), { detached: true })],
    ['a frame inside the page', () => Object.assign(new FakeFrame(), { parent: new FakeFrame() })],
    ...['null', 'file://', 'app://ui.evil', 'app://other', 'https://ui', 'app://ui:80', ''].map((origin) => [`origin ${origin}`, () => Object.assign(new FakeFrame(), { origin })] as const),
    [
      'a frame that throws when it is looked at',
      () =>
        new Proxy(new FakeFrame(), {
          get() {
            throw new Error('Render frame was disposed before WebFrameMain could be accessed');
          },
        }),
    ],
  ];

  it.each(frames)('W17: refuses %s and runs nothing', async (_what, frame) => {
    const { scene, electron, contents } = makeDoor();
    await expect(electron.send(contents, show, frame())).rejects.toThrow('refused');
    expect(scene.runs).toEqual([]);
  });

  it('W17: refuses contents that no window of ours admitted, and those that were destroyed', async () => {
    const { scene, electron, contents } = makeDoor();
    await expect(electron.send(electron.makeContents(), show)).rejects.toThrow('refused');
    contents.emit('destroyed');
    await expect(electron.send(contents, show)).rejects.toThrow('refused');
    expect(scene.runs).toEqual([]);
  });

  it('W17, W30: lets the main frame of our page in, as the person at the window', async () => {
    const { scene, electron, contents } = makeDoor();
    expect(await electron.send(contents, show)).toMatchObject({ ok: true });
    expect(scene.runs).toMatchObject([{ name: 'repository_show', caller: { kind: 'window', by: 'ada', typed: null } }]);
  });
});

describe('what may be sent', () => {
  const cycle: Record<string, unknown> = { ...show };
  cycle['input'] = cycle;
  it.each([
    ['nothing', undefined],
    ['text', 'call'],
    ['a list', [show]],
    ['an unknown form', { ...show, do: 'eval' }],
    ['a caller of its own', { ...show, caller: { kind: 'terminal', by: 'root', typed: 'quick' } }],
    ['a typed name of its own', { ...show, typed: 'quick' }],
    ['an id that is no text', { ...show, id: 7 }],
    ['an endless id', { ...show, id: 'x'.repeat(65) }],
    ['a cycle', cycle],
    ['a bigint', { ...show, input: { root: 1n } }],
    ['more than a million characters', { ...show, input: { root: 'x'.repeat(1_000_000) } }],
  ])('W31: refuses %s', async (_what, message) => {
    const { scene, electron, contents } = makeDoor();
    await expect(electron.send(contents, message)).rejects.toThrow('refused');
    expect(scene.runs).toEqual([]);
  });

  it('W31: a tool sees plain JSON, whatever crossed', async () => {
    const { scene, electron, contents } = makeDoor();
    const result = await electron.send(contents, { ...show, input: { root: '/r', extra: new Map([['a', 1]]) } });
    expect(result).toMatchObject({ ok: false, refusal: { code: 'bad_input' } });
    expect(await electron.send(contents, { ...show, input: { root: '/r', gone: undefined } })).toMatchObject({ ok: true });
    expect(scene.runs.map((run) => run.input)).toEqual([{ root: '/r' }]);
  });

  it('W31: no message, however made, is answered with anything but a result, a frame or a refusal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.anything(), fc.record({ do: fc.constantFrom('call', 'open', 'next', 'cancel'), id: fc.string(), name: fc.string(), input: fc.anything() })), async (message) => {
        const { scene, electron, contents } = makeDoor();
        let copied: unknown;
        try {
          copied = structuredClone(message);
        } catch {
          return; // Electron cannot carry it either
        }
        const answer = await electron.send(contents, copied).catch((error: unknown) => (error as Error).message);
        expect(answer === 'refused' || answer === undefined || typeof answer === 'object').toBe(true);
        expect(scene.runs).toEqual([]);
      }),
      { numRuns: 300, seed: 20261130 },
    );
  });
});

describe('feeds and lives', () => {
  it('W32: the handler is not asked for more than the page takes', async () => {
    const { scene, electron, contents } = makeDoor();
    expect(await electron.send(contents, watch)).toMatchObject({ kind: 'snapshot' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(scene.pulled).toBe(0);
    expect(await electron.send(contents, { do: 'next', id: 'f' })).toMatchObject({ kind: 'change', seq: 1 });
    expect(scene.pulled).toBe(1);
  });

  it('W32: one frame can be asked for at a time', async () => {
    const { scene, electron, contents } = makeDoor();
    scene.changes = () => stuck();
    await electron.send(contents, watch);
    const first = electron.send(contents, { do: 'next', id: 'f' });
    expect(await electron.send(contents, { do: 'next', id: 'f' })).toMatchObject({ kind: 'end', refusal: { code: 'bad_input' } });
    await electron.send(contents, { do: 'cancel', id: 'f' });
    expect(await first).toMatchObject({ kind: 'end', refusal: { code: 'cancelled' } });
  });

  it.each([
    ['reloads', 'did-start-navigation', { isMainFrame: true, isSameDocument: false }],
    ['crashes', 'render-process-gone', {}],
    ['closes', 'destroyed', {}],
  ])('W33: a page that %s has its feeds and calls cancelled', async (_what, event, details) => {
    const { scene, electron, contents } = makeDoor();
    let call: AbortSignal | null = null;
    scene.answers.set('repository_show', ({ signal }) => {
      call = signal;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
    });
    scene.changes = () => stuck();
    await electron.send(contents, watch);
    const asked = electron.send(contents, show);
    await expect.poll(() => call).not.toBeNull();
    contents.emit(event, details);
    expect(await asked).toMatchObject({ ok: false, refusal: { code: 'cancelled' } });
    expect(call).toMatchObject({ aborted: true });
    expect(scene.stopped).toBe(1);
  });

  it('W33: going to another place in the same document, or loading a frame, cancels nothing', async () => {
    const { scene, electron, contents } = makeDoor();
    await electron.send(contents, watch);
    contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true });
    contents.emit('did-start-navigation', { isMainFrame: false, isSameDocument: false });
    expect(scene.stopped).toBe(0);
    expect(await electron.send(contents, { do: 'next', id: 'f' })).toMatchObject({ kind: 'change' });
  });

  it('W33: closing the door cancels everything and lets nobody in', async () => {
    const { scene, electron, door, contents } = makeDoor();
    await electron.send(contents, watch);
    door.close();
    expect(scene.stopped).toBe(1);
    await expect(electron.send(contents, show)).rejects.toThrow('no handler');
  });

  it('W34: an id is used once at a time, and at most 64 are in use', async () => {
    const { scene, electron, contents } = makeDoor();
    scene.changes = () => replay([]);
    expect(await electron.send(contents, watch)).toMatchObject({ kind: 'snapshot' });
    expect(await electron.send(contents, watch)).toMatchObject({ kind: 'end', refusal: { message: 'this id is in use' } });
    for (let count = 1; count < 64; count += 1) expect(await electron.send(contents, { ...watch, id: `f${count}` })).toMatchObject({ kind: 'snapshot' });
    expect(await electron.send(contents, { ...show, id: 'one more' })).toMatchObject({ ok: false, refusal: { code: 'bad_input' } });
    await electron.send(contents, { do: 'cancel', id: 'f' });
    expect(await electron.send(contents, { ...show, id: 'one more' })).toMatchObject({ ok: true });
  });
});

it('W20: what the preload script gives is what the page expects', () => {
  const given = makeBridge(() => Promise.resolve(undefined)) satisfies Bridge satisfies PageBridge;
  expect(Object.keys(given)).toEqual(['call', 'open', 'cancel']);
  expect(Object.isFrozen(given)).toBe(true);
});

async function* stuck(): AsyncGenerator {
  await new Promise(() => undefined);
  yield null;
}
