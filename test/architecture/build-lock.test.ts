import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withBuildLock } from '../../scripts/build-lock.mjs';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'rlxp-lock-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the build lock', () => {
  it('lets one build at a time', async () => {
    const lock = join(folder, '.lock');
    let running = 0;
    let most = 0;
    const build = () =>
      withBuildLock(lock, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
      });
    await Promise.all([build(), build(), build()]);
    expect(most).toBe(1);
  });

  it('takes over from a process that is gone, and is released after a failure', async () => {
    const lock = join(folder, '.lock');
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), '2147483646');
    await expect(withBuildLock(lock, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await withBuildLock(lock, () => Promise.resolve('again'))).toBe('again');
  });
});
