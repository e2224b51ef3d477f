// Appending, verifying, taking over and repairing a ledger on a real disk with real locks.
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { adoptLedger, appendLedger, linesThatCount, otherFiles, verifyLedger, type LedgerEntry } from '../../../src-main/core/ledger/ledger.ts';
import { repairLedger } from '../../../src-main/core/ledger/repair.ts';
import type { Files, Ports } from '../../../src-main/ports.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import { makeScene, type Scene } from './scene.ts';

function entry(by: string): LedgerEntry {
  return { kind: 'gate_confirmed', by, study: null, facts: { gate: 'task' } };
}

function ledgerFile(scene: Scene): string {
  return path.join(scene.root, '.rlxp', 'ledger.jsonl');
}

function headFile(scene: Scene): string {
  return path.join(scene.root, '.rlxp', 'ledger.head.json');
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RefusalError) return `${error.refusal.code}: ${error.refusal.message}`;
    throw error;
  }
  return 'no refusal';
}

/** The same ports, whose files fail for ever once `writes` writes have gone through: a process killed at that instant. */
function killedAfter(ports: Ports, writes: number, half: boolean): Ports {
  let left = writes;
  const dead = new Error('killed');
  const files: Files = {
    ...ports.files,
    async replaceFile(file, data, options) {
      if (left <= 0) throw dead;
      left -= 1;
      await ports.files.replaceFile(file, data, options);
    },
    async appendLine(file, line) {
      if (left <= 0 && half) await ports.files.appendText(file, line.slice(0, line.length / 2));
      if (left <= 0) throw dead;
      left -= 1;
      await ports.files.appendLine(file, line);
    },
  };
  return { ...ports, files };
}

