// One short campaign with a candidate that diverges and one that hangs, from approval to verdict: what it says and leaves behind.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeMetricTail } from '../../src-main/core/metrics/metric-tail.ts';
import type { MetricPoint } from '../../src-main/core/metrics/metric-point.ts';
import { adapterFile } from '../../src-protocol/files/adapter.ts';
import { campaignProcess } from '../../src-protocol/files/event.ts';
import { manifestFile } from '../../src-protocol/files/manifest.ts';
import { verdictFile, winnerFile } from '../../src-protocol/files/verdict.ts';
import type { ProcessIdentity } from '../../src-main/ports.ts';
import { until } from '../adapters/support/wait.ts';
import { aliveOf, approvedProject, eventsOf, exampleEnv, ground, must, ports, recordsOf, refused, startDirect, study, tryRead, type Project } from './project.ts';
import { diverges, fast, hangs, studyText } from './studies.ts';

/** Tells when it was asked to end; a hung one cannot. */
const signals = join(ground, 'signals.txt');
const env = `import { appendFileSync } from 'node:fs';\nprocess.on('SIGINT', () => appendFileSync(${JSON.stringify(signals)}, process.argv[2] + ' ' + Date.now() + '\\n'));\n${exampleEnv}`;
const hangS = 2;
const graceS = 0.3;

let project: Project;
let code: number | null;
const seen = new Map<string, ProcessIdentity>();

beforeAll(async () => {
  project = await approvedProject('finished', { env, study: studyText({ candidates: [fast, diverges, hangs] }) });
  const direct = startDirect(project);
  const own = await until('the campaign process', () => ports.processes.identify(direct.child.pid ?? 0));
  seen.set('campaign', own);
  let isOver = false;
  void direct.exit.then((ended) => {
    code = ended;
    isOver = true;
  });
  await until('the end of the campaign', async () => {
    for (const { identity, tag } of await aliveOf(project)) seen.set(`${tag} ${identity.pid}`, identity);
    return isOver;
  }, 90_000);
}, 100_000);

const read = (name: string): unknown => JSON.parse(readFileSync(join(project.run, name), 'utf8'));

