// Adam and the norm of a gradient. Part of the kernel module; AssemblyScript.

/** Sum of squares of `count` floats, in double precision. */
export function squares(values: usize, count: i32): f64 {
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  let i = 0;
  let at = values;
  for (; i + 4 <= count; i += 4, at += 16) {
    const four = v128.load(at);
    const a = f64x2.promote_low_f32x4(four);
    const b = f64x2.promote_low_f32x4(v128.shuffle<f32>(four, four, 2, 3, 2, 3));
    low = f64x2.add(low, f64x2.mul(a, a));
    high = f64x2.add(high, f64x2.mul(b, b));
  }
  const both = f64x2.add(low, high);
  let sum = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
  for (; i < count; i++, at += 4) {
    const one = <f64>load<f32>(at);
    sum += one * one;
  }
  return sum;
}

/**
 * One step on `count` parameters, whose arrays are padded to whole vectors: g = gradient * scale, both moments, and
 * parameter -= size * m / (sqrt(v) / correction + 1e-8). `size` = rate / (1 - .9^t), `correction` = sqrt(1 - .999^t).
 * Source: Kingma and Ba 2015, algorithm 1; torch's order of operations.
 */
export function adam(parameters: usize, gradient: usize, first: usize, second: usize, count: i32, scale: f32, size: f32, correction: f32): void {
  const beta1 = f32x4.splat(0.9);
  const beta2 = f32x4.splat(0.999);
  const rest1 = f32x4.splat(<f32>(1.0 - 0.9));
  const rest2 = f32x4.splat(<f32>(1.0 - 0.999));
  const scales = f32x4.splat(scale);
  const sizes = f32x4.splat(size);
  const corrections = f32x4.splat(correction);
  const epsilon = f32x4.splat(1e-8);
  for (let at: usize = 0; at < <usize>count << 2; at += 16) {
    const g = f32x4.mul(v128.load(gradient + at), scales);
    const m = f32x4.add(f32x4.mul(beta1, v128.load(first + at)), f32x4.mul(rest1, g));
    const v = f32x4.add(f32x4.mul(beta2, v128.load(second + at)), f32x4.mul(rest2, f32x4.mul(g, g)));
    v128.store(first + at, m);
    v128.store(second + at, v);
    const by = f32x4.add(f32x4.div(f32x4.sqrt(v), corrections), epsilon);
    v128.store(parameters + at, f32x4.sub(v128.load(parameters + at), f32x4.div(f32x4.mul(sizes, m), by)));
  }
}
