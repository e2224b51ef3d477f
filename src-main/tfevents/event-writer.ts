// Writes event files that TensorBoard and our reader understand; the runner and tests import it.
import { frameRecord } from './framing.ts';
import { WireBuilder } from './wire-builder.ts';

export interface ScalarValue {
  readonly tag: string;
  readonly value: number;
  /**
   * `simple` (the default) is what every reader knows, as float32. `float` and `double` are tensors of the scalars
   * plugin; only `double` keeps all digits, and integers above 2^24.
   */
  readonly form?: 'simple' | 'float' | 'double';
}

/** When an event happened: training step (a safe integer) and seconds since 1970. */
export interface EventTime {
  readonly step: number;
  readonly wallTime: number;
}

export interface EventWriter {
  /** One event with these values. Throws RangeError when the step is no safe integer; then nothing was written. */
  scalars(time: EventTime, values: readonly ScalarValue[]): void;
  /** Says that this session takes over at `step`: readers drop earlier points at that step or later. */
  sessionStart(time: EventTime): void;
}

const FILE_VERSION = 'brain.Event:2';
const STATUS_START = 1;
const DT_FLOAT = 1;
const DT_DOUBLE = 2;

/**
 * Writes the first record at once. `sink` gets one whole record a call, in file order, and owns the bytes;
 * what it throws passes through, and the record counts as not written.
 */
export function makeEventWriter(sink: (record: Uint8Array) => void, wallTime: number): EventWriter {
  const describedTags = new Set<string>();
  const write = (event: WireBuilder): void => sink(frameRecord(event.finish()));
  write(new WireBuilder().double(1, wallTime).text(3, FILE_VERSION));
  return {
    scalars(time, values) {
      const summary = new WireBuilder();
      const described: string[] = [];
      for (const scalar of values) {
        const isNew = isTensor(scalar) && !describedTags.has(scalar.tag) && !described.includes(scalar.tag);
        if (isNew) described.push(scalar.tag);
        summary.message(1, valueMessage(scalar, isNew));
      }
      write(eventAt(time).message(5, summary));
      for (const tag of described) describedTags.add(tag);
    },
    sessionStart(time) {
      write(eventAt(time).message(7, new WireBuilder().int64(1, STATUS_START)));
    },
  };
}

/** A step of 0 is left out, as protobuf leaves out defaults. */
function eventAt({ step, wallTime }: EventTime): WireBuilder {
  const event = new WireBuilder().double(1, wallTime);
  return step === 0 ? event : event.int64(2, step);
}

function isTensor({ form }: ScalarValue): boolean {
  return form === 'float' || form === 'double';
}

/** `isDescribed`: with the metadata that a tag's first tensor must carry. */
function valueMessage({ tag, value, form }: ScalarValue, isDescribed: boolean): WireBuilder {
  const message = new WireBuilder().text(1, tag);
  if (form === undefined || form === 'simple') return message.float(2, value);
  message.message(8, tensor(value, form));
  if (!isDescribed) return message;
  const plugin = new WireBuilder().text(1, 'scalars');
  return message.message(9, new WireBuilder().message(1, plugin));
}

/** A TensorProto of rank 0: an empty shape and one packed value. */
function tensor(value: number, form: 'float' | 'double'): WireBuilder {
  const raw = new DataView(new ArrayBuffer(form === 'double' ? 8 : 4));
  if (form === 'double') raw.setFloat64(0, value, true);
  else raw.setFloat32(0, value, true);
  return new WireBuilder()
    .int64(1, form === 'double' ? DT_DOUBLE : DT_FLOAT)
    .bytes(2, new Uint8Array(0))
    .bytes(form === 'double' ? 6 : 5, new Uint8Array(raw.buffer));
}
