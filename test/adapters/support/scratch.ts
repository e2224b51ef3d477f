// A short-named temporary folder per test file, removed at its end.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** In /tmp itself: a socket's path may have 103 bytes only. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join('/tmp', 'rlxp-t-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
