// The small ports in memory: entropy, secrets, locks, machine, git, node, log.
import type { Entropy, Git, GitFacts, Hardware, LockHolder, Locks, Log, Machine, NodeRuntime, Secrets } from '../../src-main/ports.ts';

/** The same bytes for the same seed, in every test run. */
export function makeFakeEntropy(seed = 1): Entropy {
  let state = seed >>> 0;
  const nextByte = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) & 0xff;
  };
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, nextByte);
  return {
    bytes,
    uuid() {
      const raw = bytes(16);
      raw[6] = ((raw[6] ?? 0) & 0x0f) | 0x40;
      raw[8] = ((raw[8] ?? 0) & 0x3f) | 0x80;
      return Buffer.from(raw).toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}

export function makeFakeSecrets(fill = 7): Secrets {
  return { machineKey: () => Promise.resolve(new Uint8Array(32).fill(fill)) };
}

/** Locks of one machine; `as` gives the same locks seen from another process. */
export interface FakeLocks extends Locks {
  as(holder: Partial<LockHolder>): FakeLocks;
  /** The process of the holder dies: its lock is free. */
  die(key: string): void;
  /** The process of the holder is stopped: it keeps its lock and answers no more. */
  suspend(key: string): void;
}

export function makeFakeLocks(self: Partial<LockHolder> = {}, held = new Map<string, LockHolder>()): FakeLocks {
  return {
    take(key, purpose) {
      const other = held.get(key);
      if (other !== undefined) return Promise.resolve({ held: false, holder: other });
      const holder: LockHolder = { pid: 100, startTime: '700', bootId: 'fake-boot', host: 'fake-host', since: '2026-01-01T00:00:00.000Z', answers: true, ...self, purpose };
      held.set(key, holder);
      return Promise.resolve({
        held: true,
        release: () => {
          if (held.get(key) === holder) held.delete(key);
          return Promise.resolve();
        },
      });
    },
    holder: (key) => Promise.resolve(held.get(key) ?? null),
    as: (other) => makeFakeLocks(other, held),
    die: (key) => void held.delete(key),
    suspend(key) {
      const holder = held.get(key);
      if (holder !== undefined) Object.assign(holder, { answers: false });
    },
  };
}

export function makeFakeMachine(options: { readonly env?: Readonly<Record<string, string>>; readonly hardware?: Partial<Hardware> } = {}): Machine {
  const env = options.env ?? { PATH: '/usr/bin:/bin', HOME: '/home/ada' };
  const hardware: Hardware = { platform: 'linux', architecture: 'x64', cpuModel: 'Fake CPU', usableCores: 2, memoryBytes: 8e9, nodeVersion: 'v20.19.0', gpus: 'unknown', ...options.hardware };
  return {
    hardware: () => Promise.resolve(hardware),
    userName: () => 'ada',
    peakMemoryBytes: () => Promise.resolve('unknown'),
    hostName: () => 'fake-host',
    env: (name) => env[name],
    envNames: () => Object.keys(env).sort(),
  };
}

/** One repository at `root`, or none. */
export function makeFakeGit(facts: GitFacts | null = null, ignores: (path: string) => boolean = () => false): Git {
  const isInside = (folder: string): boolean => facts !== null && (folder === facts.root || folder.startsWith(`${facts.root}/`));
  return {
    facts: (folder) => Promise.resolve(isInside(folder) ? facts : null),
    ignored: (folder, paths) => Promise.resolve(new Set(isInside(folder) ? paths.filter(ignores) : [])),
  };
}

export function makeFakeNode(): NodeRuntime {
  return { execPath: '/usr/bin/node', engineFolder: '/opt/rlxp/out/engine', version: '0.1.0', relaxedSimdFlags: [], commit: null };
}

export interface FakeLog extends Log {
  readonly lines: readonly { readonly level: 'info' | 'warn' | 'fault'; readonly message: string; readonly facts: Readonly<Record<string, unknown>> }[];
}

export function makeFakeLog(): FakeLog {
  const lines: FakeLog['lines'][number][] = [];
  return {
    lines,
    info: (message, facts = {}) => void lines.push({ level: 'info', message, facts }),
    warn: (message, facts = {}) => void lines.push({ level: 'warn', message, facts }),
    fault(error, facts = {}) {
      const id = (lines.length + 1).toString(16).padStart(8, '0');
      lines.push({ level: 'fault', message: error instanceof Error ? error.message : String(error), facts: { id, ...facts } });
      return id;
    },
  };
}
