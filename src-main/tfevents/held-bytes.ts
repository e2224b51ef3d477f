// The unfinished tail of a file between two pushes, kept without quadratic copying; only record-stream.ts imports it.

const KEPT_CAPACITY = 64 * 1024;

/** A queue of bytes in one growing array: append at the end, drop from the front. */
export class HeldBytes {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = viewOf(this.bytes);
  start = 0;
  end = 0;

  get length(): number {
    return this.end - this.start;
  }

  /** Copies `source[from..to)` behind what is held. Capacity doubles, so every byte is moved O(1) times on average. */
  append(source: Uint8Array, from: number, to: number): void {
    const wanted = this.length + (to - from);
    if (this.end + (to - from) > this.bytes.length) this.#makeRoom(wanted);
    this.bytes.set(source.subarray(from, to), this.end);
    this.end += to - from;
  }

  /** Forgets everything before `at`, an index into `bytes`. */
  dropUntil(at: number): void {
    this.start = at;
    if (this.start === this.end) this.clear();
  }

  /** Forgets everything, and gives a large array back. */
  clear(): void {
    this.start = 0;
    this.end = 0;
    if (this.bytes.length > KEPT_CAPACITY) this.#replaceBy(new Uint8Array(0));
  }

  #makeRoom(wanted: number): void {
    const held = this.bytes.subarray(this.start, this.end);
    if (wanted <= this.bytes.length / 2) {
      this.bytes.copyWithin(0, this.start, this.end);
    } else {
      const larger = new Uint8Array(Math.max(64, 2 * wanted));
      larger.set(held);
      this.#replaceBy(larger);
    }
    this.start = 0;
    this.end = held.length;
  }

  #replaceBy(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
