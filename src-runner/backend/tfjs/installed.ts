// The TensorFlow.js packages that a person may have installed beside the program: native TensorFlow, on the processor or on an NVIDIA
// card. Imported by backend/tfjs.ts.
import { createRequire } from 'node:module';
import type { Tf, TfjsEngine } from './engine.ts';
import { flaggedProduct } from './product.ts';

export type InstalledPackage = '@tensorflow/tfjs-node' | '@tensorflow/tfjs-node-gpu';

/**
 * Looked for from `from` (a file or a folder with a slash) upwards. Throws an Error in one plain
 * sentence when it is absent (which is normal), cannot be loaded, or no CUDA device answers.
 */
export async function openInstalled(name: InstalledPackage, from: string = import.meta.url): Promise<TfjsEngine> {
  const require = createRequire(from);
  let path: string;
  try {
    path = require.resolve(name);
  } catch (error) {
    throw new Error(`${name} is not installed; it is optional`, { cause: error });
  }
  restoreUtil(require('node:util') as UtilOfOldNode);
  // TensorFlow tells of every CPU feature it finds; its errors stay.
  process.env['TF_CPP_MIN_LOG_LEVEL'] ??= '2';
  let tf: Tf;
  try {
    tf = require(path) as Tf;
  } catch (error) {
    throw new Error(`${name} is installed and cannot be loaded: ${error instanceof Error ? firstLine(error.message) : String(error)}`, { cause: error });
  }
  tf.enableProdMode();
  if (!(await tf.setBackend('tensorflow'))) throw new Error(`${name} could not start`);
  const usesGpu = (tf.backend() as { readonly isUsingGpuDevice?: boolean }).isUsingGpuDevice === true;
  if (name === '@tensorflow/tfjs-node-gpu' && !usesGpu) throw new Error(`${name} is installed, and no CUDA device answers`);
  return { tf, backend: 'tensorflow', device: usesGpu ? 'cuda' : 'cpu', product: flaggedProduct };
}

interface UtilOfOldNode {
  isNullOrUndefined?: (value: unknown) => boolean;
  isArray?: (value: unknown) => boolean;
}

/** tfjs-node 4.22 calls two functions that Node 23 and newer no longer have. */
export function restoreUtil(util: UtilOfOldNode): void {
  util.isNullOrUndefined ??= (value) => value === null || value === undefined;
  util.isArray ??= Array.isArray;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
