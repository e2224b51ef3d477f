// Reads the protobuf wire format in place; the decoders of this folder import it.
// A malformed message never throws: the cursor marks itself failed and jumps to the end, which ends every loop over it.
// Specification: protobuf.dev/programming-guides/encoding.

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const FIXED32 = 5;

const TWO_32 = 4294967296;

/** A position inside one message. `end` is the end of the message being read, nested or not. */
export class WireCursor {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);
  at = 0;
  end = 0;
  isFailed = false;
  #wholeEnd = 0;
  #low = 0;
  #high = 0;

  /** Starts on the message in `bytes[start..end)`; `view` covers the same array. */
  open(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    this.bytes = bytes;
    this.view = view;
    this.at = start;
    this.end = end;
    this.#wholeEnd = end;
    this.isFailed = false;
  }

  /** Goes to the nested message from `start` to `end`. */
  enter(start: number, end: number): void {
    this.at = start;
    this.end = end;
  }

  /** Ends every loop over this message and those around it. */
  fail(): void {
    this.isFailed = true;
    this.at = this.#wholeEnd;
  }

  /** Field number times eight plus wire type. */
  key(): number {
    const key = this.#size();
    if (key < 8) this.fail();
    return key;
  }

  /** A length prefix: gives where the bytes end, and stands at their start. */
  block(): number {
    const length = this.#size();
    const end = this.at + length;
    if (end <= this.end) return end;
    this.fail();
    return this.at;
  }

  double(): number {
    return this.#take(8) ? this.view.getFloat64(this.at - 8, true) : 0;
  }

  float(): number {
    return this.#take(4) ? this.view.getFloat32(this.at - 4, true) : 0;
  }

  /** A varint as int64 (int32, enum, bool alike); beyond 2^53 the nearest double. */
  int64(): number {
    this.#varint();
    return (this.#high | 0) * TWO_32 + (this.#low >>> 0);
  }

  /** A varint as uint64; beyond 2^53 the nearest double. */
  uint64(): number {
    this.#varint();
    return (this.#high >>> 0) * TWO_32 + (this.#low >>> 0);
  }

  /** Passes over the value of a field nobody wants. */
  skip(wireType: number): void {
    if (wireType === VARINT) this.#varint();
    else if (wireType === FIXED64) this.#take(8);
    else if (wireType === LENGTH_DELIMITED) this.at = this.block();
    else if (wireType === FIXED32) this.#take(4);
    else this.fail(); // groups are not used by these messages, 6 and 7 do not exist
  }

  #take(count: number): boolean {
    if (this.at + count > this.end) {
      this.fail();
      return false;
    }
    this.at += count;
    return true;
  }

  /** A varint that must fit 31 bits, as keys and lengths do. */
  #size(): number {
    if (this.at < this.end) {
      const first = this.view.getUint8(this.at);
      if (first < 128) {
        this.at += 1;
        return first;
      }
    }
    this.#varint();
    if (this.#high === 0 && this.#low >= 0) return this.#low;
    this.fail();
    return 0;
  }

  /** At most ten bytes; bits over 64 are dropped, as protobuf does. */
  #varint(): void {
    const last = Math.min(this.end, this.at + 10);
    let low = 0;
    let high = 0;
    for (let shift = 0; this.at < last; shift += 7) {
      const byte = this.view.getUint8(this.at);
      const part = byte & 127;
      this.at += 1;
      if (shift < 28) low |= part << shift;
      else if (shift === 28) {
        low |= part << 28;
        high = part >>> 4;
      } else high |= part << (shift - 32);
      if (byte < 128) {
        this.#low = low;
        this.#high = high;
        return;
      }
    }
    this.#low = 0;
    this.#high = 0;
    this.fail();
  }
}
