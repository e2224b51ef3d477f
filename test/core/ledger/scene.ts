// A throw-away repository on disk with real files and real locks, for the tests of ledger, provenance and contract.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { makeDiskFiles } from '../../../src-main/adapters/disk-files.ts';
import { makeSocketLocks } from '../../../src-main/adapters/socket-locks.ts';
import { makeSystemClock } from '../../../src-main/adapters/system-clock.ts';
import { makeSystemEntropy } from '../../../src-main/adapters/system-entropy.ts';
import type { GitFacts, Hardware, Ports, ProcessIdentity } from '../../../src-main/ports.ts';

export interface Scene {
  readonly root: string;
  readonly ports: Ports;
  /** The same disk and locks seen from a machine with another key. */
  readonly elsewhere: Ports;
  /** What git ignores, for the tests that need it. */
  readonly ignored: Set<string>;
  /** Processes that live, as `pid:startTime`. */
  readonly alive: Set<string>;
}

const hardware: Hardware = {
  platform: 'linux',
  architecture: 'x64',
  cpuModel: 'Test CPU',
  usableCores: 2,
  memoryBytes: 8e9,
  nodeVersion: '20.19.0',
  gpus: 'unknown',
};

const gitFacts: GitFacts = { root: '/', commit: 'c'.repeat(40), branch: 'main', isDirty: false, diffDigest: null };

export const self: ProcessIdentity = { pid: 4242, startTime: '100' };

/** A scene that is removed after the test. */
export function makeScene(options: SceneOptions = {}): Scene {
  const { top, scene } = build(options);
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  return scene;
}

/** A scene for all tests of a file: call it in `beforeAll`. */
export function keepScene(options: SceneOptions = {}): Scene {
  const { top, scene } = build(options);
  kept.push(top);
  return scene;
}

export interface SceneOptions {
  /** Where the repository lies below the scene's own folder. */
  readonly below?: string;
}

const kept: string[] = [];

afterAll(() => {
  for (const top of kept.splice(0)) rmSync(top, { recursive: true, force: true });
});

function build(options: SceneOptions): { readonly top: string; readonly scene: Scene } {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rlxp-scene-')));
  const root = path.join(top, options.below ?? 'repository');
  const lockFolder = path.join(top, 'locks');
  mkdirSync(root, { recursive: true });
  mkdirSync(lockFolder, { mode: 0o700 });
  const ignored = new Set<string>();
  const alive = new Set([`${self.pid}:${self.startTime}`]);
  const ports = makePorts(top, lockFolder, ignored, alive);
  const elsewhere = { ...ports, secrets: { machineKey: async () => new Uint8Array(32).fill(9) } };
  return { top, scene: { root, ports, elsewhere, ignored, alive } };
}

function makePorts(top: string, lockFolder: string, ignored: Set<string>, alive: Set<string>): Ports {
  const missing = (): never => {
    throw new Error('not part of this scene');
  };
  const processes: Ports['processes'] = {
    start: missing,
    startBackground: missing,
    isSuspended: missing,
    identify: missing,
    isAlive: async (identity) => alive.has(`${identity.pid}:${identity.startTime}`),
    end: missing,
    findTagged: missing,
    ask: missing,
    self: async () => self,
    bootId: async () => 'boot-1',
  };
  return {
    files: makeDiskFiles(),
    clock: makeSystemClock(),
    entropy: makeSystemEntropy(),
    secrets: { machineKey: async () => new Uint8Array(32).fill(7) },
    processes,
    locks: makeSocketLocks({ folder: () => lockFolder, processes }),
    machine: { hardware: async () => hardware, userName: () => 'ada', peakMemoryBytes: async () => 'unknown', hostName: () => 'bench', env: () => undefined, envNames: () => ['PATH', 'HOME'] },
    git: { facts: async () => gitFacts, ignored: async (_folder, paths) => new Set(paths.filter((one) => ignored.has(one))) },
    node: { execPath: '/usr/bin/node', engineFolder: path.join(top, 'program', 'out', 'engine'), version: '0.1.0', relaxedSimdFlags: [], commit: null },
    log: { info: () => undefined, warn: () => undefined, fault: () => 'fault-1' },
  };
}
