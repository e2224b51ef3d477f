import { describe, expect, it } from 'vitest';
import { winnerFile } from '../../../src-protocol/files/verdict.ts';
import type { WinnerFile } from '../../../src-protocol/files/verdict.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import { ran, pairsOf, verdictOf, clearGain, unclear } from './verify-on-paper.ts';

describe('what is printed', () => {
  it('V15: each summary from its own number of pairs on', () => {
    const five = verdictOf(unclear.slice(0, 5), { looks: [5] });
    expect([five.sign_flip_p, five.iqm]).toEqual([null, null]);
    const six = verdictOf(unclear.slice(0, 6), { looks: [6] });
    expect(six.sign_flip_p).toBeGreaterThan(0);
    const ten = verdictOf(unclear);
    expect(ten.iqm?.winner).toBeGreaterThan(100);
    expect(ten.probability_of_improvement).toBeGreaterThan(0.5);
    expect(ten.correlation).not.toBeNull();
    expect(ten.worst_seed?.winner).toEqual({ seed: 1001, score: 98 });
    expect(ten.could_prove).toMatchObject({ power: 0.8 });
    expect(ten.could_prove?.effect_score).toBeCloseTo((ten.could_prove?.effect_sd ?? 0) * (ten.seed_spread?.sd ?? 0), 9);
  });

  it('V16: the selection score is marked and is never the headline', () => {
    const verdict = verdictOf(clearGain);
    expect(verdict.selection).toEqual({ score: 160, note: 'used to pick, biased upward' });
    expect(verdict.headline).not.toContain('160');
    expect(verdict.sentences.at(-1)).toMatch(/^The score that picked it, 160\.?\d*, is biased upward/);
  });

  it('V24: an early claim says that it tends to be too large, the last look does not', () => {
    const note = 'An early stop tends to overstate the difference; completing all looks overstates it less.';
    expect(verdictOf(clearGain).sentences).toContain(`Settled at 5 of up to 10 pairs of seeds. ${note}`);
    expect(verdictOf(clearGain.map((d) => -d)).sentences.join(' ')).toContain(note);
    expect(verdictOf(clearGain, { looks: [5] }).sentences.join(' ')).not.toContain(note);
    expect(verdictOf([...clearGain, 50, 51, 49, 52, 48], { isCompleting: true }).sentences.join(' ')).not.toContain(note);
  });

  it('V25: a claim without any collapse says what share of them that allows', () => {
    const sentence = 'In 5 runs each, training never collapsed; the true share of collapses may still be up to 45 %.';
    expect(verdictOf(clearGain).sentences).toContain(sentence);
    expect(verdictOf([0, 0, 0, 0, 0]).sentences).toContain(sentence);
    expect(verdictOf([...clearGain, 50, 51, 49, 52, 48], { isCompleting: true }).sentences).toContain(sentence.replace('5 runs', '10 runs').replace('45 %', '26 %'));
    expect(verdictOf(unclear).sentences.join(' ')).not.toContain('never collapsed');
    expect(verdictOf(clearGain, { looks: [] }).sentences.join(' ')).not.toContain('never collapsed');
  });

  it('V19: a minimised metric is printed on its own axis, with its unit', () => {
    const metric = { name: 'energy', unit: 'J', direction: 'minimise' } as const;
    const pairs = pairsOf(clearGain).map(({ seed, winner, baseline }) => ({
      seed,
      winner: ran((winner.score ?? 0) - 500),
      baseline: ran((baseline.score ?? 0) - 500),
    }));
    const verdict = verdictOf([], { metric }, { pairs, refineScore: -340, repeat: { score: -342 } });
    expect(verdict.headline).toBe('Better: hz120 lowered energy by 53.0 J against baseline (95 % over the plan: 45.4 to 60.6; 5 fresh seeds each).');
    expect(verdict.sentences[0]).toMatch(/scored 342.* J after 340.* J: reproduced \(at most 391.* J was needed\)/);
    const open = verdictOf(unclear, { metric });
    expect(open.headline).toMatch(/in energy may be anything from -6\.3 to 1\.9 J/);
  });

  it('V22: winner.json holds what a user of the winner needs', () => {
    const verdict = verdictOf(clearGain);
    const winner: WinnerFile = {
      name: 'hz120',
      candidate: { env_cfg: { decimation: 1 } },
      seed: 42,
      timesteps: 24000,
      refine_score: 160,
      verify_score: verdict.repeat.rerun,
      reproduced: verdict.repeat.state === 'reproduced',
      tolerance: verdict.repeat.tolerance,
      margin: 22,
      total_campaign_hours: 1.5,
      verdict: verdict.word,
      estimate: verdict.estimate,
      n_seeds: verdict.plan.used,
      collapses: verdict.collapses,
      determinism_class: 'repeatable',
    };
    expect(winnerFile.parse(JSON.parse(stringifyWire(winner)))).toEqual(winner);
    expect(() => winnerFile.parse({ ...winner, extra: 1 })).toThrow();
  });
});