describe('the ledger on disk', () => {
  it('LG1 LG2 appends numbered, chained lines with a sealed head after each', async () => {
    const scene = makeScene();
    expect(await verifyLedger(scene.ports, scene.root)).toMatchObject({ ok: true, state: 'empty', lines: [] });
    const first = await appendLedger(scene.ports, scene.root, entry('ada'));
    const second = await appendLedger(scene.ports, scene.root, { kind: 'device_seconds_spent', by: 'campaign', study: 'quick', facts: { seconds: 12.5 } });
    expect([first.seq, second.seq]).toEqual([0, 1]);
    const report = await verifyLedger(scene.ports, scene.root);
    expect(report).toMatchObject({ ok: true, state: 'sound', tornBytes: 0 });
    expect(report.lines).toEqual([first, second]);
    expect(JSON.parse(readFileSync(headFile(scene), 'utf8'))).toMatchObject({ lines: 2, next: null });
  });

  it('LG3 survives two processes that append at once: no line lost, the chain whole', async () => {
    const scene = makeScene();
    const writer = async (by: string): Promise<void> => {
      for (let count = 0; count < 8; count += 1) await appendLedger(scene.ports, scene.root, entry(by));
    };
    await Promise.all([writer('campaign'), writer('terminal'), writer('window')]);
    const report = await verifyLedger(scene.ports, scene.root);
    expect(report).toMatchObject({ ok: true, state: 'sound' });
    expect(report.lines).toHaveLength(24);
  });

  it('LG3 never reads an append that is just happening as damage', async () => {
    const scene = makeScene();
    let isDone = false;
    const reader = async (): Promise<void> => {
      // Small reads wait for nothing: without a turn of its own the writer would never come to its end.
      for (; !isDone; await nextTurn()) expect(await verifyLedger(scene.ports, scene.root)).toMatchObject({ ok: true });
    };
    const writer = async (): Promise<void> => {
      for (let count = 0; count < 12; count += 1) await appendLedger(scene.ports, scene.root, entry('ada'));
      isDone = true;
    };
    await Promise.all([reader(), writer()]);
  });

  it('LG3 says who holds the lock when it waits in vain', async () => {
    const scene = makeScene();
    const lock = await scene.ports.locks.take(`ledger:${scene.root}`, 'sleeping');
    let ms = 0;
    const hasty: Ports = { ...scene.ports, clock: { ...scene.ports.clock, monotonicMs: () => (ms += 1_000), sleep: async () => undefined } };
    expect(await refusalOf(appendLedger(hasty, scene.root, entry('ada')))).toMatch(/unwritable: The ledger .* process 4242 \(sleeping\)/);
    if (lock.held) await lock.release();
  });

  it.each([0, 1, 2, 3].flatMap((writes) => [[writes, false], [writes, true]] as const))('LG4 survives a kill after %i writes (half a line: %s)', async (writes, half) => {
    const scene = makeScene();
    await appendLedger(scene.ports, scene.root, entry('ada'));
    const killed = appendLedger(killedAfter(scene.ports, writes, half), scene.root, entry('lost'));
    if (writes < 3) await expect(killed).rejects.toThrow('killed');
    else await killed;
    expect(await verifyLedger(scene.ports, scene.root)).toMatchObject({ ok: true });
    await appendLedger(scene.ports, scene.root, entry('after'));
    const report = await verifyLedger(scene.ports, scene.root);
    expect(report).toMatchObject({ ok: true, state: 'sound', tornBytes: 0 });
    expect(report.lines.map((line) => line.by)).toEqual(writes < 2 ? ['ada', 'after'] : ['ada', 'lost', 'after']);
  });

  it('LG9 appends nothing to a ledger that was cut, rewritten or lost its head', async () => {
    const scene = makeScene();
    for (const by of ['a', 'b', 'c']) await appendLedger(scene.ports, scene.root, entry(by));
    const [ledger, head] = [readFileSync(ledgerFile(scene), 'utf8'), readFileSync(headFile(scene), 'utf8')];
    writeFileSync(ledgerFile(scene), ledger.split('\n').slice(0, 2).join('\n') + '\n');
    expect(await refusalOf(appendLedger(scene.ports, scene.root, entry('d')))).toBe('damaged: The ledger was cut: 3 lines were sealed, 2 are there.');
    writeFileSync(ledgerFile(scene), ledger.replace('"by":"c"', '"by":"x"'));
    expect(await refusalOf(appendLedger(scene.ports, scene.root, entry('d')))).toMatch(/damaged: The ledger was rewritten/);
    writeFileSync(ledgerFile(scene), ledger.replace('"by":"a"', '"by":"x"'));
    expect(await refusalOf(appendLedger(scene.ports, scene.root, entry('d')))).toMatch(/damaged: Line 2 .* does not follow/);
    writeFileSync(ledgerFile(scene), ledger);
    rmSync(headFile(scene));
    expect(await refusalOf(appendLedger(scene.ports, scene.root, entry('d')))).toMatch(/damaged: .* head is missing/);
    writeFileSync(headFile(scene), head);
    expect((await appendLedger(scene.ports, scene.root, entry('d'))).seq).toBe(3);
  });

  it('LG8 reads as sealed elsewhere under another machine key, until a person takes it over', async () => {
    const scene = makeScene();
    await appendLedger(scene.ports, scene.root, entry('ada'));
    expect(await verifyLedger(scene.elsewhere, scene.root)).toMatchObject({ ok: false, state: 'sealed_elsewhere' });
    expect(await refusalOf(appendLedger(scene.elsewhere, scene.root, entry('bob')))).toMatch(/damaged: The ledger was sealed on another machine/);
    expect(await adoptLedger(scene.elsewhere, scene.root, 'bob')).toMatchObject({ kind: 'repaired', facts: { what: 'taken_over', lines: 1 } });
    expect(await adoptLedger(scene.elsewhere, scene.root, 'bob')).toBeNull();
    await appendLedger(scene.elsewhere, scene.root, entry('bob'));
    const report = await verifyLedger(scene.elsewhere, scene.root);
    expect(report).toMatchObject({ ok: true, state: 'sound' });
    expect(linesThatCount(report.lines).map((line) => line.by)).toEqual(['bob']);
  });

  it('LG12 a repair of other files leaves what was decided before it in force', async () => {
    const scene = makeScene();
    for (const by of ['a', 'b']) await appendLedger(scene.ports, scene.root, entry(by));
    await appendLedger(scene.ports, scene.root, { kind: 'repaired', by: 'c', study: 'quick', facts: { what: otherFiles } });
    expect(linesThatCount((await verifyLedger(scene.ports, scene.root)).lines).map((line) => line.by)).toEqual(['a', 'b', 'c']);
    await appendLedger(scene.ports, scene.root, { kind: 'repaired', by: 'd', study: null, facts: { what: 'repaired' } });
    expect(linesThatCount((await verifyLedger(scene.ports, scene.root)).lines)).toEqual([]);
  });

  it('LG10 repairs by keeping every byte in a copy, the good lines in place, and a line that says so', async () => {
    const scene = makeScene();
    for (const by of ['a', 'b', 'c']) await appendLedger(scene.ports, scene.root, entry(by));
    expect(await repairLedger(scene.ports, scene.root, 'ada')).toBeNull();
    const broken = readFileSync(ledgerFile(scene), 'utf8').replace('"by":"b"', '"by":"x"');
    writeFileSync(ledgerFile(scene), broken);
    const repair = await repairLedger(scene.ports, scene.root, 'ada');
    expect(repair).toMatchObject({ keptLines: 2, found: expect.stringContaining('Line 3') as string });
    expect(readFileSync(path.join(scene.root, '.rlxp', repair?.copy ?? ''), 'utf8')).toBe(broken);
    const report = await verifyLedger(scene.ports, scene.root);
    expect(report).toMatchObject({ ok: true, state: 'sound' });
    expect(report.lines.map((line) => line.kind)).toEqual(['gate_confirmed', 'gate_confirmed', 'repaired']);
  });

  it('LG10 repairs a head that was edited or lost', async () => {
    const scene = makeScene();
    await appendLedger(scene.ports, scene.root, entry('a'));
    writeFileSync(headFile(scene), readFileSync(headFile(scene), 'utf8').replace('"lines":1', '"lines":0'));
    expect(await verifyLedger(scene.ports, scene.root)).toMatchObject({ ok: false, state: 'head_edited' });
    expect(await repairLedger(scene.ports, scene.root, 'ada')).toMatchObject({ keptLines: 1 });
    rmSync(headFile(scene));
    expect(await repairLedger(scene.ports, scene.root, 'ada')).toMatchObject({ keptLines: 2, copy: null });
    expect(await verifyLedger(scene.ports, scene.root)).toMatchObject({ ok: true });
  });

  it('LG9 refuses a ledger that is a link', async () => {
    const scene = makeScene();
    await appendLedger(scene.ports, scene.root, entry('a'));
    writeFileSync(path.join(scene.root, 'other.jsonl'), readFileSync(ledgerFile(scene)));
    rmSync(ledgerFile(scene));
    symlinkSync(path.join(scene.root, 'other.jsonl'), ledgerFile(scene));
    expect(await refusalOf(verifyLedger(scene.ports, scene.root))).toMatch(/damaged: .*ledger.jsonl is a link/);
  });

  it('LG1 redacts a secret in the facts', async () => {
    const scene = makeScene();
    const machine = { ...scene.ports.machine, env: () => 'hunter2-long', envNames: () => ['API_TOKEN'] };
    const line = await appendLedger({ ...scene.ports, machine }, scene.root, { ...entry('a'), facts: { why: { text: 'with hunter2-long' }, digest: 'f'.repeat(64) } });
    expect(line.facts).toEqual({ why: { text: 'with [redacted]' }, digest: 'f'.repeat(64) });
    expect(readFileSync(ledgerFile(scene), 'utf8')).not.toContain('hunter2');
  });

  it('LG1 refuses facts that JSON cannot hold', async () => {
    const scene = makeScene();
    await expect(appendLedger(scene.ports, scene.root, { ...entry('a'), facts: { seconds: Number.NaN } })).rejects.toThrow();
    expect(await verifyLedger(scene.ports, scene.root)).toMatchObject({ state: 'empty' });
  });
});
