// Loads the compiled kernels (kernels/*.ts, built by `npm run build`) and gives each network an instance with a memory of its own.
// Imported by backend/simd.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wasm, type WasmMemory, type WasmModule } from './web-assembly.ts';

/** The two builds: `simd` runs everywhere and gives the same bits everywhere; `relaxed` may round a * b + c once. */
export type KernelVariant = 'simd' | 'relaxed';

/** The exports of kernels/index.ts; addresses are byte offsets, counts are elements. */
export interface Kernels {
  pack(b: number, bRow: number, bColumn: number, k: number, n: number, into: number): void;
  packedSize(k: number, n: number): number;
  multiply(a: number, aRow: number, aColumn: number, b: number, c: number, cRow: number, m: number, n: number, k: number, finish: number, extra: number): void;
  sumRows(a: number, m: number, n: number, into: number): void;
  squares(values: number, count: number): number;
  adam(parameters: number, gradient: number, first: number, second: number, count: number, scale: number, size: number, correction: number): void;
  categoricalHead(logits: number, rows: number, count: number, actions: number, old: number, advantages: number, clip: number, entropyScale: number, gradient: number, scratch: number, figures: number): void;
  valueHead(values: number, targets: number, rows: number, scale: number, gradient: number): number;
}

/** `Finish` of kernels/gemm.ts. */
export const finish = { plain: 0, bias: 1, biasTanh: 2, throughTanh: 3 } as const;

const modules = new Map<KernelVariant, WasmModule>();

/** Whether this engine compiles the variant: relaxed SIMD needs Node 22, or `--experimental-wasm-relaxed-simd` on Node 20. */
export function hasVariant(variant: KernelVariant): boolean {
  return wasm.validate(bytesOf(variant));
}

/** Throws an Error that says what to do when the kernels were not built, or the engine lacks the instructions. */
export function instantiate(variant: KernelVariant, memory: WasmMemory): Kernels {
  const module = modules.get(variant) ?? compile(variant);
  modules.set(variant, module);
  // The compiled module exports exactly these; a test reads them back.
  return new wasm.Instance(module, { env: { memory } }).exports as unknown as Kernels;
}

function compile(variant: KernelVariant): WasmModule {
  const bytes = bytesOf(variant);
  if (!wasm.validate(bytes)) throw new Error(`this Node (${process.versions.node}) does not run the ${variant} kernels${variant === 'relaxed' ? ': start it with --experimental-wasm-relaxed-simd, or take Node 22 or newer, or the backend "simd"' : ''}`);
  return new wasm.Module(bytes);
}

/** Beside the built entry, above a built chunk, or in the build of this checkout when the sources run as they are. */
const places = ['./kernels/', '../kernels/', '../../../out/engine/kernels/'];

function bytesOf(variant: KernelVariant): Uint8Array<ArrayBuffer> {
  const tried = places.map((place) => fileURLToPath(new URL(`${place}${variant}.wasm`, import.meta.url)));
  const path = tried.find((one) => existsSync(one));
  if (path === undefined) throw new Error(`the ${variant} kernels are not built: run \`npm run build\` (looked for ${tried.join(', ')})`);
  return new Uint8Array(readFileSync(path));
}
