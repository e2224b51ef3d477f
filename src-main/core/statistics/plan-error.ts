// The chance that a plan of paired-t looks errs when there is no difference, by exact numerical integration.
// Imported by nominal-level.ts and by the tests that check it against simulation.
//
// Let u_n = S / sqrt(n Q), with S the sum and Q the sum of squares of the first n differences; then
// t_n = sqrt(n - 1) u_n / sqrt(1 - u_n^2), so each look is a bound on |u_n|. For normal differences with mean 0 the
// vector of differences has a uniform direction, and splitting N = n + m of them into the first n and the next m gives
//   u_N = sqrt(n / N) cos(psi) u_n + sqrt(m / N) sin(psi) v,   v = the same statistic of the m new differences alone,
// where cos(psi)^2 ~ Beta(n / 2, m / 2), v and u_n are independent. The u_n at the looks are thus a Markov chain on one
// number, and the chance to pass all looks is a one-dimensional backward recursion, each step a double integral.
import { logBeta } from './beta.ts';
import { integrate } from './gauss-legendre.ts';
import { interpolate } from './interpolation.ts';
import { criticalT } from './student-t.ts';

/** Throws RangeError unless `looks` is a plan: whole numbers of pairs, at least 2, strictly rising. */
export function checkLooks(looks: readonly number[]): void {
  const isPlan = looks.length > 0 && looks.every((n, i) => Number.isInteger(n) && n >= 2 && n > (looks[i - 1] ?? 0));
  if (!isPlan) throw new RangeError(`looks must be rising whole numbers, at least 2, got [${looks.join(', ')}]`);
}

/** Fineness of the integration; the default is good to about 1e-5 of probability, 20 points to about 1e-6. */
export interface PlanErrorOptions {
  /** Points per smooth piece of each integral. */
  readonly points?: number;
}

/**
 * P(some look has |t| above its critical value at `level`), two-sided, for normal differences with mean 0.
 * `looks` as in `checkLooks`; `level` in (0, 1).
 */
export function planError(looks: readonly number[], level: number, options: PlanErrorOptions = {}): number {
  checkLooks(looks);
  const points = options.points ?? 12;
  let ahead: Ahead = { bound: boundAt(looks[looks.length - 1] ?? 0, level), breaks: [], pass: null };
  for (let k = looks.length - 2; k >= 0; k -= 1) {
    const step: Step = { n: looks[k] ?? 0, next: looks[k + 1] ?? 0, ahead, points };
    const bound = boundAt(step.n, level);
    const breaks = breaksOf(step, bound);
    ahead = { bound, breaks, pass: interpolate((u) => passStep(step, u), [0, ...breaks, bound], points) };
  }
  return ahead.pass === null ? level : 1 - passFirst(looks[0] ?? 0, ahead, points);
}

/** What is known at a look: the bound on |u|, and the chance to pass all later looks as a function of |u|, with the places where that is not smooth. */
interface Ahead {
  readonly bound: number;
  readonly breaks: readonly number[];
  /** null: no look follows, the chance is 1. */
  readonly pass: ((u: number) => number) | null;
}

interface Step {
  readonly n: number;
  readonly next: number;
  readonly ahead: Ahead;
  readonly points: number;
}

function boundAt(n: number, level: number): number {
  const c = criticalT(level, n - 1);
  return c / Math.sqrt(n - 1 + c * c);
}

/** Where the chance is not smooth in u: |u| at the next look starts to reach, or always could pass, its bound or a break of its own. */
function breaksOf(step: Step, bound: number): readonly number[] {
  const { n, next, ahead } = step;
  // The chance has about (next - n) / 2 derivatives there: with enough new pairs the corner is too faint to matter.
  if (next - n > 4) return [];
  const places = [ahead.bound, ...ahead.breaks].flatMap((place) => {
    const reach = (next * place ** 2 - (next - n)) / n;
    return [reach > 0 ? Math.sqrt(reach) : 0, place * Math.sqrt(next / n)];
  });
  // Beyond a few, a corner has been smoothed by as many integrals and no longer matters.
  return sortedInside(places.slice(0, 6), 0, bound);
}

