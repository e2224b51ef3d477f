// Matrix products: C = A * B in 4 x 8 register tiles, B packed in panels of 8 columns. Part of the kernel module; AssemblyScript.
// All addresses are byte offsets into the one memory; lengths count elements; A is reached by strides, so one kernel serves
// the three products that a layer needs.
import { multiplyAdd } from './arithmetic';
import { tanhOf } from './tanh';

/** What happens to a tile before it is stored. */
export const enum Finish {
  /** C as it is. */
  Plain = 0,
  /** C + bias, by column. */
  Bias = 1,
  /** tanh(C + bias). */
  BiasTanh = 2,
  /** C * (1 - y * y), y the stored outputs of a tanh layer in the layout of C. */
  ThroughTanh = 3,
}

/** Floats that a packed matrix of k rows and n columns takes. */
export function packedSize(k: i32, n: i32): i32 {
  return ((n + 7) >> 3) * k * 8;
}

/** Packs B[k][n] (element at b + (row * bRow + column * bColumn) * 4) into panels [ceil(n / 8)][k][8]; missing columns are 0. */
export function pack(b: usize, bRow: i32, bColumn: i32, k: i32, n: i32, into: usize): void {
  let to = into;
  for (let j = 0; j < n; j += 8) {
    const width = min(8, n - j);
    if (width == 8 && bColumn == 1) {
      let from = b + (<usize>j << 2);
      for (let l = 0; l < k; l++, from += <usize>bRow << 2, to += 32) {
        v128.store(to, v128.load(from));
        v128.store(to, v128.load(from, 16), 16);
      }
      continue;
    }
    if (width == 8 && bRow == 1) {
      to = packTransposed(b + (<usize>(j * bColumn) << 2), <usize>bColumn << 2, k, to);
      continue;
    }
    for (let l = 0; l < k; l++, to += 32) {
      for (let i = 0; i < 8; i++) {
        const value = i < width ? load<f32>(b + (<usize>(l * bRow + (j + i) * bColumn) << 2)) : <f32>0;
        store<f32>(to + (<usize>i << 2), value);
      }
    }
  }
}

/** A panel whose 8 columns lie one after the other in memory, `column` bytes apart: blocks of 4 x 4 are turned round. */
function packTransposed(from: usize, column: usize, k: i32, into: usize): usize {
  let to = into;
  let l = 0;
  for (; l + 4 <= k; l += 4, to += 128) {
    const at = from + (<usize>l << 2);
    transposeInto(at, column, to);
    transposeInto(at + 4 * column, column, to + 16);
  }
  for (; l < k; l++, to += 32) {
    const at = from + (<usize>l << 2);
    for (let i: usize = 0; i < 8; i++) store<f32>(to + (i << 2), load<f32>(at + i * column));
  }
  return to;
}

// @ts-ignore: decorator
@inline
function transposeInto(at: usize, column: usize, to: usize): void {
  const a = v128.load(at);
  const b = v128.load(at + column);
  const c = v128.load(at + 2 * column);
  const d = v128.load(at + 3 * column);
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const AB = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const CD = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
  v128.store(to, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 32);
  v128.store(to, v128.shuffle<f32>(AB, CD, 0, 1, 4, 5), 64);
  v128.store(to, v128.shuffle<f32>(AB, CD, 2, 3, 6, 7), 96);
}

/**
 * C[m][n] (row-major, cRow floats a row) from A (element at a + (row * aRow + column * aColumn) * 4) and B packed, over k terms in order.
 * `extra`: the bias (n floats) or the tanh outputs, as `finish` says; else unused.
 */
export function multiply(a: usize, aRow: i32, aColumn: i32, b: usize, c: usize, cRow: i32, m: i32, n: i32, k: i32, finish: i32, extra: usize): void {
  const row = <usize>aRow << 2;
  const step = <usize>aColumn << 2;
  const down = <usize>cRow << 2;
  for (let j = 0; j < n; j += 8) {
    const panel = b + (<usize>(j * k) << 2);
    const width = min(8, n - j);
    const right = <usize>j << 2;
    let i = 0;
    for (; i + 4 <= m; i += 4) tile4(a + <usize>i * row, row, step, panel, c + <usize>i * down + right, down, k, width, finish, finishAt(extra, finish, <usize>i * down, right));
    for (; i < m; i++) tile1(a + <usize>i * row, step, panel, c + <usize>i * down + right, k, width, finish, finishAt(extra, finish, <usize>i * down, right));
  }
}

// @ts-ignore: decorator
@inline
function finishAt(extra: usize, finish: i32, below: usize, right: usize): usize {
  return finish == Finish.ThroughTanh ? extra + below + right : extra + right;
}

