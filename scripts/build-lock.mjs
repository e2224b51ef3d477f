// Lets one process build at a time; the others wait for it. Imported by ensure-ready.mjs.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const staleMs = 10 * 60_000;

/** Runs `work` while holding the lock folder; takes over a lock whose process is gone. */
export async function withBuildLock(folder, work) {
  while (!tryTake(folder)) {
    if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
    else await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tryTake(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(folder, 'pid'), String(process.pid));
  return true;
}

function isAbandoned(folder) {
  try {
    const ageMs = Date.now() - statSync(folder).mtimeMs;
    if (ageMs > staleMs) return true;
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    return pid > 0 && !isAlive(pid);
  } catch {
    return false; // released or not yet signed: look again
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
