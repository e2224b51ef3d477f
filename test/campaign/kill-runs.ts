// Campaigns killed at seeded random instants, and what must hold afterwards: for the tests of this folder and of test/faults.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeRandom } from '../../src-main/core/statistics/random.ts';
import { isTerminal } from '../../src-main/core/campaign/search-plan.ts';
import type { CheckFinding } from '../../src-protocol/check.ts';
import { verdictFile } from '../../src-protocol/files/verdict.ts';
import { sleep, until } from '../adapters/support/wait.ts';
import { comparableRecords } from './comparable-records.ts';
import { aliveOf, approvedProject, exampleEnv, must, ports, recordsOf, runDirect, startDirect, startRun, statusOf, steer, study, tryRead, untilState, type Project } from './project.ts';
import { fast, studyText } from './studies.ts';

/** Its processes outlive the terminal that a killed campaign takes with it. */
export const killedOptions = { env: `process.on('SIGHUP', () => undefined);\n${exampleEnv}`, study: studyText({ noise: 'off', verify: '{ looks: [2] }', candidates: [fast] }) };

export interface Tally {
  tried: number;
  survived: number;
  /** Lines of trials.jsonl or of the ledger that were there before a kill and not after it. */
  linesLost: number;
  repeated: number;
  leftRunning: number;
  campaigns: number;
  orphansEnded: number;
  /** Findings of the check that were not mended by going on. */
  findings: number;
}

export const emptyTally = (): Tally => ({ tried: 0, survived: 0, linesLost: 0, repeated: 0, leftRunning: 0, campaigns: 0, orphansEnded: 0, findings: 0 });

export function tellTally(what: string, seed: number, tally: Tally): void {
  console.log(`${what} (seed ${seed}): tried ${tally.tried}, survived ${tally.survived}, lost ${tally.linesLost} lines; ${tally.campaigns} campaigns, ${tally.repeated} finished trials repeated, ${tally.orphansEnded} orphans ended, ${tally.leftRunning} left running, ${tally.findings} findings of the check at the end`);
}

export function chance(seed: number): () => number {
  const random = makeRandom(seed);
  return random.uniform;
}

const worse = (findings: readonly CheckFinding[]) => findings.filter((one) => one.severity !== 'ok');

export async function checkOf({ root }: Project): Promise<readonly CheckFinding[]> {
  return (await must<{ findings: readonly CheckFinding[] }>('repository_check', { root })).findings;
}

let whole: Project | null = null;

/** The run that nobody disturbed; trained once. */
export async function undisturbed(): Promise<Project> {
  if (whole !== null) return whole;
  whole = await approvedProject('undisturbed', killedOptions);
  expect((await runDirect(whole)).code).toBe(0);
  expect(await checkOf(whole)).toEqual([]);
  return whole;
}

/** Kills campaign processes until `kills` hit one that ran; up to `each` of them fall on one campaign. */
export async function killCampaigns(options: { readonly seed: number; readonly kills: number; readonly each: number; readonly longestMs: number }): Promise<Tally> {
  const tally = emptyTally();
  const next = chance(options.seed);
  const reference = await undisturbed();
  while (tally.tried < options.kills) {
    tally.campaigns += 1;
    const project = await approvedProject(`killed-${options.seed}-${tally.campaigns}`, killedOptions);
    for (let kill = 0; kill < options.each && tally.tried < options.kills; kill += 1) {
      const direct = startDirect(project);
      await Promise.race([sleep(next() * options.longestMs), direct.exit]);
      if (direct.child.exitCode !== null) break; // it was faster
      const before = { trials: wholeLines(join(project.run, 'trials.jsonl')), ledger: wholeLines(join(project.root, '.rlxp/ledger.jsonl')) };
      direct.child.kill('SIGKILL');
      await direct.exit;
      tally.tried += 1;
      tally.linesLost += lost(before.trials, wholeLines(join(project.run, 'trials.jsonl'))) + lost(before.ledger, wholeLines(join(project.root, '.rlxp/ledger.jsonl')));
      tally.orphansEnded += (await aliveOf(project)).length;
      // Whatever the instant: nothing is broken but the processes that the next start ends.
      const broken = (await checkOf(project)).filter((one) => one.severity === 'broken' && !one.message.includes('lives on without its campaign'));
      expect(broken, `after kill ${tally.tried}`).toEqual([]);
    }
    const seen = tally.tried;
    const { code, out } = await runDirect(project);
    expect(code, out).toBe(0);
    await expectSame(project, reference, tally);
    tally.survived = seen;
  }
  return tally;
}

