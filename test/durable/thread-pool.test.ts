// Which calls of the disk go through the thread pool: counted by the requests that Node makes for it.
import { createHook } from 'node:async_hooks';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDiskFiles } from '../../src-main/adapters/disk-files.ts';
import { scratchFolder } from '../adapters/support/scratch.ts';

/** Requests of the thread pool that `work` makes. */
async function poolTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const hook = createHook({ init: (_id, type) => void (turns += type.startsWith('FSREQ') ? 1 : 0) }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return turns;
}

test('CO6 looking, listing and reading a little take no turn of the thread pool; a replacement takes one for each sync', async () => {
  const folder = scratchFolder();
  const files = makeDiskFiles();
  const path = join(folder, 'events');
  mkdirSync(join(folder, 'sub'));
  writeFileSync(path, Buffer.alloc(300_000, 1));
  await files.replaceFile(join(folder, 'first'), 'x'); // sweeps the folder once
  expect(await poolTurns(() => files.stat(path))).toBe(0);
  expect(await poolTurns(() => files.statEach([path, folder]))).toBe(0);
  expect(await poolTurns(() => files.list(folder))).toBe(0);
  expect(await poolTurns(() => files.readSlice(path, 299_000, 1_048_576))).toBe(0);
  expect(await poolTurns(() => files.replaceFile(join(folder, 'a'), 'text', { isPassing: true }))).toBe(1);
  expect(await poolTurns(() => files.replaceFile(join(folder, 'a'), 'text'))).toBe(2);
  expect(await poolTurns(() => files.readSlice(path, 0, 1_048_576))).toBeGreaterThan(0);
});
