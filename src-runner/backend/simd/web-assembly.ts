// The few parts of WebAssembly's interface that the kernels need, typed: Node has it, and Node's types do not. Imported by backend/simd.

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** In pages of 64 KB; the old buffer dies. */
  grow(pages: number): number;
}

export interface WasmModule {
  readonly brand?: 'module';
}

interface WasmInterface {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (descriptor: { readonly initial: number }) => WasmMemory;
}

export const wasm = (globalThis as unknown as { readonly WebAssembly: WasmInterface }).WebAssembly;
