// A whole campaign in this process: the real core and the real disk, with trials that take no time and any one call of the disk made
// to fail. For the tests of this folder and of test/faults.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { makeDiskFiles } from '../../src-main/adapters/disk-files.ts';
import { leaveRequest } from '../../src-main/core/campaign/control-inbox.ts';
import { runCampaign } from '../../src-main/core/campaign/run-campaign.ts';
import { nodeDisk, type Disk, type DiskHandle } from '../../src-main/durable/disk.ts';
import type { FileError, Files, Ports, StartOptions } from '../../src-main/ports.ts';
import { makeEventWriter } from '../../src-main/tfevents/event-writer.ts';
import { makeWorkbench } from '../../src-main/workbench.ts';
import type { Caller } from '../../src-protocol/caller.ts';
import type { CheckFinding } from '../../src-protocol/check.ts';
import { campaignProcess } from '../../src-protocol/files/event.ts';
import { gateNames } from '../../src-protocol/files/contract.ts';
import { trialFile, type TrialFile } from '../../src-protocol/files/trial.ts';
import { trialRecord, type TrialRecord } from '../../src-protocol/files/record.ts';
import { RefusalError } from '../../src-protocol/refusal.ts';
import { makeFakeClock, type FakeClock } from '../fakes/fake-clock.ts';
import { makeFakePorts } from '../fakes/fake-ports.ts';
import type { FakeProgram } from '../fakes/fake-processes.ts';
import { makeFakeNode } from '../fakes/fake-small-ports.ts';
import { comparableRecords } from './comparable-records.ts';

const home = fileURLToPath(new URL('../..', import.meta.url));
const ground = realpathSync(mkdtempSync(join(tmpdir(), 'rlxp-paper-')));
afterAll(() => rmSync(ground, { recursive: true, force: true, maxRetries: 3 }));

