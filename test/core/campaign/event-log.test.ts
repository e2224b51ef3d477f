import { describe, expect, it } from 'vitest';
import { openEventLog, readEvents } from '../../../src-main/core/campaign/event-log.ts';
import { makeFakePorts } from '../../fakes/fake-ports.ts';

function scene() {
  const ports = makeFakePorts();
  ports.files.plant('/run/note', '');
  const open = () => openEventLog({ ...ports, eventsPath: '/run/events.jsonl', narrativePath: '/run/campaign.log', etaS: () => 12 });
  return { ports, open };
}

describe('the event log', () => {
  it('keeps the order of its events and numbers them on over a restart', async () => {
    const { ports, open } = scene();
    const first = await open();
    for (const text of ['a', 'b', 'c']) first.add({ kind: 'warning', text }, `said ${text}`);
    await first.settled();
    await ports.clock.advance(5000);
    const second = await open();
    second.add({ kind: 'resumed' }, 'went on');
    await second.settled();
    const { events, unreadable } = await readEvents(ports.files, '/run/events.jsonl');
    expect(unreadable).toBe(0);
    expect(events.map((one) => [one.seq, one.mono_ms, one.eta_s, one.event.kind])).toEqual([[0, 0, 12, 'warning'], [1, 0, 12, 'warning'], [2, 0, 12, 'warning'], [3, 0, 12, 'resumed']]);
    expect(ports.files.contents('/run')['/run/campaign.log']).toBe(
      ['00Z  said a', '00Z  said b', '00Z  said c', '05Z  went on'].map((end) => `2026-01-01T00:00:${end.replace('Z', '.000Z')}\n`).join(''),
    );
    expect((await readEvents(ports.files, '/run/events.jsonl', 3)).events.map((one) => one.seq)).toEqual([3]);
  });

  it('CK8: an event that the disk refuses waits for the next one, in its order; the narrative may lose a line', async () => {
    const { ports, open } = scene();
    const log = await open();
    ports.files.failNth('appendLine', 1, 'ENOSPC', { suffix: 'events.jsonl' });
    ports.files.failNth('appendText', 1, 'ENOSPC', { suffix: 'campaign.log' });
    for (const text of ['first', 'second', 'third']) log.add({ kind: 'warning', text }, text);
    await log.settled();
    const { events } = await readEvents(ports.files, '/run/events.jsonl');
    expect(events.map((one) => [one.seq, one.event])).toEqual(['first', 'second', 'third'].map((text, seq) => [seq, { kind: 'warning', text }]));
    expect(ports.files.contents('/run')['/run/campaign.log']).toMatch(/ {2}third\n$/);
    expect(ports.log.lines.filter((line) => line.level === 'warn')).toHaveLength(2);
  });

  it('lines that cannot be read are left out and counted', async () => {
    const { ports, open } = scene();
    const log = await open();
    log.add({ kind: 'resumed' }, 'x');
    await log.settled();
    await ports.files.appendLine('/run/events.jsonl', '{"seq":1,"event":{"kind":"from a newer version"}}');
    expect(await readEvents(ports.files, '/run/events.jsonl')).toMatchObject({ events: [{ event: { kind: 'resumed' } }], unreadable: 1 });
  });
});
