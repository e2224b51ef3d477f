// Gauss-Legendre quadrature rules. Imported by the numerical integrals of this folder.

export interface QuadratureRule {
  /** In (-1, 1), rising. */
  readonly nodes: readonly number[];
  /** Sum to 2. */
  readonly weights: readonly number[];
}

/** The rule with `count` nodes, exact for polynomials of degree 2 count - 1. Source: Newton's method on the Legendre recurrence (DLMF 3.5(v)). */
export function gaussLegendre(count: number): QuadratureRule {
  const nodes: number[] = [];
  const weights: number[] = [];
  for (let i = count; i >= 1; i -= 1) {
    let x = Math.cos((Math.PI * (i - 0.25)) / (count + 0.5));
    let slope = 0;
    for (let turn = 0; turn < 100; turn += 1) {
      const value = legendre(count, x);
      slope = value.slope;
      const step = value.value / slope;
      x -= step;
      if (Math.abs(step) < 1e-15) break;
    }
    nodes.push(x);
    weights.push(2 / ((1 - x * x) * slope * slope));
  }
  return { nodes, weights };
}

/**
 * The integral of `f` over pieces with the given ends (rising; fewer than two: 0), `count` points a piece. Between two ends f may
 * behave like a square root at either of them: the points are squeezed there by a sine, which makes such a function smooth.
 */
export function integrate(f: (x: number) => number, ends: readonly number[], count: number): number {
  const { nodes, weights } = squeezedRule(count);
  let total = 0;
  for (let i = 0; i + 1 < ends.length; i += 1) {
    const low = ends[i] ?? 0;
    const half = ((ends[i + 1] ?? 0) - low) / 2;
    for (let j = 0; j < nodes.length; j += 1) total += half * (weights[j] ?? 0) * f(low + half * (1 + (nodes[j] ?? 0)));
  }
  return total;
}

function squeezedRule(count: number): QuadratureRule {
  const known = squeezed.get(count);
  if (known !== undefined) return known;
  const plain = gaussLegendre(count);
  const angles = plain.nodes.map((node) => (Math.PI / 2) * node);
  const rule = {
    nodes: angles.map((angle) => Math.sin(angle)),
    weights: plain.weights.map((weight, i) => weight * (Math.PI / 2) * Math.cos(angles[i] ?? 0)),
  };
  squeezed.set(count, rule);
  return rule;
}

const squeezed = new Map<number, QuadratureRule>();

function legendre(degree: number, x: number): { readonly value: number; readonly slope: number } {
  let previous = 1;
  let value = x;
  for (let n = 2; n <= degree; n += 1) {
    const next = ((2 * n - 1) * x * value - (n - 1) * previous) / n;
    previous = value;
    value = next;
  }
  return { value, slope: (degree * (x * value - previous)) / (x * x - 1) };
}
