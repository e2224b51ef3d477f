// Reads regular files only, without ever hanging on a pipe or following a link. Only adapters/disk-files and key-file import it.
import { lstatSync } from 'node:fs';
import { nodeDisk, openFlags, type DiskHandle } from '../durable/disk.ts';
import { DiskFileError } from './file-error.ts';

/** Without a cap of the caller's, a larger file is refused: no file that is read whole comes near it. */
export const defaultMaxBytes = 256 * 1024 * 1024;

/**
 * Opens an existing regular file, hands it to `use`, closes it. A link is ELOOP, a folder EISDIR, a pipe, socket or device EINVAL.
 * Looked at before the open (opening some devices acts on them) and again on the open handle (the name may have changed hands).
 */
export async function withRegularFile<T>(path: string, access: 'read' | 'write', use: (handle: DiskHandle, sizeBytes: number) => Promise<T>): Promise<T> {
  refuseUnlessRegular(lstatSync(path), path);
  const handle = await nodeDisk.open(path, access === 'read' ? openFlags.read : openFlags.readWrite, 0);
  try {
    const stat = await handle.stat();
    if (!stat.isFile) throw notRegular(path);
    return await use(handle, stat.size);
  } finally {
    await handle.close();
  }
}

/** All bytes of the file, at most `maxBytes`; also when it grows while it is read. */
export function readWhole(path: string, maxBytes: number = defaultMaxBytes): Promise<Uint8Array> {
  return withRegularFile(path, 'read', async (handle, sizeBytes) => {
    if (sizeBytes > maxBytes) throw tooBig(path, maxBytes);
    const parts: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const part = await readPart(handle, total, Math.max(4096, sizeBytes - total + 1));
      if (part.length === 0) break;
      total += part.length;
      if (total > maxBytes) throw tooBig(path, maxBytes);
      parts.push(part);
    }
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts, total);
  });
}

/** At most `length` bytes from `offset`; shorter only at the end of the file. */
export async function readPart(handle: DiskHandle, offset: number, length: number): Promise<Uint8Array> {
  const target = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const count = await handle.read(done === 0 ? target : target.subarray(done), offset + done);
    if (count === 0) break;
    done += count;
  }
  return target.subarray(0, done);
}

interface KindOfFile {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function refuseUnlessRegular(stat: KindOfFile, path: string): void {
  if (stat.isFile()) return;
  if (stat.isSymbolicLink()) throw new DiskFileError('ELOOP', path, `ELOOP: a link is not followed here, open '${path}'`);
  if (stat.isDirectory()) throw new DiskFileError('EISDIR', path, `EISDIR: is a folder, open '${path}'`);
  throw notRegular(path);
}

function notRegular(path: string): DiskFileError {
  return new DiskFileError('EINVAL', path, `EINVAL: not a regular file, open '${path}'`);
}

function tooBig(path: string, maxBytes: number): DiskFileError {
  return new DiskFileError('ETOOBIG', path, `ETOOBIG: larger than ${maxBytes} bytes, read '${path}'`);
}
