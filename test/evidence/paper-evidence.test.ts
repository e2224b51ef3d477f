// Evidence of a whole campaign on paper: packed, verified, and tampered with in every way we could think of.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyEvidence } from '../../src-main/core/evidence/verify-evidence.ts';
import type { OutputOf } from '../../src-protocol/index.ts';
import { evidenceIndex } from '../../src-protocol/files/evidence-index.ts';
import { RefusalError } from '../../src-protocol/refusal.ts';
import { countingDisk, makePaper, type Paper } from '../campaign/paper-campaign.ts';
import { makeFakeFiles } from '../fakes/fake-files.ts';
import { makeFakeNode } from '../fakes/fake-small-ports.ts';
import { changeText, pack, textIn, unpack, type Contents } from './forging.ts';

type Packed = OutputOf<'evidence_pack'>;
type Verified = OutputOf<'evidence_verify'>;

let paper: Paper;
let packed: Packed;
let zip: Uint8Array;
let contents: Contents;
const records = 'runs/quick/trials.jsonl';
const at = (name: string) => join(paper.root, '.rlxp', name);

beforeAll(async () => {
  paper = await makePaper();
  expect((await paper.run(null)).end).toBe('completed');
  packed = await paper.call<Packed>('evidence_pack', { study: 'quick' });
  zip = readFileSync(packed.file);
  contents = unpack(zip);
}, 60_000);

/** On a machine that has nothing but the file. */
async function verify(bytes: Uint8Array): Promise<Verified> {
  const files = makeFakeFiles();
  files.plant('/elsewhere/e.zip', bytes);
  return verifyEvidence({ files, node: makeFakeNode() }, '/elsewhere/e.zip');
}

/** Why it is not taken for whole: the refusal's message, or the findings; null when it holds. */
async function whatIsWrong(bytes: Uint8Array): Promise<string | null> {
  try {
    const { state, findings } = await verify(bytes);
    return state === 'holds' ? null : `${state}: ${findings.map((one) => `${one.file}:${one.line ?? ''} ${one.message}`).join('; ')}`;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    expect(error.refusal.next).not.toBe('');
    return `${error.refusal.code}: ${error.refusal.message}`;
  }
}

