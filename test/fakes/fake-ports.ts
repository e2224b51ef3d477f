// All ports in memory, on one fake clock. Tests of the core start here.
import type { Ports } from '../../src-main/ports.ts';
import { makeFakeClock, type FakeClock } from './fake-clock.ts';
import { makeFakeFiles, type FakeFiles } from './fake-files.ts';
import { makeFakeProcesses, type FakeProcesses, type FakeProcessOptions } from './fake-processes.ts';
import { makeFakeEntropy, makeFakeGit, makeFakeLocks, makeFakeLog, makeFakeMachine, makeFakeNode, makeFakeSecrets, type FakeLocks, type FakeLog } from './fake-small-ports.ts';

export interface FakePorts extends Ports {
  readonly files: FakeFiles;
  readonly clock: FakeClock;
  readonly processes: FakeProcesses;
  readonly locks: FakeLocks;
  readonly log: FakeLog;
}

export interface FakePortsOptions {
  /** By default every program exits at once with code 0. */
  readonly programFor?: FakeProcessOptions['programFor'];
  readonly seed?: number;
}

export function makeFakePorts(options: FakePortsOptions = {}, overrides: Partial<FakePorts> = {}): FakePorts {
  const clock = overrides.clock ?? makeFakeClock();
  const files = overrides.files ?? makeFakeFiles({ wallMs: () => clock.wallMs() });
  return {
    files,
    clock,
    entropy: makeFakeEntropy(options.seed),
    secrets: makeFakeSecrets(),
    processes: makeFakeProcesses({ clock, files, programFor: options.programFor ?? (() => ({ runsMs: 0 })) }),
    locks: makeFakeLocks(),
    machine: makeFakeMachine(),
    git: makeFakeGit(),
    node: makeFakeNode(),
    log: makeFakeLog(),
    ...overrides,
  };
}
