// Matrix products on typed arrays: one register-tiled kernel with strides serves all three forms that an MLP needs.
// Imported by backend/plain.

export interface Matrix {
  readonly data: Float32Array;
  /** Offset of element (0, 0). */
  readonly at: number;
  /** Distance between rows and between columns. */
  readonly row: number;
  readonly column: number;
}

/** Length of one stretch of the sum: two operands of 64 x 64 floats fit in a first-level cache. */
const STRETCH = 64;

/**
 * c[i, j] = sum over k of a[i, k] * b[k, j], for m x n results in c (row-major from its start `at`, c.column = 1).
 * Sums run in double precision in the order of k and are rounded to float32 after every 64 terms: the result does not
 * depend on the tiling.
 */
export function multiply(a: Matrix, b: Matrix, c: Matrix, m: number, n: number, k: number): void {
  const mTiled = m - (m % 4);
  const nTiled = n - (n % 2);
  for (let from = 0; from < k; from += STRETCH) {
    const count = Math.min(STRETCH, k - from);
    const aAt = a.at + from * a.column;
    const bAt = b.at + from * b.row;
    tiles(a.data, aAt, a.row, a.column, b.data, bAt, b.row, b.column, c.data, c.at, c.row, mTiled, nTiled, count, from > 0);
    if (nTiled < n) edge(a, b, c, 0, mTiled, nTiled, n, from, count);
    if (mTiled < m) edge(a, b, c, mTiled, m, 0, n, from, count);
  }
}

/** The 4 x 2 tiles. Arguments are scalars because a property read inside the loops costs a tenth of the speed. */
function tiles(
  a: Float32Array, aAt: number, aRow: number, aCol: number,
  b: Float32Array, bAt: number, bRow: number, bCol: number,
  c: Float32Array, cAt: number, cRow: number,
  m: number, n: number, k: number, isAdding: boolean,
): void {
  for (let i = 0; i < m; i += 4) {
    for (let j = 0; j < n; j += 2) {
      const o = cAt + i * cRow + j;
      let c00 = 0, c01 = 0, c10 = 0, c11 = 0, c20 = 0, c21 = 0, c30 = 0, c31 = 0;
      if (isAdding) {
        c00 = c[o]!;
        c01 = c[o + 1]!;
        c10 = c[o + cRow]!;
        c11 = c[o + cRow + 1]!;
        c20 = c[o + 2 * cRow]!;
        c21 = c[o + 2 * cRow + 1]!;
        c30 = c[o + 3 * cRow]!;
        c31 = c[o + 3 * cRow + 1]!;
      }
      let ia = aAt + i * aRow;
      let ib = bAt + j * bCol;
      for (let l = 0; l < k; l++) {
        const b0 = b[ib]!;
        const b1 = b[ib + bCol]!;
        const a0 = a[ia]!;
        c00 += a0 * b0;
        c01 += a0 * b1;
        const a1 = a[ia + aRow]!;
        c10 += a1 * b0;
        c11 += a1 * b1;
        const a2 = a[ia + 2 * aRow]!;
        c20 += a2 * b0;
        c21 += a2 * b1;
        const a3 = a[ia + 3 * aRow]!;
        c30 += a3 * b0;
        c31 += a3 * b1;
        ia += aCol;
        ib += bRow;
      }
      c[o] = c00;
      c[o + 1] = c01;
      c[o + cRow] = c10;
      c[o + cRow + 1] = c11;
      c[o + 2 * cRow] = c20;
      c[o + 2 * cRow + 1] = c21;
      c[o + 3 * cRow] = c30;
      c[o + 3 * cRow + 1] = c31;
    }
  }
}

/** Rows i0..i1 and columns j0..j1 of one stretch, one element at a time: what the tiles leave over. */
function edge(a: Matrix, b: Matrix, c: Matrix, i0: number, i1: number, j0: number, j1: number, from: number, count: number): void {
  for (let i = i0; i < i1; i++) {
    for (let j = j0; j < j1; j++) {
      const o = c.at + i * c.row + j;
      let sum = from > 0 ? c.data[o]! : 0;
      let ia = a.at + i * a.row + from * a.column;
      let ib = b.at + j * b.column + from * b.row;
      for (let l = 0; l < count; l++, ia += a.column, ib += b.row) sum += a.data[ia]! * b.data[ib]!;
      c.data[o] = sum;
    }
  }
}