describe('packing', () => {
  it('EV1: holds everything that a number rests on, and the index names each entry', () => {
    const folders = paper.records().map((record) => record.folder);
    const ofTrial = (folder: string) => ['trial.json', 'manifest.json', 'evaluation.json', 'logs/events.out.tfevents.1767225600.paper.1.0'].map((name) => `runs/quick/trials/${folder}/${name}`);
    const ofRun = ['study.yaml', 'approval.json', 'approved.json', 'manifest.json', 'campaign.json', 'events.jsonl', 'trials.jsonl', 'verdict.json', 'winner.json', 'report.md', 'selftest/result.json', 'selftest/random/evaluation.json', 'selftest/zero/trial.json'];
    const wanted = ['README.txt', 'index.json', 'ledger.jsonl', 'ledger.head.json', ...ofRun.map((name) => `runs/quick/${name}`), ...folders.flatMap(ofTrial)];
    expect([...contents.keys()]).toEqual(expect.arrayContaining(wanted));
    const index = evidenceIndex.parse(JSON.parse(textIn(contents, 'index.json')));
    expect(index.entries.map((entry) => entry.name)).toEqual([...contents.keys()].filter((name) => name !== 'index.json').sort());
    expect(index.program).toMatchObject({ name: 'rlxp-workbench' });
    expect([...contents.keys()].filter((name) => name.includes('checkpoints') || name.includes('snapshot'))).toEqual([]);
    expect(packed.left_out).toMatchObject([{ what: 'checkpoints' }]);
    expect(textIn(contents, 'README.txt')).toContain('rlxp evidence verify');
  });

  it('EV1: EV12: checkpoints come when asked for, and are held against their records', async () => {
    const whole = await paper.call<Packed>('evidence_pack', { study: 'quick', checkpoints: true, out: at('with.zip') });
    const inside = unpack(readFileSync(whole.file));
    const names = [...inside.keys()].filter((name) => name.includes('/checkpoints/'));
    expect(names).toHaveLength(paper.records().length);
    expect(whole.left_out).toEqual([]);
    expect((await verify(readFileSync(whole.file))).findings).toEqual([]);
    const [first = ''] = names;
    expect(await whatIsWrong(await pack(new Map([...inside, [first, Uint8Array.from([...(inside.get(first) ?? []), 1])]])))).toContain('not the checkpoint');
  });

  it('EV2: the same files give the same bytes', async () => {
    const again = await paper.call<Packed>('evidence_pack', { study: 'quick', out: at('again.zip') });
    expect(again.sha256).toBe(packed.sha256);
    expect(readFileSync(again.file).equals(zip)).toBe(true);
  });

  it('EV5: no folder of this machine is in what has no digest of its own', () => {
    const index = evidenceIndex.parse(JSON.parse(textIn(contents, 'index.json')));
    const held = [...contents.keys()].filter((name) => !name.includes('tfevents') && textIn(contents, name).includes(paper.root));
    expect(held).toEqual([]);
    expect(index.without_paths.length).toBeGreaterThan(paper.records().length);
    expect(textIn(contents, index.without_paths.find((name) => name.endsWith('/trial.json')) ?? '')).toContain('<repository>');
  });

  it('EV5: secrets are blotted out of texts and keep event files out, and both are named', async () => {
    const key = `sk-${'a1b2'.repeat(6)}`;
    const other = await makePaper();
    expect((await other.run(null)).end).toBe('completed');
    const run = (name: string) => join(other.root, '.rlxp/runs/quick', name);
    const folder = other.records()[0]?.folder ?? '';
    writeFileSync(run('events.jsonl'), readFileSync(run('events.jsonl'), 'utf8').replace('"text":"finished"', `"text":"${key}"`));
    const log = run(`trials/${folder}/logs/events.out.tfevents.1767225600.paper.1.0`);
    writeFileSync(log, Buffer.concat([readFileSync(log), Buffer.from(key)]));
    const made = await other.call<Packed>('evidence_pack', { study: 'quick' });
    expect(made.redacted).toEqual(['runs/quick/events.jsonl']);
    expect(made.left_out.map(({ what, why }) => [what.split('/').at(-1), why])).toContainEqual(['events.out.tfevents.1767225600.paper.1.0', 'it holds what looks like a secret']);
    const bytes = readFileSync(made.file);
    for (const text of unpack(bytes).values()) expect(Buffer.from(text).includes(key)).toBe(false);
    const verified = await verify(bytes);
    expect(verified).toMatchObject({ state: 'in_part', findings: [] });
    expect(verified.not_recomputed.map((one) => one.what)).toContain(`training figures of ${folder}`);
    other.remove();
  });

  it('EV3: something else than a zip is not replaced, and the place must be one', async () => {
    writeFileSync(at('notes.zip'), 'my notes');
    await expect(paper.call('evidence_pack', { study: 'quick', out: at('notes.zip') })).rejects.toThrow(/already_exists/);
    expect(readFileSync(at('notes.zip'), 'utf8')).toBe('my notes');
    await expect(paper.call('evidence_pack', { study: 'quick', out: at('notes.txt') })).rejects.toThrow(/does not end in \.zip/);
    await expect(paper.call('evidence_pack', { study: 'quick', out: at('nowhere/e.zip') })).rejects.toThrow(/does not exist/);
    await expect(paper.call('evidence_pack', { study: 'quick', out: '/tmp/rlxp-agent.zip' }, { kind: 'mcp', by: 'agent', typed: null })).rejects.toThrow(/needs_person/);
    expect(existsSync('/tmp/rlxp-agent.zip')).toBe(false);
  });

  it('EV3: a disk that fills up while it is written leaves the earlier zip and nothing half done', async () => {
    const before = readdirSync(at('runs/quick')).sort();
    for (const fault of [{ kind: 'write', nth: 1, code: 'ENOSPC' }, { kind: 'write', nth: 5, code: 'ENOSPC' }, { kind: 'fsync', nth: 1, code: 'EIO' }, { kind: 'rename', nth: 1, code: 'EACCES' }] as const) {
      const disk = countingDisk(fault);
      await expect(paper.call('evidence_pack', { study: 'quick' }, undefined, disk), fault.kind).rejects.toThrow(/unwritable|fault/);
      expect(disk.hit(), fault.kind).toContain('evidence-quick.zip');
      expect(readFileSync(packed.file).equals(zip)).toBe(true);
      expect(readdirSync(at('runs/quick')).sort()).toEqual(before);
    }
  });

  it('EV4: a text that is too large to hold is refused in words, and nothing is left', async () => {
    const log = at('runs/quick/events.jsonl');
    const before = readFileSync(log);
    writeFileSync(log, Buffer.alloc(65 * 1024 * 1024, 32));
    await expect(paper.call('evidence_pack', { study: 'quick', out: at('large.zip') })).rejects.toThrow(/events\.jsonl cannot be packed \(it is larger than 64 MB\)/);
    expect(existsSync(at('large.zip'))).toBe(false);
    writeFileSync(log, before);
  });

  it('EV6: what records and links name outside .rlxp stays outside', async () => {
    const other = await makePaper();
    expect((await other.run(null)).end).toBe('completed');
    const folder = join(other.root, '.rlxp/runs/quick/trials', other.records()[0]?.folder ?? '');
    const outside = join(other.root, 'private');
    mkdirSync(outside);
    writeFileSync(join(outside, 'evaluation.json'), '{"private":true}');
    writeFileSync(join(folder, 'trial.json'), readFileSync(join(folder, 'trial.json'), 'utf8').replace('"evaluation_file": "evaluation.json"', '"evaluation_file": "../../../../../private/evaluation.json"'));
    rmSync(join(folder, 'logs'), { recursive: true });
    symlinkSync(outside, join(folder, 'logs'));
    const made = await other.call<Packed>('evidence_pack', { study: 'quick' });
    for (const text of unpack(readFileSync(made.file)).values()) expect(Buffer.from(text).includes('private":true')).toBe(false);
    expect(made.left_out.some(({ why }) => /goes up|leads out/.test(why))).toBe(true);
    other.remove();
  });
});

