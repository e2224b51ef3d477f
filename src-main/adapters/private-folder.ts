// Folders that only this user may enter: the runtime folder (locks, reservations) and the config folder (keys). Only adapters/ imports it.
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';

export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Null on Windows. */
  readonly uid: number | null;
  readonly home: string;
  readonly tmp: string;
}

export function ourPlace(): Place {
  return { env: process.env, platform: process.platform, uid: process.getuid?.() ?? null, home: homedir(), tmp: tmpdir() };
}

/** A folder of ours that others can reach, or that is not ours. */
export class PrivateFolderError extends Error {
  readonly code = 'ENOTPRIVATE';
  readonly path: string;
  /** What a person can do about it. */
  readonly fix: string;

  constructor(path: string, problem: string, fix: string) {
    super(`${problem}: '${path}'. ${fix}`);
    this.name = 'PrivateFolderError';
    this.path = path;
    this.fix = fix;
  }
}

/**
 * Where locks lie. Every process of a user must come to the same answer, so /run/user/<uid> is used also when a shell (cron, some ssh
 * sessions) was not told of it. Made and checked: a folder of ours, closed to everybody else.
 */
export function runtimeFolder(place: Place = ourPlace()): string {
  const { env, platform, uid, tmp } = place;
  const own = `rlxp-${uid ?? 'user'}`;
  if (isSet(env['RLXP_RUNTIME_DIR'])) return makePrivate(env['RLXP_RUNTIME_DIR'], uid);
  if (platform !== 'linux') return makePrivate(join(tmp, own), uid);
  for (const base of [env['XDG_RUNTIME_DIR'], `/run/user/${uid}`]) if (isSet(base) && isFolderOf(base, uid)) return makePrivate(join(base, 'rlxp'), uid);
  return makePrivate(join(tmp, own), uid);
}

/** Where the machine key lies. */
export function configFolder(place: Place = ourPlace()): string {
  const { env, platform, uid, home } = place;
  if (isSet(env['RLXP_CONFIG_DIR'])) return makePrivate(env['RLXP_CONFIG_DIR'], uid);
  if (platform === 'win32') return makePrivate(join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'rlxp'), uid);
  if (platform === 'darwin') return makePrivate(join(home, 'Library', 'Application Support', 'rlxp'), uid);
  return makePrivate(join(isSet(env['XDG_CONFIG_HOME']) ? env['XDG_CONFIG_HOME'] : join(home, '.config'), 'rlxp'), uid);
}

/** Where the program's own log lies: the platform's place for it, or `logs` beside an overridden config folder. */
export function logFolder(place: Place = ourPlace()): string {
  const { env, platform, uid, home } = place;
  if (isSet(env['RLXP_CONFIG_DIR'])) return makePrivate(join(env['RLXP_CONFIG_DIR'], 'logs'), uid);
  if (platform === 'win32') return makePrivate(join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'rlxp', 'logs'), uid);
  if (platform === 'darwin') return makePrivate(join(home, 'Library', 'Logs', 'rlxp'), uid);
  return makePrivate(join(isSet(env['XDG_STATE_HOME']) ? env['XDG_STATE_HOME'] : join(home, '.local', 'state'), 'rlxp'), uid);
}

/**
 * Makes the folder 0700 with its parents. One of ours that stands open is closed; one of somebody else is refused, and so is an open one
 * that holds other things: a variable set to /tmp must not close /tmp.
 */
export function makePrivate(folder: string, uid: number | null): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (uid === null) return folder; // Windows: the profile folder's access list rules
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new PrivateFolderError(folder, 'Not a folder of its own (a link or a file)', `Remove it: rm '${folder}'`);
  if (stat.uid !== uid) throw new PrivateFolderError(folder, `It belongs to user ${stat.uid}, not to you (${uid})`, 'Remove it, or set another place for it.');
  if ((stat.mode & 0o077) === 0) return folder;
  const isShared = (stat.mode & 0o1000) !== 0 || (!basename(folder).startsWith('rlxp') && readdirSync(folder).length > 0);
  if (isShared) throw new PrivateFolderError(folder, 'Other users can enter it', `Name a folder of its own, or close it: chmod 700 '${folder}'`);
  chmodSync(folder, 0o700);
  return folder;
}

/** The XDG rules say to ignore a path that is not absolute. */
function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '' && isAbsolute(value);
}

function isFolderOf(path: string, uid: number | null): boolean {
  try {
    const stat = lstatSync(path);
    return stat.isDirectory() && stat.uid === uid;
  } catch {
    return false;
  }
}
