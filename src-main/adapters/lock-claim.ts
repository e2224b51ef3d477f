// One process's claim to a lock: a socket that answers who claims it, under a name that is never used twice. Only adapters/socket-locks imports it.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { codeOf } from '../durable/disk.ts';
import type { LockClaimant, LockHolder } from '../ports.ts';
import { asClaimant } from './lock-holder.ts';

export interface ClaimAnswer {
  readonly isHeld: boolean;
  readonly holder: LockClaimant;
}

export type ClaimSight =
  | { readonly state: 'dead' }
  | { readonly state: 'trying' | 'held'; readonly holder: LockHolder | null }
  /** It lives, since the system accepted the connection, but does not speak: suspended, or busy for long. */
  | { readonly state: 'silent'; readonly holder: LockHolder | null };

/** Longer than a busy process is expected to keep a question waiting. */
const silenceMs = 1_000;

export class Claim {
  readonly name: string;
  private isHeld = false;
  private readonly folder: string;
  private readonly holder: LockClaimant;
  private readonly server: Server;

  private constructor(folder: string, name: string, holder: LockClaimant, server: Server) {
    this.folder = folder;
    this.name = name;
    this.holder = holder;
    this.server = server;
  }

  /**
   * Listens under a temporary name and then takes the claim's name, so that a claim that can be seen always answers; the side file
   * with the holder is there before it.
   */
  static async make(folder: string, prefix: string, holder: LockClaimant): Promise<Claim> {
    const id = randomBytes(6).toString('hex');
    const name = `${prefix}.${id}.claim`;
    const listening = join(folder, `${prefix}.${id}.new`);
    refuseLongPath(join(folder, name));
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      const answer: ClaimAnswer = { isHeld: claim.isHeld, holder };
      socket.end(JSON.stringify(answer));
    });
    const claim = new Claim(folder, name, holder, server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(listening, resolve);
    });
    server.unref(); // a forgotten lock does not keep a process alive
    try {
      chmodSync(listening, 0o600);
      writeFileSync(join(folder, sideName(name)), JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
      renameSync(listening, join(folder, name));
    } catch (error) {
      await claim.withdraw();
      throw error;
    }
    return claim;
  }

  hold(): void {
    this.isHeld = true;
  }

  /** False when somebody removed the claim's file, as a system does with a runtime folder at the last logout. */
  refresh(): boolean {
    try {
      const now = new Date();
      utimesSync(join(this.folder, this.name), now, now);
      utimesSync(join(this.folder, sideName(this.name)), now, now);
      return true;
    } catch (error) {
      return codeOf(error) !== 'ENOENT';
    }
  }

  /** A held claim again under a new name, after the old one's file was removed. */
  async again(): Promise<Claim> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const claim = await Claim.make(this.folder, this.name.slice(0, this.name.indexOf('.')), this.holder);
    claim.isHeld = this.isHeld;
    await this.withdraw();
    return claim;
  }

  /** The name goes first: whoever finds it still gets an answer. */
  async withdraw(): Promise<void> {
    removeClaim(this.folder, this.name);
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Asks a claim. Only a refused connection means that its process is dead: the system closes a socket with its process and never before. */
export function askClaim(folder: string, name: string): Promise<ClaimSight> {
  return new Promise((resolve) => {
    const socket = connect(join(folder, name));
    let text = '';
    const timer = setTimeout(() => finish({ state: 'silent', holder: readSide(folder, name) }), silenceMs);
    const finish = (sight: ClaimSight): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(sight);
    };
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > 16_384) finish({ state: 'silent', holder: readSide(folder, name) });
    });
    socket.on('end', () => finish(readAnswer(text) ?? { state: 'silent', holder: readSide(folder, name) }));
    socket.on('error', (error) => {
      const isGone = codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ENOENT';
      finish(isGone ? { state: 'dead' } : { state: 'silent', holder: readSide(folder, name) });
    });
  });
}

/** Names are never used twice, so removing a dead claim cannot hit a living one. */
export function removeClaim(folder: string, name: string): void {
  for (const gone of [name, sideName(name), name.replace(/claim$/, 'new')]) rmSync(join(folder, gone), { force: true });
}

function sideName(name: string): string {
  return name.replace(/claim$/, 'json');
}

function readSide(folder: string, name: string): LockHolder | null {
  try {
    const claimant = asClaimant(JSON.parse(readFileSync(join(folder, sideName(name)), 'utf8')));
    return claimant === null ? null : { ...claimant, answers: false };
  } catch {
    return null;
  }
}

function readAnswer(text: string): ClaimSight | null {
  try {
    const answer = JSON.parse(text) as Partial<ClaimAnswer>;
    const holder = asClaimant(answer.holder);
    return holder === null ? null : { state: answer.isHeld === true ? 'held' : 'trying', holder: { ...holder, answers: true } };
  } catch {
    return null;
  }
}

/** A socket's path has 104 bytes on macOS and 108 on Linux, the last a zero. */
function refuseLongPath(path: string): void {
  if (Buffer.byteLength(path) <= 103) return;
  throw Object.assign(new Error(`ENAMETOOLONG: the runtime folder's path is too long for a lock, '${path}'. Set RLXP_RUNTIME_DIR to a shorter one.`), { code: 'ENAMETOOLONG', path });
}
