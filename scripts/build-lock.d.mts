// Types of build-lock.mjs, for its test.
export function withBuildLock<Built>(folder: string, work: () => Promise<Built>): Promise<Built>;
