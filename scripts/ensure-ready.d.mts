// Types of ensure-ready.mjs, for tests that start the built output.
export function ensureReady(): Promise<void>;
