// PPO's losses and their gradients by the networks' outputs, row by row. Part of the kernel module; AssemblyScript.
// Sources and signs: losses/ppo-surrogate.ts, losses/entropy.ts, losses/value.ts, which these are tested against.

/** What `categoricalHead` leaves at `figures`: six doubles, sums over the rows. */
export const enum Figure {
  Surrogate = 0,
  Kl = 8,
  Clipped = 16,
  Entropy = 24,
}

/**
 * From logits[rows][count]: the clipped surrogate less `entropyScale` times the entropy, its mean over the rows differentiated into
 * gradient[rows][count]. actions: i32[rows]; old, advantages: f32[rows]; scratch: f64[count].
 */
export function categoricalHead(logits: usize, rows: i32, count: i32, actions: usize, old: usize, advantages: usize, clip: f64, entropyScale: f64, gradient: usize, scratch: usize, figures: usize): void {
  let surrogate: f64 = 0;
  let kl: f64 = 0;
  let clipped: f64 = 0;
  let entropies: f64 = 0;
  for (let row = 0; row < rows; row++) {
    const at = <usize>(row * count) << 2;
    const logTotal = logSumExp(logits + at, count);
    let entropy: f64 = 0;
    for (let j = 0; j < count; j++) {
      const l = <f64>load<f32>(logits + at + (<usize>j << 2)) - logTotal;
      const p = Math.exp(l);
      store<f64>(scratch + (<usize>j << 3), p);
      if (l != -Infinity) entropy -= p * l;
    }
    const action = load<i32>(actions + (<usize>row << 2));
    const advantage = <f64>load<f32>(advantages + (<usize>row << 2));
    // Old log-probabilities are rounded to float32, so the new ones are too: the first pass has a ratio of exactly 1.
    const logRatio = <f64><f32>(<f64>load<f32>(logits + at + (<usize>action << 2)) - logTotal) - <f64>load<f32>(old + (<usize>row << 2));
    const ratio = Math.exp(logRatio);
    const free = advantage * ratio;
    const bounded = advantage * min(max(ratio, 1 - clip), 1 + clip);
    surrogate -= bounded < free ? bounded : free;
    kl += ratio - 1 - logRatio;
    if (abs(ratio - 1) > clip) clipped += 1;
    entropies += entropy;
    const slope: f64 = bounded < free ? 0 : -free / <f64>rows;
    const spread = entropyScale / <f64>rows;
    for (let j = 0; j < count; j++) {
      const p = load<f64>(scratch + (<usize>j << 3));
      let g = slope * ((j == action ? 1.0 : 0.0) - p);
      if (spread != 0) {
        const l = <f64>load<f32>(logits + at + (<usize>j << 2)) - logTotal;
        if (l != -Infinity) g += spread * p * (l + entropy);
      }
      store<f32>(gradient + at + (<usize>j << 2), <f32>g);
    }
  }
  store<f64>(figures, surrogate, Figure.Surrogate);
  store<f64>(figures, kl, Figure.Kl);
  store<f64>(figures, clipped, Figure.Clipped);
  store<f64>(figures, entropies, Figure.Entropy);
}

function logSumExp(logits: usize, count: i32): f64 {
  let most = -Infinity;
  for (let j = 0; j < count; j++) {
    const logit = <f64>load<f32>(logits + (<usize>j << 2));
    if (logit > most) most = logit;
  }
  let sum: f64 = 0;
  for (let j = 0; j < count; j++) sum += Math.exp(<f64>load<f32>(logits + (<usize>j << 2)) - most);
  return most + Math.log(sum);
}

/** gradient[row] = scale * d/dv of the mean of (v - target)^2; gives the sum of squares. */
export function valueHead(values: usize, targets: usize, rows: i32, scale: f64, gradient: usize): f64 {
  let total: f64 = 0;
  for (let at: usize = 0; at < <usize>rows << 2; at += 4) {
    const error = <f64>load<f32>(values + at) - <f64>load<f32>(targets + at);
    total += error * error;
    store<f32>(gradient + at, <f32>((2 * scale * error) / <f64>rows));
  }
  return total;
}
