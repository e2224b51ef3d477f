// Types of all.mjs, for the tests in test/architecture.
export interface Check {
  readonly name: string;
  run(home: string): readonly string[];
}
export const checks: readonly Check[];
