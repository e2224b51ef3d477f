// Verify records on paper: pairs of fresh seeds and the rules they are judged by. For the verdict's tests.
import type { VerdictFile } from '../../../src-protocol/files/verdict.ts';
import { makeVerdict } from '../../../src-main/core/campaign/verdict.ts';
import type { FreshPair, FreshRun, GuardrailRule, VerifyRecords, VerifyRules } from '../../../src-main/core/campaign/verdict.ts';

export const rules: VerifyRules = {
  metric: { name: 'return', unit: null, direction: 'maximise' },
  looks: [5, 8, 10],
  tolerance: 0.15,
  scoreScale: 1,
  determinism: 'repeatable',
  equivalenceMargin: null,
  collapse: { below: null, floor: 20 },
  guardrails: [],
  isCompleting: false,
};
export const success: GuardrailRule = { name: 'success', unit: null, direction: 'maximise', margin: 0.02, floor: 0 };

export function ran(score: number | null, guardrails: Record<string, number | null> = {}): FreshRun {
  return { outcome: score === null ? 'failed' : 'scored', score, guardrails };
}

/** Baselines near 100 (their spread is real), winners above them by the given differences. */
export function pairsOf(differences: readonly number[]): readonly FreshPair[] {
  return differences.map((d, i) => {
    const base = 100 + ((i * 7) % 5);
    return { seed: 1000 + i, winner: ran(base + d), baseline: ran(base) };
  });
}

export function recordsOf(differences: readonly number[], over: Partial<VerifyRecords> = {}): VerifyRecords {
  return { winner: 'hz120', baseline: 'baseline', refineScore: 160, repeat: { score: 158 }, pairs: pairsOf(differences), ...over };
}

export function verdictOf(differences: readonly number[], over: Partial<VerifyRules> = {}, records: Partial<VerifyRecords> = {}): VerdictFile {
  return makeVerdict('cartpole', recordsOf(differences, records), { ...rules, ...over });
}

export const clearGain = [50, 55, 48, 60, 52];
export const clearLoss = clearGain.map((d) => -d);
export const unclear = [9, -4, 6, 1, -2, 8, 3, 5, -3, -1];