describe('verifying', () => {
  it('EV10: EV12: EV14: a whole bundle holds on a machine without repository or key, and says what it computed', async () => {
    const verified = await verify(zip);
    expect(verified).toMatchObject({ state: 'holds', study: 'quick', findings: [], verdict: { word: JSON.parse(textIn(contents, 'runs/quick/verdict.json')).word as string } });
    const counts = Object.fromEntries(verified.recomputed.map(({ what, count }) => [what, count]));
    const all = paper.records().length;
    expect(counts).toMatchObject({ 'scores and causes from episodes': all, 'training figures from event files': all, 'identities and settings of records': all, 'ranking, verdict and report': 1, 'evaluations of the self-test': 3, 'digests of files': contents.size - 1 });
    expect(verified.not_recomputed.map((one) => one.what)).toEqual(expect.arrayContaining(['checkpoints', 'the seals of approval and ledger', 'wall times and memory']));
  });

  it('EV11: any one changed byte is found, or changes no content', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: zip.length - 1 }), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
        const bytes = Uint8Array.from(zip);
        bytes[place] = (bytes[place] ?? 0) ^ flip;
        if ((await whatIsWrong(bytes)) !== null) return;
        // Bits behind the end of a deflated stream say nothing: the content must be the same.
        expect([...unpack(bytes)]).toEqual([...contents]);
      }),
      { numRuns: 150 },
    );
  });

  it('EV11: a bundle cut anywhere is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: zip.length - 1 }), async (length) => {
        expect(await whatIsWrong(zip.slice(0, length))).toMatch(/^(damaged|invalid_file)/);
      }),
      { numRuns: 60 },
    );
    expect(await whatIsWrong(Buffer.concat([zip, Buffer.from([0])]))).toMatch(/^damaged: .*end is not as it was written/);
  });

  const readme = new TextEncoder().encode('x');
  it.each([
    { what: 'a name that climbs', name: '../evil.txt', says: /goes up/ },
    { what: 'a name that climbs from inside', name: 'runs/quick/trials/a/../../../../x', says: /goes up/ },
    { what: 'an absolute name', name: '/etc/passwd', says: /is absolute/ },
    { what: 'a drive', name: 'C:/x', says: /is absolute/ },
    { what: 'a backslash', name: 'runs\\quick\\x', says: /holds a character/ },
    { what: 'a control character', name: 'runs/quick/trials/a/\u001b[2J', says: /holds a character/ },
    { what: 'a file of no study', name: 'runs/quick/virus.exe', says: /no file of the study/ },
    { what: 'a file of another study', name: 'runs/other/study.yaml', says: /no file of the study/ },
  ])('EV11: $what is refused in words', async ({ name, says }) => {
    expect(await whatIsWrong(await pack(new Map([...contents, [name, readme]])))).toMatch(says);
  });

  it('EV11: a removed and an added entry, a duplicate name, a link and a bomb are refused in words', async () => {
    const without = new Map(contents);
    without.delete('runs/quick/verdict.json');
    expect(await whatIsWrong(await pack(without, { fits: false }))).toMatch(/in its index and not in the zip/);
    const added = new Map([...contents, ['runs/quick/trials/x/logs/y', readme]] as const);
    expect(await whatIsWrong(await pack(added, { fits: false }))).toMatch(/is not in its index/);
    expect(await whatIsWrong(await pack(changeText(contents, 'README.txt', (text) => text.toUpperCase()), { fits: false }))).toMatch(/its SHA-256 is not/);
    // Two entries of one name: what one reader shows, another would not.
    const twin = await pack(new Map([...contents, ['runs/quick/trials/x/README', readme], ['runs/quick/trials/y/README', readme]]));
    expect(await whatIsWrong(replaced(twin, 'trials/y/README', 'trials/x/README'))).toMatch(/is there twice/);
    const link = Uint8Array.from(zip);
    const central = Buffer.from(link).lastIndexOf('PK\u0001\u0002');
    new DataView(link.buffer).setUint32(central + 38, 0xa1ff0000, true);
    expect(await whatIsWrong(link)).toMatch(/is no plain file but a link/);
    // 40 MB of zeros that claim to be 100 bytes.
    const bomb = await pack(new Map([...contents, ['runs/quick/trials/x/logs/bomb', new Uint8Array(40_000_000)]]));
    expect(bomb.length).toBeLessThan(zip.length + 60_000);
    expect(await whatIsWrong(claiming(bomb, 40_000_000, 100))).toMatch(/unpacks to more than|is not in its index/);
    expect(await whatIsWrong(new TextEncoder().encode('no zip at all, but long enough to be looked at'))).toMatch(/^invalid_file/);
  });

  it.each([
    { what: 'a score', name: records, how: (text: string) => text.replace(/"score":[\d.]+/, '"score":999'), says: /Its episodes give a score of/ },
    { what: 'an episode', name: null, how: (text: string) => text.replace(/"return":(\d+)/, '"return":77'), says: /Its episodes give a score of/ },
    { what: 'the verdict', name: 'runs/quick/verdict.json', how: (text: string) => text.replace(/"rerun": [\d.]+/, '"rerun": 5'), says: /verdict\.json: It is not what the records say/ },
    { what: 'the winner', name: 'runs/quick/winner.json', how: (text: string) => text.replace(/"refine_score": [\d.]+/, '"refine_score": 5'), says: /winner\.json: It is not/ },
    { what: 'the hours spent', name: 'runs/quick/winner.json', how: (text: string) => text.replace(/"total_campaign_hours": [\d.e-]+/, '"total_campaign_hours": 9'), says: /It says 9 hours/ },
    { what: 'the report', name: 'runs/quick/report.md', how: (text: string) => text.replace('## Ranking', '## Another ranking'), says: /report\.md: It is not/ },
    { what: 'where it ran', name: 'runs/quick/report.md', how: (text: string) => text.replace(/- Machine: .*/, '- Machine: a better one'), says: /section on provenance/ },
    { what: 'what was approved', name: 'runs/quick/approved.json', how: (text: string) => text.replace('0.004', '0.005'), says: /not those that were approved/ },
    { what: 'the frozen study', name: 'runs/quick/study.yaml', how: (text: string) => text.replace('0.004', '0.005'), says: /not the study that was approved/ },
    { what: 'a decision', name: 'ledger.jsonl', how: (text: string) => text.replace('"by":"tester"', '"by":"nobody"'), says: /does not follow from the line before/ },
    { what: 'a cut ledger', name: 'ledger.jsonl', how: (text: string) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`, says: /The ledger was cut/ },
    { what: 'the self-test', name: 'runs/quick/selftest/result.json', how: (text: string) => text.replace(/"random_score": [\d.]+/, '"random_score": 3'), says: /Its evaluations say/ },
    { what: 'a seed', name: records, how: (text: string) => text.replace('"seed":42', '"seed":43'), says: /its identity differs/ },
    { what: 'a missing record', name: records, how: (text: string) => `${text.split('\n').slice(0, -2).join('\n')}\n`, says: /trials\.jsonl does not hold it|its records do not/ },
    { what: 'a status', name: records, how: (text: string) => text.replace('"status":"completed"', '"status":"plateau"'), says: /its manifest says completed/ },
  ])('EV13: $what that was changed, with every digest made to fit, is found', async ({ name, how, says }) => {
    const file = name ?? `runs/quick/trials/${paper.records()[0]?.folder ?? ''}/evaluation.json`;
    const wrong = await whatIsWrong(await pack(changeText(contents, file, how)));
    expect(wrong).toMatch(/^broken/);
    expect(wrong).toMatch(says);
  });

  it('EV13: any number of a record that can be computed again is found when it is another', { timeout: 120_000 }, async () => {
    const lines = textIn(contents, records).trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    const places = lines.flatMap((line, index) => numbersIn(line).map((path) => ({ index, path })));
    // Measurements of the machine; a t90 that is less may be time asleep.
    const measured = (path: readonly string[]) => ['wall_s', 'peak_vram_bytes', 'schema'].includes(path[0] ?? '');
    const judged = places.filter(({ path }) => !measured(path));
    expect(judged.length).toBeGreaterThan(100);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...judged), fc.constantFrom(1, 0.5, 1000, -0.125), async ({ index, path }, more) => {
        const forged = lines.map((line, at) => (at === index ? withNumber(line, path, more) : line));
        const bytes = await pack(changeText(contents, records, () => `${forged.map((line) => JSON.stringify(line)).join('\n')}\n`));
        const isMaybeSleep = path[0] === 't90_s' && more < 0;
        expect(await whatIsWrong(bytes), `${index} ${path.join('.')} + ${more}`).toMatch(isMaybeSleep ? /^(in_part|broken)/ : /^broken/);
      }),
      { numRuns: 60 },
    );
  });

  it('EV14: without event files or trial folders it holds in part, and says which', async () => {
    const folder = `runs/quick/trials/${paper.records()[0]?.folder ?? ''}/`;
    const noLogs = new Map([...contents].filter(([name]) => !name.startsWith(`${folder}logs/`)));
    expect(await verify(await pack(noLogs))).toMatchObject({ state: 'in_part', findings: [] });
    const noFolders = new Map([...contents].filter(([name]) => !name.startsWith('runs/quick/trials/')));
    const verified = await verify(await pack(noFolders));
    expect(verified.state).toBe('in_part');
    expect(verified.not_recomputed.map((one) => one.what)).toContain('trials without a folder in the bundle');
  });

  it('EV15: of another version the words may differ, and the numbers may not', async () => {
    const older = new Map([...contents]);
    const index = textIn(contents, 'index.json').replace(/"version": "[^"]*"/, '"version": "0.0.9"');
    older.set('index.json', new TextEncoder().encode(index));
    expect(await verify(await pack(older))).toMatchObject({ state: 'holds', findings: [] });
    const reworded = changeText(changeText(older, 'runs/quick/report.md', (text) => text.replace('## Ranking', '## Order')), 'runs/quick/verdict.json', (text) => text.replace(/"headline": "[^"]*"/, '"headline": "In other words."'));
    const verified = await verify(await pack(reworded));
    expect(verified).toMatchObject({ state: 'in_part', findings: [], made_by: expect.stringContaining('0.0.9') as string });
    expect(verified.not_recomputed.map((one) => one.what)).toEqual(expect.arrayContaining(['the wording of runs/quick/report.md', 'the wording of runs/quick/verdict.json']));
    const other = changeText(reworded, 'runs/quick/verdict.json', (text) => text.replace(/"rerun": [\d.]+/, '"rerun": 5'));
    expect(await whatIsWrong(await pack(other))).toMatch(/^broken: .*verdict\.json: It is not what the records say/);
  });

  it('EV10: nothing is written anywhere', async () => {
    const files = makeFakeFiles();
    files.plant('/elsewhere/e.zip', zip);
    for (const call of ['replaceFile', 'appendLine', 'appendText', 'makeFolder', 'copyFile', 'rename', 'remove'] as const) files.failNth(call, 1, 'EROFS', { again: true });
    expect((await verifyEvidence({ files, node: makeFakeNode() }, '/elsewhere/e.zip')).state).toBe('holds');
    const before = readdirSync(paper.root, { recursive: true }).length;
    await paper.call('evidence_verify', { root: undefined, file: packed.file });
    expect(readdirSync(paper.root, { recursive: true })).toHaveLength(before);
    expect(statSync(packed.file).size).toBe(packed.bytes);
  });
});

describe('a budget that was raised', () => {
  const budget = 'runs/quick/budget.jsonl';
  const standing = 'runs/quick/campaign.json';
  let amended: Contents;

  beforeAll(async () => {
    const other = await makePaper();
    const byHand = { kind: 'terminal', by: 'tester', typed: 'quick' } as const;
    for (const wall_hours of [2, 3]) await other.call('campaign_amend', { study: 'quick', wall_hours }, byHand);
    expect((await other.run(null)).end).toBe('completed');
    amended = unpack(readFileSync((await other.call<Packed>('evidence_pack', { study: 'quick' })).file));
    other.remove();
  }, 60_000);

  /** Spent: two and a half hours, more than was approved and less than was raised. */
  const costly = () => changeText(amended, standing, (text) => text.replace(/"spent_s": *[\d.e-]+/, '"spent_s":9000'));

  it('EV1: EV16: goes into the zip, and what was spent is held to what was raised', async () => {
    expect(textIn(amended, budget).trimEnd().split('\n')).toHaveLength(2);
    const verified = await verify(await pack(costly()));
    expect(verified).toMatchObject({ state: 'holds', findings: [] });
    expect(verified.recomputed).toContainEqual({ what: 'amendments of the budget', count: 2 });
    expect(await whatIsWrong(await pack(changeText(costly(), standing, (text) => text.replace('9000', '19000'))))).toMatch(/19000\.0 s were spent of a budget of 10800 s/);
  });

  it.each([
    { what: 'edited', how: (text: string) => text.replaceAll('"wall_hours":3', '"wall_hours":300'), says: /budget\.jsonl:2 its digest is not that of what it says/ },
    { what: 'cut', how: (text: string) => `${text.split('\n')[0] ?? ''}\n`, says: /campaign\.json: It says a budget of 10800 s, and approval and amendments give 7200 s/ },
    { what: 'put first', how: (text: string) => `${text.split('\n')[1] ?? ''}\n`, says: /budget\.jsonl:1 it does not follow the line before/ },
    { what: 'repeated', how: (text: string) => `${text}${text.split('\n')[1] ?? ''}\n`, says: /budget\.jsonl:3 it does not follow/ },
    { what: 'sealed by another machine', how: (text: string) => text.replace(/"machine":"[0-9a-f]{16}"/, '"machine":"0123456789abcdef"'), says: /give 3600 s/ },
    { what: 'of no form', how: (text: string) => `${text}{}\n`, says: /budget\.jsonl:3 it is no amendment/ },
  ])('EV16: an amendment that was $what, with every digest made to fit, is found', async ({ how, says }) => {
    expect(await whatIsWrong(await pack(changeText(amended, budget, how)))).toMatch(says);
  });

  it('EV16: without the amendments the study was over its budget', async () => {
    const without = new Map([...costly()].filter(([name]) => name !== budget));
    expect(await whatIsWrong(await pack(without))).toMatch(/9000\.0 s were spent of a budget of 3600 s/);
  });
});

/** Every place in the zip where the name stands. */
function replaced(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) copy.write(to, at);
  return copy;
}

/** Every four bytes that say the one length say the other. */
function claiming(bytes: Uint8Array, length: number, claimed: number): Uint8Array {
  const copy = Buffer.from(bytes);
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(length);
  for (let at = copy.indexOf(mark); at >= 0; at = copy.indexOf(mark, at + 1)) copy.writeUInt32LE(claimed, at);
  return copy;
}

function numbersIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => numbersIn(item, [...path, key]));
}

function withNumber(line: Record<string, unknown>, path: readonly string[], more: number): Record<string, unknown> {
  const copy = structuredClone(line);
  let at: Record<string, unknown> = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  at[last] = (at[last] as number) + more;
  return copy;
}
