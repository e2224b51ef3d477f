// Hints that something under a folder changed. Only adapters/disk-files imports it. Never relied on: callers poll as well.
import { watch, type FSWatcher } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import type { Stop } from '../ports.ts';

/** Watches are a scarce resource of the system, and a hint is all they give. */
const maxFolders = 64;
const maxDepth = 3;
/** Several changes in a row make one call. */
const gatherMs = 50;

/** `except`: files whose own changes give no hint. */
export function watchFolder(root: string, onChange: () => void, except: readonly string[] = []): Stop {
  const silent = new Set(except);
  const watchers = new Map<string, FSWatcher>();
  const isRecursive = platform === 'darwin' || platform === 'win32';
  let timer: NodeJS.Timeout | null = null;
  let hasNewName = false;
  let isStopped = false;

  function changed(folder: string, event: string, name: string | null): void {
    if (isStopped || (name !== null && silent.has(join(folder, name)))) return;
    hasNewName ||= event === 'rename';
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      // Only a name that came can be a folder to watch.
      if (!isRecursive && hasNewName) void addFolders(root, 0);
      hasNewName = false;
      onChange();
    }, gatherMs);
    timer.unref();
  }

  function add(folder: string): boolean {
    if (isStopped || watchers.has(folder)) return !isStopped;
    if (watchers.size >= maxFolders) return false;
    try {
      const watcher = watch(folder, { persistent: false, recursive: isRecursive }, (event, name) => changed(folder, event, name));
      const drop = (): void => {
        watcher.close();
        watchers.delete(folder);
      };
      watcher.on('error', drop); // the folder vanished, or the system has no watch left: polling goes on
      watchers.set(folder, watcher);
      return true;
    } catch {
      return false;
    }
  }

  async function addFolders(folder: string, depth: number): Promise<void> {
    if (!add(folder) || isRecursive || depth === maxDepth) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isDirectory()) await addFolders(join(folder, entry.name), depth + 1);
  }

  void addFolders(root, 0);
  return () => {
    isStopped = true;
    if (timer !== null) clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}
