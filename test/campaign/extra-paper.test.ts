// Extra trials of a campaign on paper: what they are, what they never touch, and what the check says of them.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { extraRules, planExtra, resolveExtra } from '../../src-main/core/campaign/extra-trial.ts';
import { studyFromApproved } from '../../src-main/core/study/assemble-study.ts';
import type { LoadedStudy } from '../../src-main/core/study/loaded-study.ts';
import { approvedFile } from '../../src-protocol/files/approval.ts';
import { campaignProcess } from '../../src-protocol/files/event.ts';
import { extraWish, type ExtraWish } from '../../src-protocol/files/extra.ts';
import type { OutputOf } from '../../src-protocol/index.ts';
import { stringifyWire } from '../../src-protocol/number.ts';
import { eventLine } from '../../src-protocol/files/event.ts';
import { makePaper, type Paper } from './paper-campaign.ts';

type Extra = OutputOf<'trial_extra'>;
type Report = OutputOf<'report_show'>;

let paper: Paper;
const at = (name: string) => join(paper.root, '.rlxp/runs/quick', name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const ask = (input: object) => paper.call<Extra>('trial_extra', { study: 'quick', dry_run: true, ...input });
const studyNow = (): LoadedStudy => studyFromApproved(approvedFile.parse(JSON.parse(read('approved.json'))), paper.root);
const all = () => readdirSync(join(paper.root, '.rlxp'), { recursive: true, encoding: 'utf8' }).sort().map((name) => name);

/** How the campaign stands before an extra trial. */
function stood(): ExtraWish['stood'] {
  const { status, text } = campaignProcess.parse(JSON.parse(read('campaign.json')));
  return status === 'running' || status === 'paused' ? null : { status, text };
}

/** As the tool leaves it for the background process, which here is this one. */
async function runExtra(wish: Partial<ExtraWish> & Pick<ExtraWish, 'candidate'>) {
  writeFileSync(at('extra.json'), JSON.stringify(extraWish.parse({ timesteps: 1500, seed: 42, repeat: 0, full: false, by: 'tester', at: '2026-01-01T00:00:00.000Z', stood: stood(), ...wish })));
  return paper.run(null);
}

beforeEach(async () => {
  paper = await makePaper();
  expect((await paper.run(null)).end).toBe('completed');
});

describe('an extra trial', () => {
  it('EX1: EX2: EX7: is trained and evaluated beside a finished campaign, told in the report, and leaves all else as it stood', async () => {
    const before = { records: paper.records(), verdict: read('verdict.json'), winner: read('winner.json'), manifest: read('manifest.json'), standing: campaignProcess.parse(JSON.parse(read('campaign.json'))), shown: await paper.call<Report>('report_show', { study: 'quick' }) };
    const { end, text } = await runExtra({ candidate: 'fast', timesteps: 4000, seed: 7 });
    expect([end, text]).toEqual(['completed', expect.stringMatching(/^extra-fast-s7 completed: finished; score/)]);
    const records = paper.records();
    expect(records.slice(0, -1)).toEqual(before.records);
    const planned = planExtra(studyNow(), { candidate: 'fast', timesteps: 4000, seed: 7, repeat: 0, full: false });
    expect(records.at(-1)).toMatchObject({ stage: 'extra', candidate: 'fast', seed: 7, timesteps: 4000, steps: 4000, status: 'completed', identity: planned.identity, settings_digest: planned.settingsDigest, evaluation: { valid: true } });
    expect(existsSync(at('extra.json'))).toBe(false);

    expect([read('verdict.json'), read('winner.json'), read('manifest.json')]).toEqual([before.verdict, before.winner, before.manifest]);
    const shown = await paper.call<Report>('report_show', { study: 'quick' });
    expect([shown.verdict, shown.ranking, shown.causes]).toEqual([before.shown.verdict, before.shown.ranking, before.shown.causes]);
    const standing = campaignProcess.parse(JSON.parse(read('campaign.json')));
    expect(standing).toMatchObject({ status: 'completed', text: before.standing.text, trials_done: before.standing.trials_done, trials_planned: before.standing.trials_planned, running: [] });
    expect(standing.spent_s).toBeGreaterThan(before.standing.spent_s);
    const extra = read('report.md').split('## Extra trials')[1]?.split('\n## ')[0] ?? '';
    expect(extra).toContain('extra-fast-s7');
    expect(readFileSync(join(paper.root, '.rlxp/report.md'), 'utf8')).toBe(read('report.md'));

    const { trials } = await paper.call<OutputOf<'trial_list'>>('trial_list', { study: 'quick' });
    expect(trials.map((one) => one.folder)).toContain('extra-fast-s7');
    const events = read('events.jsonl').trimEnd().split('\n').map((line) => eventLine.parse(JSON.parse(line)).event);
    expect(events.filter((event) => event.kind === 'verdict')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ kind: 'campaign_ended', status: 'completed' });
    const { lines } = await paper.call<OutputOf<'ledger_show'>>('ledger_show', { last: 3 });
    expect(lines.map((line) => [line.kind, line.facts['extra'] ?? null])).toEqual([['campaign_started', 'fast'], ['device_seconds_spent', null], ['campaign_ended', null]]);
  });

  it('EX2: no ranking, verdict, winner or estimate reads one, whatever it says', async () => {
    const journal = read('trials.jsonl');
    const [first] = paper.records();
    if (first === undefined) throw new Error('there are no records');
    const before = await paper.call<Report>('report_show', { study: 'quick' });
    const planned = await ask({ candidate: 'fast', seed: 99 });
    const estimate = planned.state === 'planned' ? planned.plan.estimate_s : null;
    const record = fc.record({
      candidate: fc.constantFrom('baseline', 'fast'),
      seed: fc.constantFrom(42, 43, 1000),
      timesteps: fc.constantFrom(1000, 2000, 9000),
      score: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      status: fc.constantFrom('completed' as const, 'plateau' as const, 'failed' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 4 }), async (wishes) => {
        const made = wishes.map((wish, index) => {
          const { identity, settingsDigest } = planExtra(studyNow(), { candidate: wish.candidate, timesteps: wish.timesteps, seed: wish.seed, repeat: 0, full: false });
          const { score, status, ...rest } = wish;
          const evaluation = first.evaluation === null ? null : { ...first.evaluation, score };
          const reason = { ...first.reason, cause: status === 'failed' ? ('own' as const) : null };
          return { ...first, ...rest, stage: 'extra' as const, status, reason, evaluation, identity, settings_digest: settingsDigest, train_reward_final: score, wall_s: 500, folder: `extra-${wish.candidate}-s${wish.seed}-a${index}`, seq: paper.records().length + index };
        });
        appendFileSync(at('trials.jsonl'), `${made.map((one) => stringifyWire(one)).join('\n')}\n`);
        const shown = await paper.call<Report>('report_show', { study: 'quick' });
        const again = await ask({ candidate: 'fast', seed: 99 });
        const rebuilt = await paper.call<OutputOf<'report_rebuild'>>('report_rebuild', { study: 'quick' });
        writeFileSync(at('trials.jsonl'), journal);
        expect([shown.verdict, shown.ranking, shown.causes]).toEqual([before.verdict, before.ranking, before.causes]);
        expect(again.state === 'planned' ? again.plan.estimate_s : null).toBe(estimate);
        expect(rebuilt.kind).toBe('concluded');
        expect(rebuilt.files.filter(({ file }) => !file.endsWith('report.md')).map(({ before: how }) => how)).toEqual(['equal', 'equal']);
      }),
      { numRuns: 15 },
    );
  });

  it('EX3: a plateau ends it, by refine\'s rule or the defaults; in full, and once more after a plateau, it has none', () => {
    const study = studyNow();
    expect(extraRules(study, { full: false }).plateau).toEqual({ after_frac: 0.5, window_frac: 0.3, min_improve: 0.04 });
    const own = { after_frac: 0.1, window_frac: 0.2, min_improve: 0.3 };
    const withRule = { stages: { ...study.stages, refine: { ...study.stages.refine, monitor: { ...study.stages.refine.monitor, plateau: own } } } };
    expect(extraRules(withRule, { full: false }).plateau).toEqual(own);
    expect(extraRules(withRule, { full: true }).plateau).toBeUndefined();

    const [first] = paper.records();
    if (first === undefined) throw new Error('there are no records');
    const wish = { candidate: 'fast', full: true };
    const plain = resolveExtra(study, paper.records(), wish);
    expect(plain).toEqual({ candidate: 'fast', timesteps: 2000, seed: 42, repeat: 0, full: true });
    const settled = (status: 'completed' | 'plateau') => ({ ...first, stage: 'extra' as const, identity: planExtra(study, plain).identity, status });
    expect(resolveExtra(study, [settled('completed')], wish).repeat).toBe(0);
    expect(resolveExtra(study, [settled('plateau')], wish).repeat).toBe(1);
    expect(resolveExtra(study, [settled('plateau')], { ...wish, full: false }).repeat).toBe(0);
    expect(planExtra(study, { ...plain, repeat: 1 }).identity).not.toBe(planExtra(study, plain).identity);
  });

  it('EX4: a dry run says exactly what then runs, and writes nothing', async () => {
    const before = all();
    const planned = await ask({ candidate: 'fast', timesteps: 3000, seed: 5 });
    expect(all()).toEqual(before);
    if (planned.state !== 'planned') throw new Error(planned.state);
    const { plan } = planned;
    expect(planned.trial).toBe('extra-fast-s5');
    expect(plan).toMatchObject({ candidate: 'fast', timesteps: 3000, seed: 5, device: 'cpu', max_trial_s: 30, budget_s: 3600, kept_s: 0, plateau: { after_frac: 0.5 }, folder: at('trials/extra-fast-s5') });
    expect(plan.changes).toEqual(['agent_cfg.agent.learning_rate: 0.0003 -> 0.004']);
    expect(plan.train.join(' ')).toMatch(/train\.js .*trials\/extra-fast-s5\/trial\.json/);
    expect(plan.evaluate.join(' ')).toMatch(/evaluate\.js .*trials\/extra-fast-s5\/trial\.json/);
    expect((await ask({ candidate: 'fast', full: true })).state === 'planned' && (await ask({ candidate: 'fast', full: true }))).toMatchObject({ plan: { plateau: null, timesteps: 2000, seed: 42 } });
    await runExtra({ candidate: 'fast', timesteps: 3000, seed: 5 });
    const record = paper.records().at(-1);
    expect(record).toMatchObject({ folder: planned.trial, identity: plan.identity, settings: plan.settings });
    const manifest = JSON.parse(read(`trials/${planned.trial}/manifest.json`)) as { argv: readonly string[]; seeds: { trial: number } };
    expect([manifest.argv, manifest.seeds.trial]).toEqual([plan.train, 5]);
  });

  it('EX5: another candidate, and a study whose approval does not hold, are refused', async () => {
    await expect(ask({ candidate: 'fasst' })).rejects.toThrow(/not_found.*Did you mean fast\?/);
    writeFileSync(at('approval.json'), read('approval.json').replace('"by": "tester"', '"by": "somebody"'));
    await expect(ask({ candidate: 'fast' })).rejects.toThrow(/approval_lapsed/);
    await expect(runExtra({ candidate: 'fast' })).resolves.toMatchObject({ end: 'refused' });
    expect(paper.records().some((record) => record.stage === 'extra')).toBe(false);
  });

  it('EX6: what is spent and, before a conclusion, what verify needs are kept out of it', async () => {
    const spend = (spentS: number) => writeFileSync(at('campaign.json'), read('campaign.json').replace(/"spent_s":[\d.]+/, `"spent_s":${spentS}`));
    spend(3580);
    expect((await ask({ candidate: 'fast', seed: 6 })).state).toBe('planned');
    spend(3600);
    await expect(ask({ candidate: 'fast', seed: 6 })).rejects.toThrow(/over_budget.*the budget of 1 h 00 min is used up/);
    expect(await runExtra({ candidate: 'fast', seed: 6 })).toMatchObject({ end: 'stopped', text: expect.stringContaining('is used up') as string });
    expect(paper.records().some((record) => record.stage === 'extra')).toBe(false);
    expect(campaignProcess.parse(JSON.parse(read('campaign.json'))).status).toBe('completed');

    // The repeat of verify is still to come: its time is kept.
    writeFileSync(at('trials.jsonl'), `${read('trials.jsonl').split('\n').slice(0, -2).join('\n')}\n`);
    spend(1);
    const planned = await ask({ candidate: 'fast', seed: 6 });
    expect(planned.state === 'planned' && planned.plan.kept_s > 0).toBe(true);
  });

  it('EX8: a settled one is shown and never run again; one that was cut off runs in a new attempt', async () => {
    await runExtra({ candidate: 'fast', seed: 8 });
    const again = await ask({ candidate: 'fast', seed: 8, timesteps: 1500, dry_run: false });
    expect(again).toMatchObject({ state: 'finished', trial: 'extra-fast-s8', record: { status: 'completed' } });
    // The same name with another length is another trial, in a folder of its own.
    await runExtra({ candidate: 'fast', seed: 8, timesteps: 1600 });
    expect(paper.records().slice(-2).map((record) => [record.folder, record.timesteps])).toEqual([['extra-fast-s8', 1500], ['extra-fast-s8-a1', 1600]]);
    // What a killed process left: the folder, and no record.
    writeFileSync(at('trials.jsonl'), `${read('trials.jsonl').split('\n').slice(0, -2).join('\n')}\n`);
    expect(await runExtra({ candidate: 'fast', seed: 8, timesteps: 1600 })).toMatchObject({ end: 'completed' });
    expect(paper.records().at(-1)).toMatchObject({ folder: 'extra-fast-s8-a2', timesteps: 1600, attempt: 2 });
  });

  it('EX9: a study with extra trials checks clean; one that nobody finished is a warning, and a forged one is broken', async () => {
    await runExtra({ candidate: 'fast', seed: 9 });
    await runExtra({ candidate: 'baseline', seed: 9, timesteps: 500 });
    const clean = await paper.check();
    expect(clean.findings.filter((one) => one.severity !== 'ok')).toEqual([]);
    expect((await paper.call<OutputOf<'report_rebuild'>>('report_rebuild', { study: 'quick' })).files.map((one) => one.before)).toEqual(['equal', 'equal', 'equal']);
    writeFileSync(at('extra.json'), '{}');
    expect((await paper.check()).findings.map((one) => [one.severity, one.file.split('/').at(-1)])).toContainEqual(['warning', 'extra.json']);
    writeFileSync(at('trials.jsonl'), read('trials.jsonl').replace('"timesteps":500', '"timesteps":501'));
    const forged = await paper.check();
    expect(forged.findings.some((one) => one.severity === 'broken' && /identity differs/.test(one.message))).toBe(true);
  });

  it('EX2: EX8: a campaign that is not concluded goes on afterwards as if nothing had been', async () => {
    const whole = paper.records();
    const other = await makePaper();
    const [run, records] = [join(other.root, '.rlxp/runs/quick'), () => other.records()];
    writeFileSync(join(run, 'extra.json'), JSON.stringify({ candidate: 'fast', timesteps: 1500, seed: 42, repeat: 0, full: false, by: 'tester', at: '2026-01-01T00:00:00.000Z', stood: null }));
    expect((await other.run(null)).end).toBe('completed');
    expect(records().map((one) => one.stage)).toEqual(['extra']);
    expect(campaignProcess.parse(JSON.parse(readFileSync(join(run, 'campaign.json'), 'utf8')))).toMatchObject({ status: 'stopped', trials_done: 0 });
    expect((await other.run(null)).end).toBe('completed');
    expect(records().slice(1).map((one) => [one.identity, one.evaluation])).toEqual(whole.map((one) => [one.identity, one.evaluation]));
    const verdict = (root: string) => readFileSync(join(root, '.rlxp/runs/quick/verdict.json'), 'utf8');
    expect(verdict(other.root)).toBe(verdict(paper.root));
    other.remove();
  });
});
