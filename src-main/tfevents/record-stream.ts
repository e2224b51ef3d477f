// Cuts the bytes of one file into checked TFRecord payloads, whatever the pushes look like; only event-reader.ts imports it.
import { FRAME_BYTES, HEADER_BYTES, TOO_LONG, isDataSound, readLength } from './framing.ts';
import { HeldBytes, viewOf } from './held-bytes.ts';

export type DamageReason = 'length-crc' | 'too-long' | 'zeros-before-data';
export type Tail = 'none' | 'partial' | 'zeros';

/** Given every payload whose CRC is right: `bytes[start..end)`, valid only during the call. */
export interface PayloadSink {
  decode(bytes: Uint8Array, view: DataView, start: number, end: number): void;
}

// A header that begins with zeros (its length is a multiple of 256) may hide in the end of a run of zeros.
const ZEROS_KEPT = 8;
// A scan may check this much data in vain; past it the length CRC alone is believed, so that time stays linear.
const VAIN_BYTES = 64 * 1024 * 1024;
const TOP_UP_BYTES = 4096;

/** The framing state of one file. Invariant: position = offset + zero bytes passed over + bytes held. */
export class RecordStream {
  /** Byte position of the first record that is not consumed. */
  offset = 0;
  mode: 'reading' | 'zeros' | 'scanning' | 'damaged' = 'reading';
  damage: { readonly atByte: number; readonly reason: DamageReason } | undefined;
  records = 0;
  badRecords = 0;
  damages = 0;
  skippedBytes = 0;

  readonly #held = new HeldBytes();
  #zeroBytes = 0;
  #neededBytes = HEADER_BYTES;
  #vainBytes = 0;
  #isSalvaging = false;

  /** Where the next pushed byte belongs in the file. */
  get position(): number {
    return this.offset + this.#zeroBytes + this.#held.length;
  }

  get tail(): Tail {
    if (this.#zeroBytes > 0) return 'zeros';
    if (this.#held.length === 0) return 'none';
    return isZero(this.#held.bytes, this.#held.start, this.#held.end) ? 'zeros' : 'partial';
  }

  /** Forgets the unconsumed tail, so that `position` is `offset` again. */
  rewind(): void {
    this.#held.clear();
    this.#zeroBytes = 0;
    this.#neededBytes = HEADER_BYTES;
    if (this.mode === 'zeros') this.mode = 'reading';
  }

  /** From now on passes over damaged stretches by itself; a damaged stream looks for a sound record from `offset` on. */
  salvage(): void {
    this.#isSalvaging = true;
    if (this.#isDamaged()) this.mode = 'scanning';
  }

  /** Takes the bytes at `position`; a damaged stream leaves them. */
  push(bytes: Uint8Array, sink: PayloadSink): void {
    const held = this.#held;
    let at = 0;
    while (at < bytes.length && !this.#isDamaged()) {
      if (held.length === 0) {
        const stop = this.#walk(bytes, viewOf(bytes), at, bytes.length, sink);
        if (!this.#isDamaged()) held.append(bytes, stop, bytes.length);
        return;
      }
      const taken = Math.min(bytes.length - at, Math.max(this.#neededBytes - held.length, TOP_UP_BYTES));
      held.append(bytes, at, at + taken);
      at += taken;
      if (held.length < this.#neededBytes) continue;
      held.dropUntil(this.#walk(held.bytes, held.view, held.start, held.end, sink));
      if (this.#isDamaged()) held.clear();
      if (held.length <= taken) {
        // What is left came from this push alone: read it in place instead.
        at -= held.length;
        held.clear();
      }
    }
  }

  /** Consumes what it can of `bytes[from..to)`; gives the index of the first byte to hold. */
  #walk(bytes: Uint8Array, view: DataView, from: number, to: number, sink: PayloadSink): number {
    let at = from;
    for (;;) {
      if (this.mode === 'zeros') at = this.#walkZeros(bytes, at, to);
      if (this.mode === 'scanning') at = this.#walkScan(view, at, to);
      if (this.mode !== 'reading') return at;
      at = this.#walkRecords(bytes, view, at, to, sink);
      if (this.#isWaiting() || this.#isDamaged()) return at;
    }
  }

  #walkRecords(bytes: Uint8Array, view: DataView, from: number, to: number, sink: PayloadSink): number {
    let at = from;
    this.#neededBytes = HEADER_BYTES;
    while (at + HEADER_BYTES <= to) {
      const length = readLength(view, at);
      if (length < 0) {
        this.offset += at - from;
        if (isZero(bytes, at, at + HEADER_BYTES)) this.mode = 'zeros';
        else this.#meetDamage(length === TOO_LONG ? 'too-long' : 'length-crc');
        return at;
      }
      const dataStart = at + HEADER_BYTES;
      const dataEnd = dataStart + length;
      if (dataEnd + 4 > to) {
        this.#neededBytes = FRAME_BYTES + length;
        break;
      }
      if (isDataSound(view, dataStart, dataEnd)) {
        this.records += 1;
        sink.decode(bytes, view, dataStart, dataEnd);
      } else {
        this.badRecords += 1;
      }
      at = dataEnd + 4;
    }
    this.offset += at - from;
    return at;
  }

  #walkZeros(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to && bytes[at] === 0) at += 1;
    const stop = Math.max(from, at - ZEROS_KEPT);
    this.#zeroBytes += stop - from;
    this.#neededBytes = to - stop + 1;
    if (at < to) this.#meetDamage('zeros-before-data');
    return stop;
  }

  #walkScan(view: DataView, from: number, to: number): number {
    let at = from;
    this.#neededBytes = HEADER_BYTES;
    for (; at + HEADER_BYTES <= to; at += 1) {
      if (view.getUint32(at + 4, true) !== 0) continue; // no believable length; cheaper than its CRC
      const length = readLength(view, at);
      if (length < 0) continue;
      const dataEnd = at + HEADER_BYTES + length;
      if (dataEnd + 4 > to) {
        this.#neededBytes = FRAME_BYTES + length;
        break;
      }
      if (isDataSound(view, at + HEADER_BYTES, dataEnd) || this.#vainBytes > VAIN_BYTES) {
        this.mode = 'reading';
        break;
      }
      this.#vainBytes += length;
    }
    this.#pass(at - from);
    return at;
  }

  #meetDamage(reason: DamageReason): void {
    this.damage = { atByte: this.offset, reason };
    this.damages += 1;
    if (this.#isSalvaging) {
      this.mode = 'scanning';
      this.#pass(this.#zeroBytes);
    } else {
      this.mode = 'damaged';
    }
    this.#zeroBytes = 0;
  }

  #pass(count: number): void {
    this.offset += count;
    this.skippedBytes += count;
  }

  #isDamaged(): boolean {
    return this.mode === 'damaged';
  }

  #isWaiting(): boolean {
    return this.mode === 'reading';
  }
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] !== 0) return false;
  return true;
}
