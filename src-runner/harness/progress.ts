// The runner's lines on standard output, for people and for the watcher that sees a growing step number. Imported by the harness.

const MIN_GAP_MS = 250;

export interface Progress {
  /** At most one line per quarter second, and always the one with step >= total. `reward` is absent before an episode has finished. */
  report(step: number, reward: number | null): void;
}

/** `total` is the number of environment steps to reach; `write` takes whole lines. */
export function makeProgress(total: number, write: (line: string) => void, nowMs: () => number): Progress {
  const startedMs = nowMs();
  let lastMs = -Infinity;
  return {
    report(step, reward) {
      const now = nowMs();
      if (step < total && now - lastMs < MIN_GAP_MS) return;
      lastMs = now;
      const rate = step / Math.max(1e-3, (now - startedMs) / 1000);
      write(`step ${step}/${total}  reward ${reward === null ? '-' : reward.toFixed(1)}  ${formatRate(rate)}`);
    },
  };
}

function formatRate(stepsPerSecond: number): string {
  return stepsPerSecond >= 1000 ? `${(stepsPerSecond / 1000).toFixed(1)}k steps/s` : `${stepsPerSecond.toFixed(0)} steps/s`;
}
