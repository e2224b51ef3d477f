// One memory that kernels and TypeScript share, handed out piece by piece. Imported by backend/simd.
import { wasm } from './web-assembly.ts';

const pageBytes = 65_536;
/** The kernels' own tables lie in the first page. */
const firstFree = pageBytes;
/** A vector may be read past the last float of an array, and what follows is thrown away. */
const slackBytes = 64;

export class Arena {
  readonly memory = new wasm.Memory({ initial: 1 });
  private free = firstFree;

  /** Byte offset of `count` zeroed 4-byte numbers (of 8-byte ones with `width` 8), 16-aligned. It is never given back. */
  take(count: number, width: 4 | 8 = 4): number {
    const at = this.free;
    this.free = at + Math.ceil((count * width) / 16) * 16;
    const missing = this.free + slackBytes - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / pageBytes));
    return at;
  }

  /** Views die when the memory grows: make them anew after each `take`. */
  floats(at: number, count: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.memory.buffer, at, count);
  }

  integers(at: number, count: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.memory.buffer, at, count);
  }

  doubles(at: number, count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.memory.buffer, at, count);
  }
}
