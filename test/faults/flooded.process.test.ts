// Trainers that print a hundred megabytes, or ten without a line end, or no text at all: what it costs the campaign.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../adapters/support/wait.ts';
import { approvedProject, eventsOf, must, recordsOf, startDirect, statusOf, study, troubleAdapter, troubleTask, untilState } from '../campaign/project.ts';
import { studyText } from '../campaign/studies.ts';
import { floodBlock } from '../campaign/fixtures/flood.mjs';

const flood = (name: string, more: string) => `{ name: ${name}, env_cfg: { faults: { ${more} } } }`;
const mb = 1024 * 1024;

/** What the terminal makes of it: a line end becomes two characters. */
function expectedDigest(kind: string, megabytes: number): { readonly bytes: number; readonly sha256: string } {
  const block = Buffer.from(floodBlock(kind).toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  const hash = createHash('sha256');
  for (let part = 0; part < megabytes * 16; part += 1) hash.update(block);
  return { bytes: block.length * megabytes * 16, sha256: hash.digest('hex') };
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

describe('a campaign that is flooded', () => {
  it('MT40: MT41: keeps every byte and no memory, and still sees the rest', { timeout: 180_000 }, async (context) => {
    if (process.platform !== 'linux') return context.skip();
    const project = await approvedProject('flooded', {
      adapter: troubleAdapter,
      task: troubleTask,
      study: studyText({
        noise: 'off',
        verify: '{}',
        slots: 1,
        monitor: 'monitor: { startup_s: 60, hang_s: 3, grace_s: 0.3 }',
        candidates: [
          flood('lines', 'flood_mb: 100, points: 300, every_ms: 20'),
          flood('endless', 'flood_mb: 10, flood: endless, points: 80, every_ms: 20'),
          flood('garbage', 'flood_mb: 10, flood: garbage, points: 80, every_ms: 20'),
          flood('nan', 'flood_mb: 4000, nan_at: 1000'),
          flood('hang', 'flood_mb: 4000, hang_at: 1000'),
        ],
      }),
    });
    const direct = startDirect(project);
    const pid = direct.child.pid ?? 0;
    await until('the baseline to be trained', () => recordsOf(project).length > 0, 30_000);
    const before = residentBytes(pid);
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, direct.child.exitCode === null ? residentBytes(pid) : 0)), 50);
    let largestStatus = 0;
    try {
      await until('the flooded trials to end', async () => {
        largestStatus = Math.max(largestStatus, JSON.stringify(await statusOf(project)).length);
        return recordsOf(project).filter((one) => one.stage === 'screen').length === 6;
      }, 150_000);
    } finally {
      clearInterval(watch);
    }
    process.stdout.write(`memory of the campaign before and at most: ${Math.round(before / mb)} and ${Math.round(peak / mb)} MB\n`);
    expect(peak - before).toBeLessThan(60 * mb);

    for (const [name, megabytes] of [['lines', 100], ['endless', 10], ['garbage', 10]] as const) {
      const path = join(project.run, 'trials', `screen-${name}-s42`, 'console.log');
      const { bytes, sha256 } = expectedDigest(name, megabytes);
      expect(statSync(path).size, name).toBe(bytes);
      expect(createHash('sha256').update(readFileSync(path)).digest('hex'), name).toBe(sha256);
      expect(recordsOf(project).find((one) => one.candidate === name)).toMatchObject({ status: 'completed', evaluation: { valid: true } });
    }
    expect(recordsOf(project).find((one) => one.candidate === 'nan')).toMatchObject({ rule: 'nan', steps: 1229 });
    expect(recordsOf(project).find((one) => one.candidate === 'hang')).toMatchObject({ rule: 'hung' });
    const ended = eventsOf(project).filter(({ event }) => event.kind === 'trial_ended');
    const started = eventsOf(project).filter(({ event }) => event.kind === 'trial_started');
    const took = (name: string) => (ended.find(({ event }) => event.kind === 'trial_ended' && event.trial.candidate === name)?.mono_ms ?? Infinity) - (started.find(({ event }) => event.kind === 'trial_started' && event.trial.candidate === name)?.mono_ms ?? 0);
    process.stdout.write(`a NaN in a flood took ${Math.round(took('nan'))} ms from the start to the record, a hang of 3 s ${Math.round(took('hang'))} ms\n`);
    expect(took('nan')).toBeLessThan(15_000);
    expect(took('hang')).toBeLessThan(20_000);
    // What people are shown holds no console, however much was printed.
    expect(largestStatus).toBeLessThan(16 * 1024);
    expect(Math.max(...eventsOf(project).map((line) => JSON.stringify(line).length))).toBeLessThan(16 * 1024);
    await must('campaign_stop', { root: project.root, study }).catch(() => undefined);
    await direct.exit;
    await untilState(project, direct.child.exitCode === 0 ? 'completed' : 'stopped');
  });
});
