import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src-protocol/caller.ts';
import { feeds, tools } from '../../../src-protocol/index.ts';
import { makeRefusal, RefusalError } from '../../../src-protocol/refusal.ts';
import { makeDispatch } from '../../../src-main/core/dispatch.ts';
import type { Handlers } from '../../../src-main/core/dispatch/handler.ts';
import type { FeedHandlers } from '../../../src-main/core/dispatch/handler.ts';
import { presenters } from '../../../src-main/serve/present/all.ts';
import type { Presenters } from '../../../src-main/serve/present/presenter.ts';
import { makeFakePorts } from '../../fakes/fake-ports.ts';
import { makeMadeUp } from './made-up.ts';

const person: Caller = { kind: 'window', by: 'ada', typed: null };

describe('a call', () => {
  it('T10: fills in defaults before the handler sees the input', async () => {
    const { dispatch, runs } = makeMadeUp();
    expect(await dispatch.call('see_it', { text: 'x' }, person)).toEqual({ ok: true, output: { value: 1 } });
    expect(runs).toEqual([{ name: 'see_it', input: { text: 'x', count: 3 } }]);
  });

  it.each(['constructor', '__proto__', 'toString', '', 'SEE_IT'])('T10: %j is no tool', async (name) => {
    const { dispatch } = makeMadeUp();
    expect(await dispatch.call(name, {}, person)).toMatchObject({ ok: false, refusal: { code: 'unknown_tool' } });
  });

  it('T11: names every problem of an input, and the nearest key for an unknown one', async () => {
    const { dispatch, runs } = makeMadeUp();
    const result = await dispatch.call('see_it', { txet: 'x', count: 'three' }, person);
    expect(result).toMatchObject({
      refusal: { code: 'bad_input', problems: [{ file: 'count' }, { file: 'txet', fix: 'Did you mean "text"?' }] },
    });
    expect(runs).toEqual([]);
  });

  it.each([undefined, null, 'text', 7, []])('T11: %j is no input', async (input) => {
    expect(await makeMadeUp().dispatch.call('see_it', input, person)).toMatchObject({ refusal: { code: 'bad_input' } });
  });

  it.each([
    ['a function', () => () => 1],
    ['a bigint', () => 1n],
    ['a Map', () => new Map([[1, 2]])],
    ['a Date', () => new Date(0)],
    ['itself', () => makeCircle()],
  ])('T12: an output that holds %s is a fault', async (_what, answer) => {
    const madeUp = makeMadeUp();
    madeUp.answer = answer;
    expect(await madeUp.dispatch.call('see_it', {}, person)).toMatchObject({ ok: false, fault: {} });
  });

  it('T16: sends non-finite numbers by name, at any depth, and leaves absent values out', async () => {
    const madeUp = makeMadeUp();
    madeUp.answer = () => ({ list: [Number.NaN, { low: -Infinity, high: Infinity, none: undefined }] });
    const result = await madeUp.dispatch.call('see_it', {}, person);
    expect(result).toStrictEqual({ ok: true, output: { value: { list: ['NaN', { low: '-Infinity', high: 'Infinity' }] } } });
  });

  it('T13: a next step names what the call was about, and leaves other words as they are', async () => {
    const madeUp = makeMadeUp();
    madeUp.answer = () => {
      throw new RefusalError(makeRefusal('not_found', 'no', { next: 'Write `see <text> <count> <other>`.' }));
    };
    expect(await madeUp.dispatch.call('see_it', { text: 'quick' }, person)).toMatchObject({ refusal: { next: 'Write `see quick <count> <other>`.' } });
  });

  it('T14: keeps the details of a fault for the log', async () => {
    const madeUp = makeMadeUp();
    madeUp.answer = () => {
      throw new TypeError('secret-7');
    };
    const result = await madeUp.dispatch.call('see_it', {}, person);
    const logged = madeUp.ports.log.lines.find((line) => line.level === 'fault');
    expect(logged).toMatchObject({ message: 'secret-7', facts: { tool: 'see_it' } });
    expect(result).toMatchObject({ ok: false, fault: { id: logged?.facts['id'] } });
    expect(JSON.stringify(result)).not.toContain('secret-7');
  });

  it.each(['ENOSPC', 'EROFS', 'EACCES'])('T15: %s is unwritable, said in words', async (code) => {
    const madeUp = makeMadeUp();
    madeUp.answer = () => {
      throw Object.assign(new Error('x'), { code, path: '/r/.rlxp' });
    };
    const result = await madeUp.dispatch.call('see_it', {}, person);
    expect(result).toMatchObject({ refusal: { code: 'unwritable', message: expect.stringContaining('/r/.rlxp') as string } });
  });

  it.each(['ENOTPRIVATE', 'EKEYOPEN', 'EKEYOWNER', 'EKEYDAMAGED'])('D21, D23: %s is refused with its fix, whatever the tool declares', async (code) => {
    const madeUp = makeMadeUp();
    const broken = () => {
      throw Object.assign(new Error("Other users can read the machine key: '/c/machine.key'. Close it: chmod 600 '/c/machine.key'."), { code, path: '/c/machine.key' });
    };
    madeUp.answer = broken;
    madeUp.feed = broken;
    const told = { refusal: { code: 'unwritable', message: expect.stringContaining('chmod 600') as string } };
    expect(await madeUp.dispatch.call('see_it', {}, person)).toMatchObject(told);
    for await (const frame of madeUp.dispatch.open('watch_it', {}, person)) expect(frame).toMatchObject(told);
  });

  it('T15: another file error is a fault', async () => {
    const madeUp = makeMadeUp();
    madeUp.answer = () => {
      throw Object.assign(new Error('x'), { code: 'EIO', path: '/r' });
    };
    expect(await madeUp.dispatch.call('see_it', {}, person)).toMatchObject({ fault: {} });
  });

  it('T17: is recorded once, without input and output', async () => {
    const madeUp = makeMadeUp();
    await madeUp.dispatch.call('see_it', { text: 'secret-7' }, { kind: 'mcp', by: 'claude', typed: null });
    madeUp.answer = () => {
      throw new RefusalError(makeRefusal('not_found', 'secret-7'));
    };
    await madeUp.dispatch.call('see_it', {}, person);
    const records = madeUp.ports.log.lines.filter((line) => line.message === 'call');
    expect(records.map((line) => line.facts)).toMatchObject([
      { tool: 'see_it', effect: 'read', caller: 'mcp', by: 'claude', outcome: 'ok' },
      { tool: 'see_it', caller: 'window', outcome: 'not_found' },
    ]);
    expect(JSON.stringify(records)).not.toContain('secret-7');
  });

  it('T18: ends as cancelled when its caller goes away', async () => {
    const madeUp = makeMadeUp();
    const controller = new AbortController();
    madeUp.answer = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        controller.abort();
      });
    expect(await madeUp.dispatch.call('see_it', {}, person, { signal: controller.signal })).toMatchObject({ refusal: { code: 'cancelled' } });
  });

  it('T18: leaves nothing on the signals of its caller once it is over', async () => {
    const madeUp = makeMadeUp();
    const controller = new AbortController();
    for (let call = 0; call < 5; call += 1) await madeUp.dispatch.call('see_it', {}, person, { signal: controller.signal });
    for await (const frame of madeUp.dispatch.open('watch_it', {}, person, { signal: controller.signal })) expect(frame).toBeDefined();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });
});

describe('the map of handlers', () => {
  it('T5: a missing or a superfluous handler does not compile', () => {
    const handlers = {} as Handlers;
    const { ledger_verify: _left, ...incomplete } = handlers;
    const common = { tools, feeds, feedHandlers: {} as FeedHandlers, requireApproval: () => Promise.reject(new Error()), ports: makeFakePorts() };
    // @ts-expect-error -- ledger_verify is missing
    const one = () => makeDispatch({ ...common, handlers: incomplete });
    // @ts-expect-error -- a handler that answers something else
    const two = () => makeDispatch({ ...common, handlers: { ...handlers, ledger_verify: () => Promise.resolve({ intact: 'yes' }) } });
    const three = () => makeDispatch({ ...common, handlers });
    expect([one, two, three]).toHaveLength(3);
  });

  it('T5: a missing presenter does not compile', () => {
    const { report_show: _left, ...incomplete } = presenters;
    // @ts-expect-error -- report_show is missing
    const typed: Presenters = incomplete;
    expect(Object.keys(typed)).toHaveLength(tools.length - 1);
  });
});

function makeCircle(): unknown {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  return circle;
}
