// Student's t distribution. Anyone in core may import it.
import { incompleteBeta } from './beta.ts';
import { solveBracketed } from './solve.ts';

/** P(T <= t) with `degrees` > 0 degrees of freedom; about 1e-14. Source: DLMF 8.17, I_x(degrees / 2, 1 / 2). */
export function tCdf(t: number, degrees: number): number {
  const tail = tTail(Math.abs(t), degrees);
  return t < 0 ? tail : 1 - tail;
}

/** P(T > t) for t >= 0, precise far out in the tail. */
export function tTail(t: number, degrees: number): number {
  if (!(degrees > 0) || !(t >= 0)) throw new RangeError(`tTail needs t >= 0 and degrees > 0, got ${t}, ${degrees}`);
  if (t === Infinity) return 0;
  const square = t * t;
  return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square)) / 2;
}

/** The t with P(T <= t) = probability; -Infinity and Infinity at 0 and 1. */
export function tQuantile(probability: number, degrees: number): number {
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`a probability is between 0 and 1, got ${probability}`);
  return probability < 0.5 ? -upperQuantile(probability, degrees) : upperQuantile(1 - probability, degrees);
}

/** The c with P(|T| > c) = level: the critical value of a two-sided test. Remembered, since simulations ask for few values often. */
export function criticalT(level: number, degrees: number): number {
  const key = `${level} ${degrees}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (!(level > 0 && level < 1)) throw new RangeError(`a level is between 0 and 1, got ${level}`);
  const value = upperQuantile(level / 2, degrees);
  if (remembered.size >= 4096) remembered.clear();
  remembered.set(key, value);
  return value;
}

const remembered = new Map<string, number>();

/** The t >= 0 with P(T > t) = tail, tail <= 1/2. */
function upperQuantile(tail: number, degrees: number): number {
  if (tail === 0) return Infinity;
  if (tail === 0.5) return 0;
  let high = 1;
  while (tTail(high, degrees) > tail) high *= 2;
  return solveBracketed((t) => Math.log(tTail(t, degrees) / tail), 0, high);
}
