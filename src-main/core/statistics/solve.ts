// A root of a function inside a bracket. Imported by the quantiles and plans of this folder.

/**
 * The x in [low, high] with f(x) = 0, where f(low) and f(high) differ in sign; to about 1e-15 of |x| unless
 * `tolerance` (relative) is larger. Throws RangeError where the signs do not differ.
 * Source: Chandrupatla 1997, Advances in Engineering Software 28(3): inverse quadratic steps, bisection where they are unsafe.
 */
export function solveBracketed(f: (x: number) => number, low: number, high: number, tolerance = 1e-15): number {
  let x1 = low;
  let f1 = f(low);
  let x2 = high;
  let f2 = f(high);
  if (f1 === 0) return low;
  if (f2 === 0) return high;
  if (f1 > 0 === f2 > 0) throw new RangeError(`no sign change between ${low} and ${high}`);
  let step = 0.5;
  for (;;) {
    const x = x1 + step * (x2 - x1);
    const fx = f(x);
    let x3 = x1;
    let f3 = f1;
    if (fx > 0 !== f1 > 0) {
      x3 = x2;
      f3 = f2;
      x2 = x1;
      f2 = f1;
    }
    x1 = x;
    f1 = fx;
    const best = Math.abs(f1) < Math.abs(f2) ? x1 : x2;
    const smallest = (tolerance * Math.abs(best) + Number.MIN_VALUE) / Math.abs(x2 - x1);
    if (fx === 0 || !(smallest < 0.5)) return fx === 0 ? x : best;
    const xi = (x1 - x2) / (x3 - x2);
    const phi = (f1 - f2) / (f3 - f2);
    const isSafe = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    step = isSafe ? (f1 / (f2 - f1)) * (f3 / (f2 - f3)) + (((x3 - x1) / (x2 - x1)) * (f1 / (f3 - f1)) * f2) / (f3 - f2) : 0.5;
    step = Math.min(1 - smallest, Math.max(smallest, step));
  }
}
