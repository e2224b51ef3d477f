// Raising the budget of an approved study: what counts, what is refused, and what an edited record is worth.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { amendBudget } from '../../../src-main/core/contract/amend-budget.ts';
import { budgetDigest, readBudget, type BudgetReading } from '../../../src-main/core/contract/budget-amendments.ts';
import { limitSeconds, raised, whyNoRaise, isRaise, type BudgetRaise } from '../../../src-main/core/contract/budget-terms.ts';
import { openApproval } from '../../../src-main/core/contract/open-approval.ts';
import { checkApproval } from '../../../src-main/core/contract/check-approval.ts';
import { verifyLedger } from '../../../src-main/core/ledger/ledger.ts';
import { makeRandom } from '../../../src-main/core/statistics/random.ts';
import type { Scene } from '../ledger/scene.ts';
import { at, change, copyOf, refusalOf, threeStages } from './project.ts';

const file = '.rlxp/runs/quick/budget.jsonl';
let approved: Scene;

beforeAll(async () => {
  ({ approved } = await threeStages());
});

const raise = (scene: Scene, more: BudgetRaise, digest?: string, ports = scene.ports) => amendBudget(ports, scene.root, { study: 'quick', by: 'ada', raise: more, digest });

async function inForce(scene: Scene, ports = scene.ports): Promise<BudgetReading> {
  const opened = await openApproval(ports, scene.root, 'quick');
  if (!opened.ok) throw new Error(opened.text);
  return readBudget(ports, scene.root, opened);
}

describe('raising a budget', () => {
  it('AM2: AM4: is chained, sealed and told to the ledger, and counts from the next reading on', async () => {
    const scene = copyOf(approved);
    expect(await inForce(scene)).toMatchObject({ terms: { wall_hours: 2, gpu_hours: null, per_trial_s: 600 }, amendments: [], doubt: null, missing: [] });
    const first = await raise(scene, { wall_hours: 3 });
    const second = await raise(scene, { wall_hours: 3.5, per_trial_s: 900 });
    expect(first).toMatchObject({ seq: 0, by: 'ada', before: { wall_hours: 2 }, budget: { wall_hours: 3, per_trial_s: 600 } });
    expect(second).toMatchObject({ seq: 1, before: first.budget, budget: { wall_hours: 3.5, per_trial_s: 900 }, prev: first.digest });
    expect(await inForce(scene)).toMatchObject({ terms: second.budget, amendments: [first, second], doubt: null, missing: [] });
    const { lines, ok } = await verifyLedger(scene.ports, scene.root);
    expect(ok).toBe(true);
    expect(lines.slice(-2)).toMatchObject([first, second].map(({ digest, before, budget }) => ({ kind: 'amendment', study: 'quick', by: 'ada', facts: { what: 'budget', digest, before, budget } })));
    // AM5: the approval itself is what it was.
    expect(await checkApproval(scene.ports, scene.root, 'quick')).toMatchObject({ ok: true });
  });

  it.each([
    ['the same', { wall_hours: 2 }, 'wall_hours: 2 is not more than the 2 in force'],
    ['less', { wall_hours: 3, per_trial_s: 1 }, 'per_trial_s: 1 is not more than the 600 in force'],
    ['hours of a GPU it does not use', { gpu_hours: 5 }, 'gpu_hours: this study has no limit of GPU hours'],
    ['nothing', {}, 'Nothing is raised'],
  ] as const)('AM2: refuses %s and writes nothing', async (_what, more, message) => {
    const scene = copyOf(approved);
    const before = (await verifyLedger(scene.ports, scene.root)).lines.length;
    expect(await refusalOf(raise(scene, more))).toMatchObject({ code: 'bad_input', message: expect.stringContaining(message) as string });
    expect(existsSync(at(scene, file))).toBe(false);
    expect((await verifyLedger(scene.ports, scene.root)).lines).toHaveLength(before);
  });

  it('AM2: never lowers, whatever is asked (seeded)', () => {
    const random = makeRandom(1130);
    for (let round = 0; round < 500; round += 1) {
      const before = { wall_hours: 1 + random.uniform() * 9, gpu_hours: random.uniform() < 0.5 ? null : 1 + random.uniform() * 9, per_trial_s: 10 + random.uniform() * 90 };
      const more: BudgetRaise = { ...(random.uniform() < 0.5 ? { wall_hours: random.uniform() * 12 } : {}), ...(random.uniform() < 0.5 ? { gpu_hours: random.uniform() * 12 } : {}), ...(random.uniform() < 0.5 ? { per_trial_s: random.uniform() * 120 } : {}) };
      const isLower = (Object.keys(more) as (keyof typeof before)[]).some((term) => (more[term] ?? 0) <= (before[term] ?? Infinity));
      expect(whyNoRaise(before, more).length > 0, JSON.stringify({ before, more })).toBe(isLower);
      const isAllowed = !isLower && Object.keys(more).length > 0;
      if (isAllowed) expect(isRaise(before, raised(before, more))).toBe(true);
      if (isAllowed) expect(limitSeconds(raised(before, more))).toBeGreaterThanOrEqual(limitSeconds(before));
    }
  });

  it('AM1: refuses an answer to another budget than the one that was shown', async () => {
    const scene = copyOf(approved);
    const shown = budgetDigest(await inForce(scene));
    await raise(scene, { wall_hours: 3 }, shown);
    expect(await refusalOf(raise(scene, { wall_hours: 4 }, shown))).toMatchObject({ code: 'approval_lapsed', message: expect.stringContaining('changed since it was shown') as string });
  });

  it('AM3: needs the repository as it was approved, and an approval', async () => {
    const scene = copyOf(approved);
    change(scene, '.rlxp/studies/quick.yaml', 'timesteps: 1000', 'timesteps: 1001');
    const refusal = await refusalOf(raise(scene, { wall_hours: 3 }));
    expect(refusal).toMatchObject({ code: 'approval_lapsed' });
    expect(refusal.differences).toEqual([{ what: 'study.stages.screen.timesteps', approved: '1000', now: '1001' }]);
    expect(existsSync(at(scene, file))).toBe(false);
    expect(await refusalOf(raise(copyOf(approved), { wall_hours: 3 }, undefined, approved.elsewhere))).toMatchObject({ code: 'approved_elsewhere' });
  });
});

