// One scalar that a trainer wrote, with what it means to the rules. Rooms from metrics leftwards may import it.
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';

export type MetricMeaning = AdapterFile['metrics'][string]['meaning'];
export type MetricAxis = AdapterFile['metrics'][string]['axis'];

/** What a tag stands for: the adapter's own name for it, its meaning, and the unit of its steps. */
export interface MappedTag {
  /** The tag as adapter.yaml writes it. */
  readonly key: string;
  readonly meaning: MetricMeaning;
  readonly axis: MetricAxis;
  /** Logged at regular distances, and not whenever an episode ends. */
  readonly isRegular: boolean;
}

export interface MetricPoint {
  /** The tag as the trainer wrote it. */
  readonly tag: string;
  /** Null for tags the adapter does not map: signs of life, nothing more. */
  readonly mapped: MappedTag | null;
  /** On the tag's axis. */
  readonly step: number;
  /** Seconds since 1970 by the trainer's clock. */
  readonly wallTimeS: number;
  readonly value: number;
}
