// Intervals for a share "k of n". Anyone in core may import it.
import { betaQuantile } from './beta.ts';
import { normalQuantile } from './normal.ts';

export interface ShareInterval {
  readonly lower: number;
  readonly upper: number;
}

/** Wilson's score interval for k of n, two-sided; [0, 1] for n = 0. Source: Wilson 1927, JASA 22. */
export function wilsonInterval(k: number, n: number, level = 0.95): ShareInterval {
  checkShare(k, n, level);
  if (n === 0) return { lower: 0, upper: 1 };
  const z2 = normalQuantile((1 + level) / 2) ** 2;
  const share = k / n;
  const centre = share + z2 / (2 * n);
  const half = Math.sqrt(z2 * ((share * (1 - share)) / n + z2 / (4 * n * n)));
  const scale = 1 + z2 / n;
  return { lower: k === 0 ? 0 : (centre - half) / scale, upper: k === n ? 1 : (centre + half) / scale };
}

/** The exact two-sided interval for k of n; [0, 1] for n = 0. Source: Clopper and Pearson 1934, Biometrika 26. */
export function clopperPearson(k: number, n: number, level = 0.95): ShareInterval {
  checkShare(k, n, level);
  const tail = (1 - level) / 2;
  return {
    lower: k === 0 ? 0 : betaQuantile(tail, k, n - k + 1),
    upper: k === n ? 1 : betaQuantile(1 - tail, k + 1, n - k),
  };
}

/** The largest share that k of n still allows, exact and one-sided: 0 of 5 allows 45 %, 0 of 10 allows 26 %. */
export function exactUpperBound(k: number, n: number, level = 0.95): number {
  checkShare(k, n, level);
  return k === n ? 1 : betaQuantile(level, k + 1, n - k);
}

function checkShare(k: number, n: number, level: number): void {
  if (!Number.isInteger(k) || !Number.isInteger(n) || k < 0 || n < k) throw new RangeError(`not a share: ${k} of ${n}`);
  if (!(level > 0 && level < 1)) throw new RangeError(`a level is between 0 and 1, got ${level}`);
}
