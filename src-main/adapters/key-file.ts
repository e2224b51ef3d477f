// The Secrets port on a key file that only this user can read. Only composition files and tests import it.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, nodeDisk } from '../durable/disk.ts';
import { replaceFile, tempName } from '../durable/replace-file.ts';
import type { Secrets } from '../ports.ts';

export interface KeyFileOptions {
  /** Gives the config folder, made and checked; asked at each use. */
  readonly folder: () => string;
  /** Null on Windows, where the profile folder's access list rules. */
  readonly uid: number | null;
}

const keyBytes = 32;
const fileName = 'machine.key';

/** Why the machine key cannot be used, and what a person can do. */
export class KeyFileError extends Error {
  readonly code: 'EKEYOPEN' | 'EKEYOWNER' | 'EKEYDAMAGED';
  readonly path: string;
  readonly fix: string;

  constructor(code: KeyFileError['code'], path: string, problem: string, fix: string) {
    super(`${problem}: '${path}'. ${fix}`);
    this.name = 'KeyFileError';
    this.code = code;
    this.path = path;
    this.fix = fix;
  }
}

export function makeKeyFile(options: KeyFileOptions): Secrets {
  return {
    async machineKey() {
      const path = join(options.folder(), fileName);
      try {
        return await readKey(path, options.uid);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
      }
      await makeKey(path);
      return readKey(path, options.uid);
    },
  };
}

/** Read anew each time and checked each time: a key that became readable for others seals nothing any more. */
async function readKey(path: string, uid: number | null): Promise<Uint8Array> {
  const found = await lstat(path);
  if (!found.isFile()) throw new KeyFileError('EKEYDAMAGED', path, 'The machine key is not a regular file', `Remove it: rm '${path}'. ${afterwards}`);
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await handle.stat();
    if (uid !== null && stat.uid !== uid) throw new KeyFileError('EKEYOWNER', path, `The machine key belongs to user ${stat.uid}, not to you (${uid})`, 'Run as its owner, or set RLXP_CONFIG_DIR.');
    if (uid !== null && (stat.mode & 0o077) !== 0) throw new KeyFileError('EKEYOPEN', path, 'Other users can read the machine key', `Close it: chmod 600 '${path}'. If somebody may have read it, remove it instead. ${afterwards}`);
    const text = stat.size > 1024 ? '' : await handle.readFile('latin1');
    if (!/^[0-9a-f]{64}\n$/.test(text)) throw new KeyFileError('EKEYDAMAGED', path, 'The machine key is damaged', `Restore it from a backup, or remove it: rm '${path}'. ${afterwards}`);
    return new Uint8Array(Buffer.from(text.trim(), 'hex'));
  } finally {
    await handle.close();
  }
}

const afterwards = 'Without it every approval made on this machine has to be given again.';

/** Whole or not at all, and never over an existing one: two processes that start at once must end up with the same key. */
async function makeKey(path: string): Promise<void> {
  const temp = join(path, '..', tempName(fileName));
  await replaceFile(temp, `${randomBytes(keyBytes).toString('hex')}\n`, { mode: 0o600 });
  try {
    await link(temp, path);
    await nodeDisk.syncFolder(join(path, '..'));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(temp);
  }
}
