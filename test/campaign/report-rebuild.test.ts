// The report of a whole campaign on paper, and its derivation from the records alone.
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { reportMarkdown } from '../../src-main/core/report/report-markdown.ts';
import { makePaper, type Paper } from './paper-campaign.ts';

interface Rebuilt {
  readonly kind: string;
  readonly files: readonly { readonly file: string; readonly before: string; readonly copy: string | null }[];
}

let paper: Paper;
const at = (name: string) => join(paper.root, '.rlxp/runs/quick', name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const top = () => join(paper.root, '.rlxp/report.md');
const rebuild = () => paper.call<Rebuilt>('report_rebuild', { study: 'quick' });
const befores = ({ files }: Rebuilt) => Object.fromEntries(files.map(({ file, before }) => [file.split('/').at(-1), before]));

beforeEach(async () => {
  paper = await makePaper();
  expect((await paper.run(null)).end).toBe('completed');
});

describe('report.md', () => {
  it('RE1: holds the verdict, the ranking, a row for each trial with every figure of its record, causes and provenance', () => {
    const report = read('report.md');
    for (const head of ['## Ranking', '## Why episodes end', '## What each candidate changes', '## Trials', '## Checks', '## Provenance']) expect(report).toContain(head);
    const section = report.split('## Trials')[1]?.split('\n## ')[0] ?? '';
    const [head = [], , ...rows] = section.split('\n').filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
    expect(head).toEqual(['trial', 'status', 'steps', 'minutes', 'lowest train reward', 'final train reward', 'eval return', 'success rate', 't90', 'score']);
    const records = paper.records();
    expect(rows).toHaveLength(records.length);
    for (const [index, record] of records.entries()) {
      const row = Object.fromEntries(head.map((name, column) => [name, rows[index]?.[column]]));
      expect(row).toMatchObject({ trial: record.folder, status: record.status, steps: String(record.steps), 'lowest train reward': String(record.train_reward_min), score: String(record.evaluation?.score) });
      expect(Number(row['final train reward'])).toBeCloseTo(Number(record.train_reward_final), 1);
      expect(Number(row['eval return'])).toBe(record.evaluation?.metrics['return']);
    }
  });
});

describe('extra trials in the report', () => {
  it('RE2: stand in a section of their own', () => {
    const [first, ...others] = paper.records();
    if (first === undefined) throw new Error('the campaign has no record');
    const extra = { ...first, stage: 'extra' as const, folder: 'extra-fast-s42' };
    const nothing = { ranking: [], causes: [], changes: {}, warnings: [], manifest: null };
    const report = (records: typeof others) => reportMarkdown({ study: 'quick', verdict: null, statusText: '', records, ...nothing, noiseText: '', selfTestText: '', approvalText: '', spentS: 1 });
    const withExtra = report([...others, extra]);
    expect(withExtra.split('## Trials')[1]?.split('\n## ')[0]).toBe(report(others).split('## Trials')[1]?.split('\n## ')[0]);
    expect(withExtra.split('## Extra trials')[1]?.split('\n## ')[0]).toContain('extra-fast-s42');
    expect(report(others)).not.toContain('Extra trials');
  });
});

describe('a rebuild', () => {
  it('RE3: finds what the campaign wrote equal, and touches nothing', async () => {
    const before = ['verdict.json', 'winner.json', 'report.md'].map(read);
    const rebuilt = await rebuild();
    expect(rebuilt).toMatchObject({ kind: 'concluded' });
    expect(befores(rebuilt)).toEqual({ 'verdict.json': 'equal', 'winner.json': 'equal', 'report.md': 'equal' });
    expect(rebuilt.files.every((one) => one.copy === null)).toBe(true);
    expect(['verdict.json', 'winner.json', 'report.md'].map(read)).toEqual(before);
  });

  it('RE3: writes what is missing or something else again from the records, with a copy, and the report on top with it', async () => {
    const whole = { verdict: read('verdict.json'), report: read('report.md') };
    writeFileSync(at('verdict.json'), whole.verdict.replace(/"rerun": [\d.]+/, '"rerun": 999'));
    rmSync(at('winner.json'));
    const forged = whole.report.replace('## Ranking', '## A better ranking');
    writeFileSync(at('report.md'), forged);
    writeFileSync(top(), forged);
    const rebuilt = await rebuild();
    expect(befores(rebuilt)).toEqual({ 'verdict.json': 'different', 'winner.json': 'missing', 'report.md': 'different' });
    expect(read('verdict.json')).toBe(whole.verdict);
    expect(read('report.md').split('## Provenance')[0]).toBe(whole.report.split('## Provenance')[0]);
    expect(readFileSync(top(), 'utf8')).toBe(read('report.md'));
    const copy = rebuilt.files.find(({ file }) => file.endsWith('verdict.json'))?.copy ?? '';
    expect(readFileSync(join(paper.root, copy), 'utf8')).toContain('"rerun": 999');
    expect((await paper.check()).state).not.toBe('broken');
  });

  it('CK4: RE3: holds the section on provenance to manifest and approval, the time spent aside', async () => {
    const whole = read('report.md');
    const with_ = async (from: RegExp, to: string) => {
      expect(whole).toMatch(from);
      writeFileSync(at('report.md'), whole.replace(from, to));
      writeFileSync(top(), whole.replace(from, to));
      const { findings } = await paper.check();
      return findings.filter((one) => one.file === '.rlxp/runs/quick/report.md').map(({ severity, message }) => `${severity}: ${message}`);
    };
    expect(await with_(/Device time: .* for/, 'Device time: 5 min 00 s for')).toEqual([]);
    for (const [from, to] of [[/- Machine: .*/, '- Machine: a better one'], [/- Approval: approved by \w+/, '- Approval: approved by somebody'], [/for \d+ trials/, 'for 99 trials'], [/$/, '- And more']] as const) {
      expect(await with_(from, to)).toEqual([expect.stringContaining('warning: Its section on provenance is not what manifest and approval say')]);
    }
    expect(befores(await rebuild())).toMatchObject({ 'report.md': 'different' });
    expect([read('report.md').split('Device time')[0], readFileSync(top(), 'utf8')]).toEqual([whole.split('Device time')[0], read('report.md')]);
    expect((await paper.check()).findings.filter((one) => one.file.endsWith('report.md'))).toEqual([]);
  });

  it('RE3: takes a verdict away that the records do not conclude, and keeps it in a copy', async () => {
    writeFileSync(at('trials.jsonl'), `${read('trials.jsonl').split('\n').slice(0, 2).join('\n')}\n`);
    const rebuilt = await rebuild();
    expect(rebuilt.kind).toBe('open');
    expect(befores(rebuilt)).toEqual({ 'verdict.json': 'unfounded', 'winner.json': 'unfounded', 'report.md': 'unfounded' });
    for (const { file, copy } of rebuilt.files) expect([existsSync(join(paper.root, file)), existsSync(join(paper.root, copy ?? ''))]).toEqual([false, true]);
  });

  it('RE4: is refused for records that cannot be trusted, and writes nothing', async () => {
    appendFileSync(at('trials.jsonl'), '{"schema":1}\n');
    rmSync(at('report.md'));
    await expect(rebuild()).rejects.toThrow(/damaged at line/);
    expect(existsSync(at('report.md'))).toBe(false);
  });
});