function tile4(a: usize, row: usize, step: usize, panel: usize, c: usize, down: usize, k: i32, width: i32, finish: i32, extra: usize): void {
  let c00 = f32x4.splat(0), c01 = f32x4.splat(0);
  let c10 = f32x4.splat(0), c11 = f32x4.splat(0);
  let c20 = f32x4.splat(0), c21 = f32x4.splat(0);
  let c30 = f32x4.splat(0), c31 = f32x4.splat(0);
  let a1 = a + row, a2 = a1 + row, a3 = a2 + row;
  const end = panel + (<usize>k << 5);
  for (let at = panel; at < end; at += 32) {
    const b0 = v128.load(at);
    const b1 = v128.load(at, 16);
    const x0 = v128.load32_splat(a);
    c00 = multiplyAdd(x0, b0, c00);
    c01 = multiplyAdd(x0, b1, c01);
    const x1 = v128.load32_splat(a1);
    c10 = multiplyAdd(x1, b0, c10);
    c11 = multiplyAdd(x1, b1, c11);
    const x2 = v128.load32_splat(a2);
    c20 = multiplyAdd(x2, b0, c20);
    c21 = multiplyAdd(x2, b1, c21);
    const x3 = v128.load32_splat(a3);
    c30 = multiplyAdd(x3, b0, c30);
    c31 = multiplyAdd(x3, b1, c31);
    a += step;
    a1 += step;
    a2 += step;
    a3 += step;
  }
  const next: usize = finish == Finish.ThroughTanh ? down : 0;
  put(c, c00, c01, width, finish, extra);
  put(c + down, c10, c11, width, finish, extra + next);
  put(c + 2 * down, c20, c21, width, finish, extra + 2 * next);
  put(c + 3 * down, c30, c31, width, finish, extra + 3 * next);
}

function tile1(a: usize, step: usize, panel: usize, c: usize, k: i32, width: i32, finish: i32, extra: usize): void {
  let c0 = f32x4.splat(0), c1 = f32x4.splat(0);
  const end = panel + (<usize>k << 5);
  for (let at = panel; at < end; at += 32, a += step) {
    const x = v128.load32_splat(a);
    c0 = multiplyAdd(x, v128.load(at), c0);
    c1 = multiplyAdd(x, v128.load(at, 16), c1);
  }
  put(c, c0, c1, width, finish, extra);
}

/** Finishes eight sums of one row and stores the first `width` of them. */
// @ts-ignore: decorator
@inline
function put(c: usize, low: v128, high: v128, width: i32, finish: i32, extra: usize): void {
  if (width == 8) {
    v128.store(c, finished(low, finish, extra));
    v128.store(c, finished(high, finish, extra + 16), 16);
  } else {
    putPart(c, low, high, width, finish, extra);
  }
}

function putPart(c: usize, low: v128, high: v128, width: i32, finish: i32, extra: usize): void {
  let at = c;
  let from = extra;
  let part = low;
  let left = width;
  if (left >= 4) {
    v128.store(at, finished(part, finish, from));
    at += 16;
    from += 16;
    part = high;
    left -= 4;
  }
  if (left == 0) return;
  // The extra values beyond the width are somebody else's; they are read (the memory is longer) and thrown away.
  part = finished(part, finish, from);
  store<f32>(at, f32x4.extract_lane(part, 0));
  if (left > 1) store<f32>(at, f32x4.extract_lane(part, 1), 4);
  if (left > 2) store<f32>(at, f32x4.extract_lane(part, 2), 8);
}

// @ts-ignore: decorator
@inline
function finished(sum: v128, finish: i32, extra: usize): v128 {
  if (finish == Finish.BiasTanh) return tanhOf(f32x4.add(sum, v128.load(extra)));
  if (finish == Finish.Bias) return f32x4.add(sum, v128.load(extra));
  if (finish == Finish.ThroughTanh) {
    const y = v128.load(extra);
    return f32x4.mul(sum, f32x4.sub(f32x4.splat(1), f32x4.mul(y, y)));
  }
  return sum;
}

/** into[n] = sum over the m rows of a[m][n]. */
export function sumRows(a: usize, m: i32, n: i32, into: usize): void {
  const down = <usize>n << 2;
  let j = 0;
  for (; j + 4 <= n; j += 4) {
    let sum = f32x4.splat(0);
    let at = a + (<usize>j << 2);
    for (let i = 0; i < m; i++, at += down) sum = f32x4.add(sum, v128.load(at));
    v128.store(into + (<usize>j << 2), sum);
  }
  for (; j < n; j++) {
    let sum: f64 = 0;
    let at = a + (<usize>j << 2);
    for (let i = 0; i < m; i++, at += down) sum += <f64>load<f32>(at);
    store<f32>(into + (<usize>j << 2), <f32>sum);
  }
}
