// One signal out of several: it aborts when any of them does. Imported by dispatch only.
import type { CancelSignal } from '../../../src-protocol/client.ts';

export interface LinkedSignal {
  readonly controller: AbortController;
  /** Lets go of the other signals; without it each call would leave a listener on the program's own. */
  unlink(): void;
}

export function linkSignals(signals: readonly (CancelSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  const linked = signals.filter((signal) => signal !== undefined);
  for (const signal of linked) {
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }
  return { controller, unlink: () => linked.forEach((signal) => signal.removeEventListener('abort', onAbort)) };
}