describe('a finished campaign', () => {
  it('CA2: CA4: CA6: trains noise, screen, refine and verify as planned, and says how each trial ended', () => {
    expect(code).toBe(0);
    const records = recordsOf(project);
    const verdict = verdictFile.parse(read('verdict.json'));
    const winner = verdict.winner ?? '';
    const told = records.map((one) => `${one.stage} ${one.candidate}${one.repeat === 0 ? '' : ' again'}: ${one.status}${one.rule === null ? '' : ` by ${one.rule}`}`);
    expect(told.filter((line) => line.startsWith('noise')).sort()).toEqual(['noise baseline again: completed', 'noise baseline: completed', 'noise baseline: completed']);
    expect(told.filter((line) => line.startsWith('screen')).sort()).toEqual(['screen baseline: completed', 'screen diverges: failed by nan', 'screen hangs: failed by hung', 'screen lr-high: completed']);
    expect(told.filter((line) => line.startsWith('refine')).sort()).toEqual(['refine baseline: completed', 'refine lr-high: completed']);
    const pairs = winner === 'baseline' ? 0 : verdict.plan.used;
    expect(told.filter((line) => line.startsWith('verify'))).toHaveLength(1 + 2 * pairs);
    for (const record of records.filter((one) => one.status === 'failed')) expect(record.reason.cause, record.folder).toBe('own');
    expect(records.find((one) => one.candidate === 'diverges')).toMatchObject({ reason: { code: 'nan', step: 1536 }, evaluation: null });
  });

  it('CA11: every line of trials.jsonl is a record with its place, and no identity stands twice', () => {
    const records = recordsOf(project);
    expect(records.map((one) => one.seq)).toEqual(records.map((_, index) => index));
    expect(new Set(records.map((one) => one.identity)).size).toBe(records.length);
    for (const record of records) expect(existsSync(join(project.run, 'trials', record.folder, 'trial.json')), record.folder).toBe(true);
  });

  it('CA28: verdict, winner and report agree with the records', async () => {
    const verdict = verdictFile.parse(read('verdict.json'));
    const records = recordsOf(project);
    const shown = await must<{ verdict: unknown; markdown: string; ranking: readonly { candidate: string }[] }>('report_show', { root: project.root, study });
    expect(verdictFile.parse(shown.verdict)).toEqual(verdict);
    const winner = winnerFile.parse(read('winner.json'));
    expect(winner.name).toBe(verdict.winner);
    const scoreOf = (stage: string, candidate: string, seed: number) => records.find((one) => one.stage === stage && one.candidate === candidate && one.seed === seed)?.evaluation?.score;
    expect(winner.refine_score).toBe(scoreOf('refine', winner.name, 42));
    expect(winner.verify_score).toBe(scoreOf('verify', winner.name, 42));
    expect(winner.reproduced).toBe(true);
    expect(winner.determinism_class).toBe('bit-identical');
    for (const pair of verdict.pairs) {
      expect(pair.winner).toBe(scoreOf('verify', winner.name, pair.seed));
      expect(pair.baseline).toBe(scoreOf('verify', 'baseline', pair.seed));
    }
    const report = tryRead(join(project.run, 'report.md'));
    expect(report).toBe(tryRead(join(project.root, '.rlxp/report.md')));
    expect(report).toContain(verdict.headline);
    for (const record of records) expect(report).toContain(record.folder);
    for (const row of shown.ranking) expect(report).toContain(row.candidate);
    expect(shown.markdown.split('## Provenance')[0]).toBe(report.split('## Provenance')[0]);
  });

  it('CA9: fresh seeds repeat no seed that was used before', () => {
    const before = new Set(recordsOf(project).filter((one) => one.stage !== 'verify').map((one) => one.seed));
    const fresh = verdictFile.parse(read('verdict.json')).pairs.map((one) => one.seed);
    for (const seed of fresh) expect(before.has(seed)).toBe(false);
    expect(new Set(fresh).size).toBe(fresh.length);
  });

  it('CA30: start, device time, verdict and end are lines of a ledger that holds', async () => {
    const { lines } = await must<{ lines: readonly { kind: string; study: string | null; facts: Record<string, unknown> }[] }>('ledger_show', { root: project.root, last: 50 });
    expect(lines.filter((line) => line.study === study).map((line) => line.kind)).toEqual(['experiment_approved', 'campaign_started', 'device_seconds_spent', 'verdict', 'campaign_ended']);
    expect(await must('ledger_verify', { root: project.root })).toMatchObject({ intact: true, seal: 'valid', problems: [] });
    const spent = Number(lines.find((line) => line.kind === 'device_seconds_spent')?.facts['seconds']);
    const walls = recordsOf(project).map((one) => one.wall_s);
    // CA17: a union of intervals: no less than the longest, and less than their sum where two ran at once.
    expect(spent).toBeGreaterThan(Math.max(...walls));
    expect(spent).toBeLessThan(walls.reduce((sum, one) => sum + one, 0));
  });

  it('tells events in order and narrates them', () => {
    const events = eventsOf(project);
    expect(events.map((one) => one.seq)).toEqual(events.map((_, index) => index));
    for (const [index, event] of events.entries()) expect(event.mono_ms).toBeGreaterThanOrEqual(events[index - 1]?.mono_ms ?? 0);
    const kinds = events.map((one) => one.event.kind);
    expect(kinds[0]).toBe('campaign_started');
    expect(kinds.slice(-2)).toEqual(['verdict', 'campaign_ended']);
    for (const kind of ['self_test', 'ranked', 'winner_picked'] as const) expect(kinds).toContain(kind);
    const ends = events.flatMap(({ event }) => (event.kind === 'trial_ended' ? [event.trial.folder] : []));
    expect([...ends].sort()).toEqual(recordsOf(project).map((one) => one.folder).sort());
    const log = tryRead(join(project.run, 'campaign.log')).trimEnd().split('\n');
    expect(log).toHaveLength(events.length);
    for (const line of log) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}\S/);
    expect(log.at(-1)).toContain('campaign completed:');
  });

  it('finishes its manifest, its status and those of its trials', () => {
    expect(manifestFile.parse(read('manifest.json'))).toMatchObject({ status: 'completed', error: null });
    const status = campaignProcess.parse(read('campaign.json'));
    expect(status).toMatchObject({ status: 'completed', running: [], eta_s: 0, stage: null, trials_done: recordsOf(project).length, trials_planned: recordsOf(project).length });
    for (const record of recordsOf(project)) {
      const manifest = manifestFile.parse(JSON.parse(tryRead(join(project.run, 'trials', record.folder, 'manifest.json'))));
      expect(manifest.status, record.folder).toBe(record.status === 'failed' ? 'failed' : 'completed');
    }
    expect(readdirSync(project.run).filter((name) => name.startsWith('.') || name.endsWith('.tmp'))).toEqual([]);
  });

  it('leaves no process of its tree behind', async () => {
    expect(seen.size).toBeGreaterThan(10);
    for (const [name, identity] of seen) expect(await ports.processes.isAlive(identity), name).toBe(false);
    expect(await aliveOf(project)).toEqual([]);
    expect(await ports.locks.holder(project.root)).toBeNull();
  });

  it('CA26: run again it shows its verdict and trains nothing', async () => {
    const before = recordsOf(project).length;
    const again = await must<{ state: string; verdict: { word: string } }>('campaign_run', { root: project.root, study });
    expect(again).toMatchObject({ state: 'finished', verdict: { word: verdictFile.parse(read('verdict.json')).word } });
    expect(recordsOf(project)).toHaveLength(before);
  });

  it('CA26: an edited study is told, and a refused --fresh moves nothing', async () => {
    const { root, run } = project;
    const path = join(root, '.rlxp/studies', `${study}.yaml`);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace('seed: 42', 'seed: 43'));
    const finished = await must<{ changes: string[] }>('campaign_run', { root, study });
    expect(finished.changes.join()).toContain('42');
    expect(await must('approval_check', { root, study })).toMatchObject({ state: 'valid', differences: [{ approved: '42', now: '43' }] });
    expect(await refused('campaign_run', { root, study, fresh: true })).toMatchObject({ code: 'approval_lapsed', next: expect.stringContaining('rlxp approve quick --fresh') as string });
    expect(existsSync(join(run, 'verdict.json'))).toBe(true);
    writeFileSync(path, before);
    expect(await must('approval_check', { root, study })).toMatchObject({ state: 'valid', differences: [] });
  });

  it('CA13: records or a status of a newer program stop a finished study too', async () => {
    const { root, run } = project;
    for (const name of ['trials.jsonl', 'campaign.json']) {
      const path = join(run, name);
      const before = readFileSync(path, 'utf8');
      writeFileSync(path, before.replace('"schema":1', '"schema":99'));
      expect(await refused('campaign_run', { root, study }), name).toMatchObject({ code: 'newer_schema' });
      writeFileSync(path, before);
    }
  });

  it('CA16: freed slots are filled at once, and idle time is small', () => {
    const gaps = slotGaps();
    const sorted = [...gaps].sort((a, b) => a - b);
    const median = sorted[sorted.length >> 1] ?? NaN;
    const { idle_share: share } = campaignProcess.parse(read('campaign.json'));
    const events = eventsOf(project);
    const wall = (events.at(-1)?.mono_ms ?? NaN) - (events[0]?.mono_ms ?? NaN);
    const measured = gaps.reduce((sum, one) => sum + one, 0) / (2 * wall);
    console.log(`freed slot filled: median ${median} ms, longest ${sorted.at(-1)} ms of ${gaps.length}; idle share ${(100 * share).toFixed(2)} % by its own account, ${(100 * measured).toFixed(2)} % by its events`);
    // The bars are 200 ms and 3 %, for longer trials than these.
    expect(median).toBeLessThan(400 * crowd());
    expect(share).toBeLessThan(0.06 * crowd());
    expect(share).toBeLessThan(measured * 2 + 0.01);
  });

  it('ends what diverged within a second of the NaN, and what hung within hang_s and a second', async () => {
    const diverged = await pointsOf('screen-diverges-s42');
    const bad = diverged.find((point) => point.mapped?.meaning === 'reward' && !Number.isFinite(point.value));
    const asked = tryRead(signals).split('\n').find((line) => line.includes('screen-diverges-s42'));
    const afterNanMs = Number(asked?.split(' ').at(-1)) - 1000 * (bad?.wallTimeS ?? NaN);
    const hung = await pointsOf('screen-hangs-s42');
    const ended = eventsOf(project).find(({ event }) => event.kind === 'trial_ended' && event.trial.candidate === 'hangs');
    const afterLastMs = Date.parse(ended?.at ?? '') - 1000 * Math.max(...hung.map((point) => point.wallTimeS));
    console.log(`NaN logged to signal received: ${afterNanMs.toFixed(0)} ms; last event of the hung one to its record: ${afterLastMs.toFixed(0)} ms with hang_s ${hangS} and grace_s ${graceS}`);
    expect(afterNanMs).toBeLessThan(1000 * crowd());
    expect(afterLastMs).toBeLessThan(1000 * (hangS + 2 * graceS) + 1500 * crowd());
  });
});

/** How many want each core: what runs beside a test must not make its times fail. */
function crowd(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

/** Milliseconds from the end of a trial to the start of the next process in its slot, within one batch. */
function slotGaps(): readonly number[] {
  const freed = new Map<number, number>();
  const gaps: number[] = [];
  for (const { event, mono_ms } of eventsOf(project)) {
    if (event.kind === 'stage_started') freed.clear();
    if (event.kind === 'trial_ended') freed.set(event.slot, mono_ms);
    if (event.kind !== 'trial_started') continue;
    const since = freed.get(event.slot);
    if (since !== undefined) gaps.push(mono_ms - since);
    freed.delete(event.slot);
  }
  return gaps;
}

async function pointsOf(trial: string): Promise<readonly MetricPoint[]> {
  const adapter = adapterFile.parse({ framework: 'bundled', axis: 'step', metrics: { 'Reward / Total reward (mean)': { meaning: 'reward' } } });
  const points: MetricPoint[] = [];
  await makeMetricTail({ ...ports, folder: join(project.run, 'trials', trial), adapter }).read((some) => void points.push(...some));
  return points;
}