describe('a record of an amendment', () => {
  const spoilt: readonly (readonly [string, (lines: readonly string[]) => readonly string[], number, number])[] = [
    ['was edited', (lines) => [lines[0] ?? '', (lines[1] ?? '').replace('"wall_hours":4', '"wall_hours":400')], 2, 3],
    ['was resealed by nobody', (lines) => [(lines[0] ?? '').replace('"by":"ada"', '"by":"eve"'), lines[1] ?? ''], 1, 2],
    ['was cut out before another', (lines) => [lines[1] ?? ''], 1, 2],
    ['was repeated', (lines) => [lines[0] ?? '', lines[0] ?? ''], 2, 3],
    ['is no JSON', (lines) => [(lines[0] ?? '').slice(0, 40), lines[1] ?? ''], 1, 2],
  ];
  it.each(spoilt)('AM4: that %s counts for nothing, and neither does what follows', async (_what, spoil, line, wallHours) => {
    const scene = copyOf(approved);
    await raise(scene, { wall_hours: 3 });
    await raise(scene, { wall_hours: 4 });
    const lines = readFileSync(at(scene, file), 'utf8').trimEnd().split('\n');
    writeFileSync(at(scene, file), `${spoil(lines).join('\n')}\n`);
    const reading = await inForce(scene);
    expect(reading.doubt).toMatchObject({ line, isForeign: false });
    expect(reading.terms.wall_hours).toBe(wallHours);
    expect(await refusalOf(raise(scene, { wall_hours: 9 }))).toMatchObject({ code: 'damaged', message: expect.stringContaining(`budget.jsonl, line ${line}`) as string });
  });

  it('AM4: that the ledger does not know counts for nothing; one that only the ledger knows is not in force', async () => {
    const scene = copyOf(approved);
    const other = copyOf(approved);
    await raise(other, { wall_hours: 3 });
    writeFileSync(at(scene, file), readFileSync(at(other, file)));
    expect(await inForce(scene)).toMatchObject({ terms: { wall_hours: 2 }, doubt: { line: 1, what: 'the ledger holds no line of it' } });

    writeFileSync(at(other, file), '');
    const cut = await inForce(other);
    expect(cut).toMatchObject({ terms: { wall_hours: 2 }, doubt: null });
    expect(cut.missing).toHaveLength(1);
    // As after a crash between the two: it is simply raised again.
    await raise(other, { wall_hours: 3 });
    expect(await inForce(other)).toMatchObject({ terms: { wall_hours: 3 }, doubt: null });
  });
});
