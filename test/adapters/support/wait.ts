// Waiting in tests of real processes.

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves once `check` gives something truthy; rejects with `what` after `limitMs`. */
export async function until<T>(what: string, check: () => T | Promise<T>, limitMs = 5_000): Promise<NonNullable<T>> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const value = await check();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > endMs) throw new Error(`Waited ${limitMs} ms in vain for: ${what}`);
    await sleep(10);
  }
}
