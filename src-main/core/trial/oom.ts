// Recognises in console text that memory, the disk or the device gave out: failures of the machine, not of the candidate.
// Imported by this room only.
import { stripTerminalCodes } from './console-progress.ts';

const memoryGone: readonly RegExp[] = [
  /CUDA out of memory/i,
  /CUDA error: out of memory/i,
  /CUDA_ERROR_OUT_OF_MEMORY/,
  /cudaErrorMemoryAllocation/,
  /torch\.(cuda\.)?OutOfMemoryError/,
  /HIP out of memory/i,
  /RESOURCE_EXHAUSTED.{0,80}memory/i,
  /PxgCudaDeviceMemoryAllocator fail/i,
  /std::bad_alloc/,
  /DefaultCPUAllocator: (?:can't allocate memory|not enough memory)/,
  /\bMemoryError\b/,
  /Cannot allocate memory/i,
  /JavaScript heap out of memory/,
  /Array buffer allocation failed/,
  /java\.lang\.OutOfMemoryError/,
  /Out of memory: Killed process/,
  /^Killed$/,
];

const diskGone: readonly RegExp[] = [/No space left on device/i, /\bENOSPC\b/, /Disk quota exceeded/i];

const deviceGone: readonly RegExp[] = [
  /GPU is lost/i,
  /GPU has fallen off the bus/i,
  /uncorrectable ECC error/i,
  /CUDA driver version is insufficient/i,
  /no CUDA-capable device is detected/i,
  /CUDA error: unknown error/i,
];

/** The first line that says memory ran out, trimmed; null when none does. */
export function findOutOfMemory(text: string): string | null {
  return findLine(text, memoryGone);
}

export function findDiskFull(text: string): string | null {
  return findLine(text, diskGone);
}

export function findDeviceLost(text: string): string | null {
  return findLine(text, deviceGone);
}

function findLine(text: string, patterns: readonly RegExp[]): string | null {
  for (const line of stripTerminalCodes(text).split(/[\r\n]+/)) {
    const shown = line.trim().slice(0, 300);
    if (patterns.some((pattern) => pattern.test(shown))) return shown;
  }
  return null;
}
