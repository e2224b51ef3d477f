import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawFreshSeeds, seedSubject } from '../../../src-main/core/campaign/fresh-seeds.ts';
import { approvalSubject, type ApprovalSubject } from '../../../src-protocol/files/approval.ts';
import { gateNames } from '../../../src-protocol/files/contract.ts';
import { goodProject } from '../study/project.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const inputs = { machineKey: key, subject: fc.string(), count: fc.nat(20), taken: fc.array(fc.nat(100), { maxLength: 5 }).map((seeds) => new Set(seeds)) };

describe('fresh seeds', () => {
  it('CA9: are different seeds of 31 bits, none used before, and the same every time', () => {
    fc.assert(
      fc.property(fc.record(inputs), (options) => {
        const seeds = drawFreshSeeds(options);
        expect(seeds).toEqual(drawFreshSeeds(options));
        expect(new Set(seeds).size).toBe(options.count);
        for (const seed of seeds) {
          expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
          expect(options.taken.has(seed)).toBe(false);
        }
      }),
    );
  });

  it('CA9: more of them begin with the same ones, and a seed that is taken is left out of them', () => {
    fc.assert(
      fc.property(fc.record(inputs), fc.nat(20), (options, more) => {
        const seeds = drawFreshSeeds(options);
        expect(drawFreshSeeds({ ...options, count: options.count + more }).slice(0, options.count)).toEqual(seeds);
        const [first, ...others] = seeds;
        if (first === undefined) return;
        const without = drawFreshSeeds({ ...options, count: options.count - 1, taken: new Set([...options.taken, first]) });
        expect(without).toEqual(others);
      }),
    );
  });

  it('CA9: another key or another subject gives others; a bundled example has the same on every machine', () => {
    const draw = (machineKey: Uint8Array | null, subject: string) => drawFreshSeeds({ machineKey, subject, count: 3, taken: new Set() });
    const [a, b] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    expect(draw(a, 'x')).not.toEqual(draw(b, 'x'));
    expect(draw(a, 'x')).not.toEqual(draw(a, 'y'));
    expect(draw(null, 'quick')).toEqual([416359341, 1990792549, 555820399]);
  });

  it('CA9: an amendment draws no new ones, and everything else does', async () => {
    const study = await goodProject().load();
    const hex = (digit: string) => digit.repeat(64);
    const subject = approvalSubject.parse({
      study: 'quick',
      study_digest: hex('a'),
      experiment_digest: hex('b'),
      gates: Object.fromEntries(gateNames.map((gate, index) => [gate, hex(String(index))])),
      adapter_digest: hex('c'),
      task_digest: hex('d'),
      snapshot: [{ path: 'env.mjs', mode: '100644', sha256: hex('e') }],
      packages_digest: hex('f'),
    });
    const at = (over: Partial<ApprovalSubject>, file = study.file) => seedSubject({ ...subject, ...over }, { file });
    const withGate = (gate: string) => ({ gates: { ...subject.gates, [gate]: hex('9') } }) as Partial<ApprovalSubject>;
    const before = at({});
    for (const gate of ['budget', 'hardware']) expect(at(withGate(gate)), gate).toBe(before);
    for (const gate of gateNames.filter((name) => name !== 'budget' && name !== 'hardware')) expect(at(withGate(gate)), gate).not.toBe(before);
    // Slots and time limits of the study are budgets too; what it searches is not.
    const slower = await goodProject().with('quick.yaml', 'max_trial_s: 60', 'max_trial_s: 50').load();
    expect(at({ study_digest: hex('0') }, slower.file)).toBe(before);
    const longer = await goodProject().with('quick.yaml', 'timesteps: 16384', 'timesteps: 16448').load();
    expect(at({}, longer.file)).not.toBe(before);
    for (const other of [{ task_digest: hex('0') }, { adapter_digest: hex('0') }, { packages_digest: hex('0') }, { experiment_digest: hex('0') }, { snapshot: [] }]) expect(at(other)).not.toBe(before);
  });
});
