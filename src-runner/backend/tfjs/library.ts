// The TensorFlow.js that ships with the program: core, gradients, its JavaScript and its WebAssembly backend. Half a megabyte of
// code, loaded only when a backend of it is asked for. Imported by backend/tfjs.ts (lazily) and tests.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as tf from '@tensorflow/tfjs-core';
// `import '@tensorflow/tfjs-core'` alone knows no gradient at all.
import '@tensorflow/tfjs-core/dist/register_all_gradients';
import '@tensorflow/tfjs-backend-cpu';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import type { TfjsEngine } from './engine.ts';
import { flaggedProduct, transposedProduct } from './product.ts';

export { tf };

const wasmFile = 'tfjs-backend-wasm-simd.wasm';
/** Beside the built entry, above a built chunk, or in the packages when the sources run as they are. */
const places = ['./tfjs/', '../tfjs/', '../../../node_modules/@tensorflow/tfjs-backend-wasm/dist/'];

/** Throws an Error when the backend cannot be started. */
export async function openShipped(name: 'cpu' | 'wasm'): Promise<TfjsEngine> {
  // It would advise in every log to install something faster.
  tf.enableProdMode();
  if (name === 'wasm' && !isWasmFound) findWasm();
  if (!(await tf.setBackend(name))) throw new Error(`TensorFlow.js could not start its ${name} backend`);
  // A matMul with a transpose flag is the slow path of the wasm backend, and every gradient of a matMul uses one.
  return { tf, backend: name, device: 'cpu', product: name === 'wasm' ? transposedProduct : flaggedProduct };
}

let isWasmFound = false;

function findWasm(): void {
  const tried = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const folder = tried.find((one) => existsSync(`${one}${wasmFile}`));
  if (folder === undefined) throw new Error(`${wasmFile} is missing (looked in ${tried.join(', ')})`);
  setWasmPaths(folder);
  isWasmFound = true;
}
