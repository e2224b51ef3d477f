// Piecewise Chebyshev interpolation. Imported by the look recursion of this folder.

/**
 * A cheap stand-in for `f` on [breaks[0], breaks[last]], one polynomial through `count` points between two breaks.
 * Between two breaks f(x) may behave like a square root at either end: the points are spread by a sine, which makes such a function smooth.
 * Arguments outside are taken to the nearest end. Source: barycentric form, Berrut and Trefethen 2004, SIAM Review 46(3).
 */
export function interpolate(f: (x: number) => number, breaks: readonly number[], count: number): (x: number) => number {
  const pieces: Piece[] = [];
  for (let i = 0; i + 1 < breaks.length; i += 1) pieces.push(makePiece(f, breaks[i] ?? 0, breaks[i + 1] ?? 0, count));
  const last = pieces[pieces.length - 1];
  if (last === undefined) throw new RangeError('interpolation needs at least two breaks');
  return (x) => {
    for (const piece of pieces) if (x <= piece.high) return valueAt(piece, x);
    return valueAt(last, x);
  };
}

interface Piece {
  readonly high: number;
  readonly middle: number;
  readonly half: number;
  readonly points: readonly number[];
  readonly weights: readonly number[];
  readonly values: readonly number[];
}

function makePiece(f: (x: number) => number, low: number, high: number, count: number): Piece {
  const middle = (low + high) / 2;
  const half = (high - low) / 2;
  const points: number[] = [];
  const weights: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const angle = (Math.PI * (2 * i + 1)) / (2 * count);
    points.push(Math.cos(angle));
    weights.push((i % 2 === 0 ? 1 : -1) * Math.sin(angle));
    values.push(f(middle + half * Math.sin((Math.PI / 2) * Math.cos(angle))));
  }
  return { high, middle, half, points, weights, values };
}

function valueAt(piece: Piece, x: number): number {
  const position = Math.max(-1, Math.min(1, (x - piece.middle) / piece.half));
  const point = (2 / Math.PI) * Math.asin(position);
  let top = 0;
  let bottom = 0;
  for (let i = 0; i < piece.points.length; i += 1) {
    const distance = point - (piece.points[i] ?? 0);
    const value = piece.values[i] ?? 0;
    if (distance === 0) return value;
    const share = (piece.weights[i] ?? 0) / distance;
    top += share * value;
    bottom += share;
  }
  return top / bottom;
}
