// Turns Ctrl-C (SIGINT) into a request to stop at the next update. Imported by the entries.
// SIGTERM keeps its default on purpose: a handler in JavaScript would make a blocked environment deaf to it.

export interface Interruption {
  readonly isRequested: () => boolean;
  dispose(): void;
}

/** The first SIGINT is noted; the second ends the process as if nobody had listened. */
export function watchInterruption(): Interruption {
  let isRequested = false;
  const note = (): void => {
    isRequested = true;
  };
  process.once('SIGINT', note);
  return { isRequested: () => isRequested, dispose: () => process.off('SIGINT', note) };
}
