// Builds protobuf messages; only event-writer.ts and tests import it.
// Specification: protobuf.dev/programming-guides/encoding.

const utf8 = new TextEncoder();

/** One message under construction. Fields appear in the order of the calls. */
export class WireBuilder {
  #bytes = new Uint8Array(64);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** A copy of the message so far. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** An int64, int32, enum or bool field; negative numbers take ten bytes, as protobuf writes them. */
  int64(field: number, value: number): this {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no safe integer`);
    this.#varint(field << 3);
    this.#varint64(value);
    return this;
  }

  double(field: number, value: number): this {
    this.#varint((field << 3) | 1);
    const at = this.#grow(8);
    this.#view.setFloat64(at, value, true);
    return this;
  }

  float(field: number, value: number): this {
    this.#varint((field << 3) | 5);
    const at = this.#grow(4);
    this.#view.setFloat32(at, value, true);
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.#varint((field << 3) | 2);
    this.#varint(value.length);
    const at = this.#grow(value.length);
    this.#bytes.set(value, at);
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, utf8.encode(value));
  }

  message(field: number, value: WireBuilder): this {
    return this.bytes(field, value.finish());
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#byte((rest & 127) | 128);
    this.#byte(rest);
  }

  #varint64(value: number): void {
    let low = value >>> 0;
    let high = Math.floor(value / 4294967296) >>> 0;
    for (; high > 0; high >>>= 7) {
      this.#byte((low & 127) | 128);
      low = ((low >>> 7) | (high << 25)) >>> 0;
    }
    for (; low > 127; low >>>= 7) this.#byte((low & 127) | 128);
    this.#byte(low);
  }

  #byte(value: number): void {
    const at = this.#grow(1);
    this.#bytes[at] = value;
  }

  /** Makes room for `count` bytes and gives where they begin. */
  #grow(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}
