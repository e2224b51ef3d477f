// The level at which each look of a plan is read so that the whole plan keeps its promise. Anyone in core may import it.
import { checkLooks, planError } from './plan-error.ts';
import { solveBracketed } from './solve.ts';

/** What a whole plan may err, two-sided, when there is no difference. */
export const overallLevel = 0.05;

/**
 * The two-sided level of each paired-t look such that the chance to leave zero outside the interval at any of `looks`
 * is `overall` when the differences are normal with mean 0: one level for all looks, as in Pocock 1977 (Biometrika 64),
 * but exact for t statistics. `looks`: rising numbers of pairs, at least 2; RangeError otherwise.
 * Computed by integration (plan-error.ts), not drawn. With several looks it is rounded down to three significant
 * digits: the plan never errs more than `overall`, the printed level is the level used, and no machine differs in a
 * last bit. Remembered.
 */
export function nominalLevel(looks: readonly number[], overall: number = overallLevel): number {
  checkLooks(looks);
  if (!(overall > 0 && overall < 1)) throw new RangeError(`a level is between 0 and 1, got ${overall}`);
  if (looks.length === 1) return overall;
  const key = `${looks.join(' ')} ${overall}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const excess = (level: number): number => planError(looks, level) - overall;
  const level = roundDown(solveBracketed(excess, overall / looks.length, overall, 1e-5));
  remembered.set(key, level);
  return level;
}

const remembered = new Map<string, number>();

function roundDown(value: number): number {
  const scale = 10 ** (2 - Math.floor(Math.log10(value)));
  return Math.floor(value * scale) / scale;
}