/** Chance to pass the next look and all after it, given u >= 0 now: the integral over psi. */
function passStep(step: Step, u: number): number {
  const { n, next, ahead } = step;
  const m = next - n;
  const along = Math.sqrt(n / next) * u;
  const across = Math.sqrt(m / next);
  const peak = Math.atan2(Math.sqrt(m - 1), Math.sqrt(n - 1));
  const width = 1 / Math.sqrt(2 * (next - 2));
  const corners = [ahead.bound, ...ahead.breaks].flatMap((place) => cornersOf(along, across, place));
  const total = integrate(
    (psi) => {
      const density = Math.cos(psi) ** (n - 1) * Math.sin(psi) ** (m - 1);
      return density * passGivenSplit(step, along * Math.cos(psi), across * Math.sin(psi));
    },
    around({ peak, width, low: 0, high: Math.PI / 2, corners }),
    step.points,
  );
  return (2 * total) / Math.exp(logBeta(n / 2, m / 2));
}

/** The psi at which `along cos(psi) +- across sin(psi)` crosses +-place. */
function cornersOf(along: number, across: number, place: number): readonly number[] {
  const radius = Math.hypot(along, across);
  if (place >= radius) return [];
  const tilt = Math.atan2(across, along);
  const opening = Math.acos(place / radius);
  return [tilt - opening, tilt + opening, opening - tilt, Math.PI - opening - tilt];
}

/** Chance to pass given u_next = centre + reach * v: the integral over v = cos(phi) with density sin(phi)^(m - 2) d(phi). */
function passGivenSplit(step: Step, centre: number, reach: number): number {
  const { bound, breaks, pass } = step.ahead;
  const m = step.next - step.n;
  const passAt = (u: number): number => (pass === null ? 1 : pass(Math.abs(u)));
  if (m === 1) {
    const ends = [centre + reach, centre - reach];
    return ends.reduce((sum, u) => sum + (Math.abs(u) <= bound ? passAt(u) / 2 : 0), 0);
  }
  const phiAt = (u: number): number => Math.acos(Math.max(-1, Math.min(1, (u - centre) / reach)));
  const corners = breaks.flatMap((u) => [phiAt(u), phiAt(-u)]);
  const pieces = around({ peak: Math.PI / 2, width: 1 / Math.sqrt(m), low: phiAt(bound), high: phiAt(-bound), corners });
  const total = integrate((phi) => Math.sin(phi) ** (m - 2) * passAt(centre + reach * Math.cos(phi)), pieces, step.points);
  return total / Math.exp(logBeta((m - 1) / 2, 0.5));
}

/** Averages the chance to pass over u at the first look, whose density is sin(phi)^(n - 2) d(phi) at u = cos(phi). */
function passFirst(n: number, ahead: Ahead, points: number): number {
  const pieces = around({
    peak: Math.PI / 2,
    width: 1 / Math.sqrt(n),
    low: Math.acos(ahead.bound),
    high: Math.PI / 2,
    corners: ahead.breaks.map((u) => Math.acos(u)),
  });
  const total = integrate((phi) => Math.sin(phi) ** (n - 2) * (ahead.pass?.(Math.cos(phi)) ?? 1), pieces, points);
  return (2 * total) / Math.exp(logBeta((n - 1) / 2, 0.5));
}

interface Bump {
  /** Where the density is largest, and its width there. */
  readonly peak: number;
  readonly width: number;
  readonly low: number;
  readonly high: number;
  readonly corners: readonly number[];
}

/** Ends of smooth pieces that cover all of [low, high] that matters: nothing beyond 10 widths, and no piece wider than 5. */
function around(bump: Bump): readonly number[] {
  const low = Math.max(bump.low, bump.peak - 10 * bump.width);
  const high = Math.min(bump.high, bump.peak + 10 * bump.width);
  if (!(low < high)) return [];
  const steps = [-5, 0, 5].map((by) => bump.peak + by * bump.width);
  return [low, ...sortedInside([...bump.corners, ...(high - low > 5 * bump.width ? steps : [])], low, high), high];
}

function sortedInside(values: readonly number[], low: number, high: number): readonly number[] {
  const margin = 1e-9;
  const inside = values.filter((value) => value > low + margin && value < high - margin).sort((x, y) => x - y);
  return inside.filter((value, i) => i === 0 || value - (inside[i - 1] ?? 0) > margin);
}
