// Scripted processes on a fake clock: what they print, when they exit, which signals they ignore, what strays they leave.
import type { EndReport, Files, ProcessExit, ProcessIdentity, Processes, StartOptions } from '../../src-main/ports.ts';
import type { FakeClock } from './fake-clock.ts';

export interface FakeProgram {
  /** How long it runs; `forever` until a signal. */
  readonly runsMs: number | 'forever';
  readonly outputs?: readonly { readonly afterMs: number; readonly text: string }[];
  readonly exitCode?: number;
  readonly ignores?: readonly ('SIGINT' | 'SIGTERM' | 'SIGKILL')[];
  /** Exits with this code on SIGINT, as a program with a handler; without it SIGINT ends it as a signal. */
  readonly exitCodeOnInterrupt?: number;
  /** Processes with its tag that live on after it. */
  readonly strays?: number;
  /** Runs at the start, for effects such as writing files; `alive()` tells whether it still runs. */
  readonly act?: (options: StartOptions, alive: () => boolean) => void | Promise<void>;
}

export interface FakeProcesses extends Processes {
  /** Launches so far, the last one last. */
  readonly launches: readonly StartOptions[];
  readonly backgrounds: readonly Parameters<Processes['startBackground']>[0][];
  /** Numbers of processes that live now. */
  alive(): readonly number[];
  /** Stops a process as SIGSTOP does, or lets it go on. */
  suspend(identity: ProcessIdentity, isSuspended?: boolean): void;
  /** Ends a process as a signal from outside does. */
  kill(identity: ProcessIdentity, name?: 'SIGKILL' | 'SIGABRT'): void;
}

export interface FakeProcessOptions {
  readonly clock: FakeClock;
  readonly files: Files;
  /** The program behind an argv; may throw a FileError as a missing program does. */
  readonly programFor: (options: StartOptions) => FakeProgram;
}

interface Life {
  readonly identity: ProcessIdentity;
  readonly tag: string;
  readonly program: FakeProgram;
  end: ((exit: ProcessExit) => void) | null;
  isSuspended: boolean;
}