/** Kills campaign processes under their babysitters, at most five times each: no more are started again within ten minutes. */
export async function killUnderBabysitter(options: { readonly seed: number; readonly kills: number; readonly longestMs: number }): Promise<Tally> {
  const tally = emptyTally();
  const next = chance(options.seed);
  const reference = await undisturbed();
  while (tally.tried < options.kills) {
    tally.campaigns += 1;
    const project = await approvedProject(`babysat-${options.seed}-${tally.campaigns}`, killedOptions);
    await startRun(project);
    for (let kill = 0; kill < 5 && tally.tried < options.kills; kill += 1) {
      await sleep(next() * options.longestMs);
      const victim = await until('a process, or the end', async () => {
        const { state, process: own } = await statusOf(project);
        return state === 'completed' ? 'ended' : own;
      }, 30_000);
      if (victim === 'ended') break;
      const before = { trials: wholeLines(join(project.run, 'trials.jsonl')), ledger: wholeLines(join(project.root, '.rlxp/ledger.jsonl')) };
      try {
        process.kill(victim.pid, 'SIGKILL');
      } catch {
        break; // it was faster
      }
      tally.tried += 1;
      tally.orphansEnded += (await aliveOf(project)).length;
      tally.linesLost += lost(before.trials, wholeLines(join(project.run, 'trials.jsonl'))) + lost(before.ledger, wholeLines(join(project.root, '.rlxp/ledger.jsonl')));
      await until('another process, or the end', async () => {
        const { state, process: own } = await statusOf(project);
        return state === 'completed' || (own !== null && own.pid !== victim.pid);
      }, 30_000);
    }
    await untilState(project, 'completed', 120_000);
    await expectSame(project, reference, tally);
    tally.survived = tally.tried;
  }
  return tally;
}

/** Kills single processes of trials while their campaign runs. */
export async function killTrials(options: { readonly seed: number; readonly kills: number; readonly each: number; readonly longestMs: number }): Promise<Tally> {
  const tally = emptyTally();
  const next = chance(options.seed);
  const reference = await undisturbed();
  while (tally.tried < options.kills) {
    tally.campaigns += 1;
    const project = await approvedProject(`trials-killed-${options.seed}-${tally.campaigns}`, killedOptions);
    const direct = startDirect(project);
    let isOver = false;
    void direct.exit.then(() => (isOver = true));
    // A machine that kills the same trial three times makes the campaign ask; here the answer is always to go on.
    const resuming = (async () => {
      while (!isOver) {
        const status = await statusOf(project).catch(() => null);
        if (status?.state === 'paused' && !isOver) await steer('campaign_resume', project).catch(() => undefined);
        await sleep(200);
      }
    })();
    for (let kill = 0; kill < options.each && tally.tried < options.kills && !isOver; ) {
      await Promise.race([sleep(next() * options.longestMs), direct.exit]);
      const alive = await aliveOf(project);
      const victim = alive[Math.floor(next() * alive.length)];
      if (victim === undefined || isOver) continue;
      try {
        process.kill(victim.identity.pid, 'SIGKILL');
      } catch {
        continue; // it went by itself
      }
      kill += 1;
      tally.tried += 1;
    }
    const code = await direct.exit;
    await resuming;
    expect(code, direct.out()).toBe(0);
    await expectSame(project, reference, tally, true);
    tally.survived = tally.tried;
  }
  return tally;
}

async function expectSame(project: Project, reference: Project, tally: Tally, isTrialKilled = false): Promise<void> {
  const records = recordsOf(project);
  // A trial killed after all its work counts, and truly exited badly (TR5).
  const told = isTrialKilled ? records.map((record) => ({ ...record, flags: record.flags.filter((flag) => flag !== 'dirty_exit') })) : records;
  expect(comparableRecords(told)).toEqual(comparableRecords(recordsOf(reference)));
  const [verdict, other] = [project, reference].map((one) => verdictFile.parse(JSON.parse(tryRead(join(one.run, 'verdict.json')))));
  expect(verdict).toEqual(other);
  const settled = records.filter(isTerminal);
  const folders = readdirSync(join(project.run, 'trials'));
  for (const record of settled) {
    const name = record.folder.replace(/-a\d+$/, '');
    const later = folders.filter((folder) => folder.replace(/-a\d+$/, '') === name && attemptOf(folder) > record.attempt);
    tally.repeated += later.length;
    expect(later, record.folder).toEqual([]);
  }
  expect(new Set(settled.map((one) => one.identity)).size).toBe(settled.length);
  const alive = await aliveOf(project);
  tally.leftRunning += alive.length;
  expect(alive).toEqual([]);
  await until('the lock to be free', async () => (await ports.locks.holder(project.root)) === null);
  const findings = worse(await checkOf(project));
  tally.findings += findings.length;
  expect(findings).toEqual([]);
  expect(await statusOf(project)).toMatchObject({ state: 'completed', study });
}

function attemptOf(folder: string): number {
  return Number(/-a(\d+)$/.exec(folder)?.[1] ?? 0);
}

function wholeLines(path: string): readonly string[] {
  return tryRead(path).split('\n').slice(0, -1);
}

function lost(before: readonly string[], after: readonly string[]): number {
  return before.filter((line, index) => after[index] !== line).length;
}
