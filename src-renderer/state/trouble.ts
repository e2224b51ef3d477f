// A "no" as the page keeps it: a refusal with its next step, or a fault with its id. Imported by the slices and features.
import type { Fault, Refusal } from '../../src-protocol/refusal.ts';

export type Trouble = { readonly is: 'refusal'; readonly refusal: Refusal } | { readonly is: 'fault'; readonly fault: Fault };

/** Null when neither is there. */
export function troubleOf(given: { readonly refusal?: Refusal; readonly fault?: Fault }): Trouble | null {
  if (given.refusal !== undefined) return { is: 'refusal', refusal: given.refusal };
  return given.fault === undefined ? null : { is: 'fault', fault: given.fault };
}
