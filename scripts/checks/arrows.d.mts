// Types of arrows.mjs, for the tests in test/architecture.
export interface SourceText {
  /** Relative to the checkout, with forward slashes. */
  readonly path: string;
  readonly text: string;
}
export function arrowProblems(home: string): readonly string[];
export function problemsIn(sources: readonly SourceText[]): readonly string[];