export function makeFakeProcesses(options: FakeProcessOptions): FakeProcesses {
  const { clock, files } = options;
  const lives = new Map<number, Life>();
  const launches: StartOptions[] = [];
  const backgrounds: Parameters<Processes['startBackground']>[0][] = [];
  let nextPid = 1_000;

  function beBorn(tag: string, program: FakeProgram): Life {
    nextPid += 1;
    const life: Life = { identity: { pid: nextPid, startTime: String(nextPid * 7) }, tag, program, end: null, isSuspended: false };
    lives.set(nextPid, life);
    return life;
  }

  const same = (identity: ProcessIdentity): Life | null => {
    const life = lives.get(identity.pid);
    return life?.identity.startTime === identity.startTime ? life : null;
  };
  const family = (target: { readonly identity: ProcessIdentity | null; readonly tag: string }): readonly Life[] =>
    [...lives.values()].filter((life) => life.tag === target.tag || (target.identity !== null && life === same(target.identity)));

  function signal(life: Life, name: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
    if (!lives.has(life.identity.pid) || life.program.ignores?.includes(name) === true) return;
    const isPolite = name === 'SIGINT' && life.program.exitCodeOnInterrupt !== undefined;
    finish(life, isPolite ? { exitCode: life.program.exitCodeOnInterrupt as number, signal: null } : { exitCode: null, signal: name });
  }

  function finish(life: Life, exit: ProcessExit): void {
    if (!lives.delete(life.identity.pid)) return;
    life.end?.(exit);
  }

  return {
    launches,
    backgrounds,
    alive: () => [...lives.keys()],
    suspend(identity, isSuspended = true) {
      const life = same(identity);
      if (life !== null) life.isSuspended = isSuspended;
    },
    kill(identity, name = 'SIGKILL') {
      const life = same(identity);
      if (life !== null) finish(life, { exitCode: null, signal: name });
    },

    async start(start) {
      if (!/^[\x21-\x7e]{1,200}$/.test(start.tag)) throw new RangeError('A tag is 1 to 200 printable characters without spaces.');
      launches.push(start);
      const program = options.programFor(start);
      await files.appendText(start.consolePath, '');
      const life = beBorn(start.tag, program);
      for (let stray = 0; stray < (program.strays ?? 0); stray += 1) beBorn(start.tag, { runsMs: 'forever', ignores: ['SIGINT'] });
      const listeners = new Set<(text: string) => void>();
      let tail = '';
      let writing: Promise<unknown> = Promise.resolve();
      let isEnded = false;

      const print = (text: string): void => {
        if (!lives.has(life.identity.pid)) return;
        tail = (tail + text).slice(-8 * 1024);
        writing = writing.then(async () => {
          await files.appendText(start.consolePath, text).catch(() => undefined);
          for (const listener of [...listeners]) {
            try {
              listener(text);
            } catch {
              // As the real one: a listener's fault costs nothing.
            }
          }
        });
      };
      const exit = new Promise<ProcessExit>((resolve) => {
        life.end = (how) => {
          isEnded = true;
          void writing.then(() => resolve(how));
        };
      });
      for (const { afterMs, text } of program.outputs ?? []) void clock.sleep(afterMs).then(() => print(text));
      if (program.runsMs !== 'forever') void clock.sleep(program.runsMs).then(() => finish(life, { exitCode: program.exitCode ?? 0, signal: null }));
      void Promise.resolve(program.act?.(start, () => !isEnded)).catch(() => undefined);

      return {
        identity: life.identity,
        tag: start.tag,
        exit,
        consoleTail: () => tail,
        onOutput(onOutput) {
          const own = (text: string): void => onOutput(text);
          listeners.add(own);
          return () => void listeners.delete(own);
        },
      };
    },

    async startBackground(start) {
      backgrounds.push(start);
      const asStart = { ...start, tag: '', consolePath: start.logPath };
      const program = options.programFor(asStart);
      await files.appendText(start.logPath, '');
      const life = beBorn(start.env['RLXP_TRIAL'] ?? '', program);
      const exit = new Promise<ProcessExit>((resolve) => (life.end = resolve));
      for (const { afterMs, text } of program.outputs ?? []) void clock.sleep(afterMs).then(() => files.appendText(start.logPath, text));
      if (program.runsMs !== 'forever') void clock.sleep(program.runsMs).then(() => finish(life, { exitCode: program.exitCode ?? 0, signal: null }));
      void Promise.resolve(program.act?.(asStart, () => lives.has(life.identity.pid))).catch(() => undefined);
      return { identity: life.identity, exit };
    },

    identify: (pid) => Promise.resolve(pid === selfIdentity.pid ? selfIdentity : (lives.get(pid)?.identity ?? null)),
    isAlive: (identity) => Promise.resolve(same(identity) !== null || (identity.pid === selfIdentity.pid && identity.startTime === selfIdentity.startTime)),
    isSuspended: (identity) => Promise.resolve(same(identity)?.isSuspended === true),
    async end(target, { graceMs }): Promise<EndReport> {
      if (target.tag === '') throw new RangeError('A tag is 1 to 200 printable characters without spaces.');
      if (target.identity?.pid === selfIdentity.pid) throw new RangeError('We do not end ourselves.');
      if (family(target).length === 0) return { by: 'already_gone', survivors: [] };
      for (const step of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
        for (const life of family(target)) signal(life, step);
        if (family(target).length === 0) return { by: step, survivors: [] };
        if (step !== 'SIGKILL') await clock.sleep(graceMs);
        if (family(target).length === 0) return { by: step, survivors: [] };
      }
      return { by: 'SIGKILL', survivors: family(target).map((life) => life.identity) };
    },
    findTagged(tagPrefix) {
      if (tagPrefix === '') return Promise.reject(new RangeError('A tag prefix names something.'));
      return Promise.resolve([...lives.values()].filter((life) => life.tag.startsWith(tagPrefix)).map(({ identity, tag }) => ({ identity, tag })));
    },
    ask(identity, name) {
      const life = same(identity);
      if (life !== null) signal(life, name);
      return Promise.resolve();
    },
    self: () => Promise.resolve(selfIdentity),
    bootId: () => Promise.resolve('fake-boot'),
  };
}

const selfIdentity: ProcessIdentity = { pid: 100, startTime: '700' };
