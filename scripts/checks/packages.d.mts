// Types of packages.mjs, for the tests in test/architecture.
export const installScripts: Readonly<Record<string, string>>;
export function packageProblems(home: string): readonly string[];
export function pinProblems(manifest: { readonly dependencies?: Readonly<Record<string, string>> }): readonly string[];
export function lockProblems(lock: { readonly packages?: Readonly<Record<string, unknown>> }): readonly string[];
