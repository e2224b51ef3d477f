// Keeps account of a verification: what was computed again, how often, and what could not be. This room only.
import type { EvidenceIndex } from '../../../src-protocol/files/evidence-index.ts';
import { bundleName, bundleRoot } from './bundle-place.ts';

export interface Account {
  readonly recomputed: readonly { readonly what: string; readonly count: number }[];
  readonly notRecomputed: readonly { readonly what: string; readonly why: string }[];
  /** Whether something is missing that a whole bundle would have. */
  readonly isPartial: boolean;
  computed(what: string, count?: number): void;
  notComputed(what: string, why: string): void;
  /** As notComputed, for what a whole bundle would let anybody compute. */
  missing(what: string, why: string): void;
  /** Whether a file was changed on its way into the bundle, by its own word. */
  isRedacted(file: string): boolean;
}

export function makeAccount(index: Pick<EvidenceIndex, 'redacted'>): Account {
  const counts = new Map<string, number>();
  const not: { what: string; why: string }[] = [];
  const redacted = new Set(index.redacted);
  let isPartial = redacted.size > 0;
  const notComputed = (what: string, why: string) => {
    if (!not.some((one) => one.what === what && one.why === why)) not.push({ what, why });
  };
  return {
    get recomputed() {
      return [...counts].map(([what, count]) => ({ what, count }));
    },
    notRecomputed: not,
    get isPartial() {
      return isPartial;
    },
    computed: (what, count = 1) => void counts.set(what, (counts.get(what) ?? 0) + count),
    notComputed,
    missing(what, why) {
      isPartial = true;
      notComputed(what, why);
    },
    isRedacted: (file) => redacted.has(bundleName(bundleRoot, file)),
  };
}