export const faultKinds = ['write', 'fsync', 'rename', 'open', 'unlink'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The `nth` call (from 1) of `kind` on a path below `.rlxp/` fails with `code`. */
export interface Fault {
  readonly kind: FaultKind;
  readonly nth: number;
  readonly code: string;
}

/** From the `nth` write (from 1) below `.rlxp/` on, every call that needs room fails with `code`, for that long of its clock. Nobody resumes. */
export interface Outage {
  readonly nth: number;
  readonly code: string;
  readonly lastsMs: number;
}

function isOutage(fault: Fault | Outage): fault is Outage {
  return 'lastsMs' in fault;
}

interface CountingDisk extends Disk {
  readonly counts: Record<FaultKind, number>;
  /** The path whose call failed; null when none did. */
  readonly hit: () => string | null;
}

/** The real disk, counting what changes a file below `.rlxp/`, and failing once. */
export function countingDisk(fault: Fault | Outage | null, nowMs: () => number = () => 0): CountingDisk {
  const counts: Record<FaultKind, number> = { write: 0, fsync: 0, rename: 0, open: 0, unlink: 0 };
  let hit: string | null = null;
  const count = (kind: FaultKind, path: string) => {
    if (!path.includes('/.rlxp/') && !path.endsWith('/.rlxp')) return;
    counts[kind] += 1;
    if (fault === null || !(isOutage(fault) ? isOut(fault, kind) : fault.kind === kind && counts[kind] === fault.nth)) return;
    hit = path;
    throw Object.assign(new Error(`${fault.code}: made to fail, ${kind} '${path}'`), { code: fault.code, path });
  };
  let outSinceMs: number | null = null;
  const isOut = (outage: Outage, kind: FaultKind) => {
    if (kind === 'write' && counts.write === outage.nth) outSinceMs = nowMs();
    // Names and sizes may change on a full disk; what needs a block may not.
    return outSinceMs !== null && nowMs() < outSinceMs + outage.lastsMs && (kind === 'write' || kind === 'fsync');
  };
  const wrap = (handle: DiskHandle, path: string): DiskHandle => ({
    write: async (bytes, position) => {
      count('write', path);
      return handle.write(bytes, position);
    },
    read: (target, position) => handle.read(target, position),
    stat: () => handle.stat(),
    truncate: (size) => handle.truncate(size),
    chmod: (mode) => handle.chmod(mode),
    sync: async () => {
      count('fsync', path);
      return handle.sync();
    },
    close: () => handle.close(),
  });
  return {
    ...nodeDisk,
    counts,
    hit: () => hit,
    async open(path, flags, mode) {
      if ((flags & 3) !== 0) count('open', path);
      return wrap(await nodeDisk.open(path, flags, mode), path);
    },
    async rename(from, to) {
      count('rename', to);
      return nodeDisk.rename(from, to);
    },
    async unlink(path) {
      count('unlink', path);
      return nodeDisk.unlink(path);
    },
    async syncFolder(folder) {
      count('fsync', folder);
      return nodeDisk.syncFolder(folder);
    },
  };
}

const files = {
  'env.mjs': 'export const makeEnv = () => null;\n',
  '.rlxp/adapter.yaml': 'framework: bundled\naxis: step\nmetrics:\n  Reward / Total reward (mean): { meaning: reward }\n',
  '.rlxp/contract.yaml': `schema: 1
project: Paper
gates:
  task: { status: draft, value: { task: balance, what: balance } }
  metric: { status: draft, value: { primary: score, direction: maximise } }
  scope: { status: draft, value: { may_change: [agent_cfg] } }
  budget: { status: draft, value: { wall_hours: 1, per_trial_s: 30 } }
  hardware: { status: draft, value: { devices: [cpu], max_parallel: 1 } }
  baseline: { status: draft, value: { what: PPO } }
  evaluation: { status: draft, value: { num_envs: 2, episodes_per_env: 2, seed: 7, deterministic: true } }
  experiment: { status: draft, value: { study: quick, why: to see } }
`,
  '.rlxp/experiments.yaml': 'schema: 1\nexperiments:\n  - { study: quick, why: to see }\n',
  '.rlxp/tasks/balance.yaml': 'entry: ./env.mjs#makeEnv\nenv: {}\nagent: {}\nscore_scale: 100\nterminations: auto\n',
  '.rlxp/studies/quick.yaml': `study: quick
base: { task: balance, seed: 42, num_envs: 2, device: cpu, backend: plain, max_trial_s: 30 }
eval: { num_envs: 2, max_steps: 500, episodes_per_env: 2, seed: 7 }
stages:
  noise: off
  screen: { timesteps: 1000, max_parallel: 1 }
  refine: { timesteps: 2000, top_k: 1 }
  verify: {}
candidates:
  - { name: baseline }
  - { name: fast, agent_cfg: { agent: { learning_rate: 0.004 } } }
`,
};

function portsFor(clock: FakeClock, disk: Disk | null): Ports {
  const plain = makeDiskFiles();
  const ports = makeFakePorts({ programFor: (start) => programOf(start, clock) }, { clock });
  const { processes } = makeFakePorts({ programFor: (start) => programOf(start, clock) }, { clock, files: plain as unknown as (typeof ports)['files'] });
  return { ...ports, processes, files: disk === null ? plain : makeDiskFiles(disk), node: { ...makeFakeNode(), engineFolder: join(home, 'out/engine') } };
}

/** The bundled runner on paper: everything is written at once, and learns as its settings say. */
function programOf({ argv }: StartOptions, clock: FakeClock): FakeProgram {
  const [, script = '', path = ''] = argv;
  return {
    runsMs: 100,
    act: () => {
      const trial = trialFile.parse(JSON.parse(readFileSync(path, 'utf8')));
      if (script.endsWith('train.js')) train(trial, dirname(path), clock.wallMs() / 1000);
      else evaluate(trial, dirname(path));
    },
  };
}

function scoreOf(trial: TrialFile): number {
  const { agent } = trial.agent_cfg as { readonly agent?: { readonly learning_rate?: number } };
  return 100 + (agent?.learning_rate === undefined ? 0 : 50) + (trial.seed % 7);
}

function train(trial: TrialFile, folder: string, wallS: number): void {
  const records: Uint8Array[] = [];
  const writer = makeEventWriter((record) => records.push(record), wallS);
  for (const share of [0.25, 0.5, 0.75, 1]) writer.scalars({ step: trial.timesteps * share, wallTime: wallS + share }, [{ tag: 'Reward / Total reward (mean)', value: scoreOf(trial) * share }]);
  mkdirSync(join(folder, trial.logs), { recursive: true });
  writeFileSync(join(folder, trial.logs, 'events.out.tfevents.1767225600.paper.1.0'), Buffer.concat(records));
  const header = Buffer.from(JSON.stringify({ w: { dtype: 'F32', shape: [1], data_offsets: [0, 4] } }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const weights = Buffer.alloc(4);
  weights.writeFloatLE(scoreOf(trial));
  mkdirSync(join(folder, trial.checkpoints), { recursive: true });
  writeFileSync(join(folder, trial.checkpoints, `step_${trial.timesteps}.safetensors`), Buffer.concat([length, header, weights]));
}

function evaluate(trial: TrialFile, folder: string): void {
  const { evaluation } = trial;
  const from = trial.checkpoint === null ? null : trial.checkpoint.startsWith('/') ? trial.checkpoint : join(folder, trial.checkpoint);
  const isTrained = evaluation.policy === 'checkpoint';
  const value = isTrained ? scoreOf(trial) : 10;
  const episodes = Array.from({ length: evaluation.num_envs * evaluation.episodes_per_env }, (_, index) => ({
    env: index % evaluation.num_envs,
    episode: Math.floor(index / evaluation.num_envs),
    return: value + (index % 2),
    length: 20,
    cause: 'fell',
  }));
  const { env_cfg: _env, policy, ...asked } = evaluation;
  const checkpoint = isTrained && from !== null ? { path: from, sha256: createHash('sha256').update(readFileSync(from)).digest('hex'), step: trial.timesteps } : null;
  writeFileSync(join(folder, trial.evaluation_file), JSON.stringify({ schema: 1, policy, checkpoint, normalizer: 'present', ...asked, episodes }));
}

export interface PaperRun {
  /** How it ended: `completed`, `refused`, `error` (a file could not be written, said so), `hung`, `fault`. */
  readonly end: 'completed' | 'blocked' | 'stopped' | 'refused' | 'error' | 'hung' | 'fault';
  readonly text: string;
  readonly counts: Readonly<Record<FaultKind, number>>;
  readonly hit: string | null;
}

export interface Paper {
  readonly root: string;
  run(fault: Fault | Outage | null): Promise<PaperRun>;
  records(): readonly TrialRecord[];
  check(): Promise<{ readonly state: string; readonly findings: readonly CheckFinding[] }>;
  repair(): Promise<void>;
  /** Calls a tool as a person at a terminal; throws what it was refused with. */
  call<T>(tool: string, input?: object, caller?: Caller, disk?: Disk): Promise<T>;
  /** Temp files that stayed. */
  temps(): readonly string[];
  remove(): void;
}

/** For tools that take no repository. */
function withoutRoot(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([key]) => key !== 'root'));
}

let template: string | null = null;
let made = 0;

/** An approved project that never ran. */
export async function makePaper(): Promise<Paper> {
  template ??= await approveTemplate();
  made += 1;
  const root = join(ground, `paper-${made}`);
  cpSync(template, root, { recursive: true, preserveTimestamps: true });
  const run = join(root, '.rlxp/runs/quick');
  const call = async <T>(tool: string, input: object = {}, caller: Caller = { kind: 'terminal', by: 'tester', typed: null }, disk: Disk | null = null): Promise<T> => {
    const result = await makeWorkbench(portsFor(makeFakeClock(Date.now()), disk)).dispatch.call(tool, 'root' in input ? withoutRoot(input) : { root, ...input }, caller);
    if (!result.ok) throw new Error(`${tool}: ${JSON.stringify(result)}`);
    return result.output as T;
  };
  return {
    root,
    run: (fault) => runOnce(root, run, fault),
    records: () => readLines(join(run, 'trials.jsonl')).map((line) => trialRecord.parse(JSON.parse(line))),
    call,
    check: () => call('repository_check'),
    repair: async () => void (await call('repository_repair')),
    temps: () => readdirSync(join(root, '.rlxp'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp')),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function approveTemplate(): Promise<string> {
  const root = join(ground, 'template');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const { dispatch } = makeWorkbench(portsFor(makeFakeClock(), null));
  const must = async (tool: string, input: object, typed: string) => {
    const result = await dispatch.call(tool, { root, ...input }, { kind: 'terminal', by: 'tester', typed });
    if (!result.ok) throw new Error(`${tool}: ${JSON.stringify(result)}`);
  };
  for (const gate of gateNames) await must('gate_confirm', { gate }, gate);
  await must('study_approve', { study: 'quick' }, 'quick');
  return root;
}

/** Ten minutes of its clock: nothing here takes longer than seconds. */
const longestMs = 600_000;

async function runOnce(root: string, run: string, fault: Fault | Outage | null): Promise<PaperRun> {
  const clock = makeFakeClock();
  const disk = countingDisk(fault, () => clock.monotonicMs());
  const busy = { calls: 0 };
  const made = portsFor(clock, disk);
  const ports = { ...made, files: counted(made.files, busy) };
  const stop = new AbortController();
  const clean = { ...ports, files: makeDiskFiles() };
  const isAlone = fault !== null && isOutage(fault);
  // A person who answers every pause with "go on".
  const unwatch = clock.every(3_000, async () => {
    const path = join(run, 'campaign.json');
    const standing = existsSync(path) ? campaignProcess.safeParse(JSON.parse(readFileSync(path, 'utf8'))) : null;
    if (standing?.data?.status === 'paused' && !isAlone) await leaveRequest(clean, join(run, 'control'), { action: 'resume', trial: null, by: 'tester' });
  });
  // Something to take away: a request that nobody waits for any more, and one while it runs.
  const ask = (action: 'pause' | 'resume') => leaveRequest(clean, join(run, 'control'), { action, trial: null, by: 'tester' });
  await ask('pause');
  // Where nobody answers, a resume that the disk refused would leave the pause as the last word.
  if (!isAlone) void clock.sleep(800).then(() => ask('pause').then(() => ask('resume')));
  const campaign = runCampaign({ ports, root, study: 'quick', signal: stop.signal });
  let end: PaperRun['end'];
  let text = '';
  try {
    const done = await passTime(campaign, clock, busy);
    [end, text] = [done.status, done.text];
  } catch (error) {
    text = error instanceof Error ? error.message : String(error);
    const isClear = (error as Partial<FileError> | null)?.code !== undefined;
    end = error instanceof RefusalError ? 'refused' : isClear ? 'error' : text.includes('never settles') ? 'hung' : 'fault';
    if (end === 'hung') {
      stop.abort();
      await passTime(campaign, clock, busy).catch(() => undefined);
    }
  }
  unwatch();
  return { end, text, counts: disk.counts, hit: disk.hit() };
}

/** Tells when a call of the real disk is under way: time must not pass meanwhile. */
function counted(files: Files, busy: { calls: number }): Files {
  return new Proxy(files, {
    get(target, name: keyof Files) {
      const method = target[name] as (...args: unknown[]) => unknown;
      if (name === 'watch') return method;
      return async (...args: unknown[]) => {
        busy.calls += 1;
        try {
          return await method.apply(target, args);
        } finally {
          busy.calls -= 1;
        }
      };
    },
  });
}

/** Lets the clock run, a tenth of a second at a time, whenever nothing else is under way. */
async function passTime<T>(promise: Promise<T>, clock: FakeClock, busy: { readonly calls: number }): Promise<T> {
  let isOver = false;
  promise.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const endMs = clock.monotonicMs() + longestMs;
  while (!isOver) {
    for (let quiet = 0; quiet < 4; quiet = busy.calls === 0 ? quiet + 1 : 0) await new Promise((resolve) => setImmediate(resolve));
    if (clock.monotonicMs() > endMs) throw new Error('The campaign never settles.');
    if (!isOver) await clock.advance(100);
  }
  return promise;
}

function readLines(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter((line) => line !== '') : [];
}

export interface FaultTally {
  tried: number;
  wentOn: number;
  saidSo: number;
  lost: number;
  repaired: number;
}

/** One campaign with one failing call, and all that must hold afterwards; gives what is wrong, one line each. */
export async function tryFault(fault: Fault | Outage, reference: readonly TrialRecord[], tally: FaultTally): Promise<readonly string[]> {
  const paper = await makePaper();
  const wrong: string[] = [];
  tally.tried += 1;
  const first = await paper.run(fault);
  const about = `${isOutage(fault) ? 'outage from write' : fault.kind} ${fault.nth} ${fault.code} on ${first.hit?.slice(first.hit.indexOf('.rlxp')) ?? 'nothing'}`;
  if (first.end === 'hung' || first.end === 'fault') wrong.push(`${about}: ${first.end}: ${first.text}`);
  else if (first.end === 'completed') tally.wentOn += 1;
  else {
    tally.saidSo += 1;
    if (first.text === '') wrong.push(`${about}: ended as ${first.end} without a word`);
  }
  const before = paper.records();
  wrong.push(...paper.temps().map((name) => `${about}: left ${name}`));
  const { state, findings } = await paper.check();
  if (state === 'broken') {
    await paper.repair();
    tally.repaired += 1;
    const after = await paper.check();
    const told = findings.filter((one) => one.severity === 'broken').map((one) => `${one.file}:${one.line ?? ''} ${one.message}`).join('; ');
    if (after.state === 'broken') wrong.push(`${about}: broken and not repairable: ${told}`);
    else if (paper.records().length < before.length) wrong.push(`${about}: the repair lost records: ${told}`);
  }
  // Whatever it did: going on gives what an undisturbed run gives, and repeats nothing that was settled.
  const second = first.end === 'completed' && state !== 'broken' ? first : await paper.run(null);
  if (second.end !== 'completed') wrong.push(`${about}: going on ended as ${second.end}: ${second.text}`);
  const records = paper.records();
  if (JSON.stringify(records.slice(0, before.length)) !== JSON.stringify(before)) wrong.push(`${about}: records changed or went`);
  try {
    expect(comparableRecords(records)).toEqual(comparableRecords(reference));
  } catch (error) {
    wrong.push(`${about}: ${error instanceof Error ? error.message.split('\n')[0] : 'other records'}`);
  }
  const end = await paper.check();
  wrong.push(...end.findings.filter((one) => one.severity !== 'ok').map((one) => `${about}: at the end ${one.severity} ${one.file}:${one.line ?? ''} ${one.message}`));
  if (wrong.length > 0) tally.lost += 1;
  paper.remove();
  return wrong;
}
