// The FileError that every file adapter rejects with. adapters/ and test/fakes import it.
import type { FileError } from '../ports.ts';

export class DiskFileError extends Error implements FileError {
  readonly code: string;
  readonly path: string;

  constructor(code: string, path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FileError';
    this.code = code;
    this.path = path;
  }
}

/** Whatever was thrown, as a FileError about `path`; a FileError stays what it is. */
export function asFileError(error: unknown, path: string): DiskFileError {
  if (error instanceof DiskFileError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN';
  return new DiskFileError(code, path, error instanceof Error ? error.message : String(error), error);
}

/** Runs `work`, turning every failure into a FileError about `path`. */
export async function withFileError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFileError(error, path);
  }
}
