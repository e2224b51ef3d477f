// Digests of the task's code, and the read-only copy of it that a campaign runs. Core rooms left of contract may import it.
import path from 'node:path';
import type { ApprovalSubject } from '../../../src-protocol/files/approval.ts';
import type { Difference } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { digestBytes } from '../provenance/canonical-json.ts';
import { capRows } from './differences.ts';
import { findSnapshotFiles, gitMode, snapshotCaps, type SnapshotProblem } from './snapshot-paths.ts';

export type SnapshotEntry = ApprovalSubject['snapshot'][number];

export interface SnapshotReading {
  /** Sorted by path. */
  readonly entries: readonly SnapshotEntry[];
  readonly problems: readonly SnapshotProblem[];
}

type SnapshotPorts = Pick<Ports, 'files' | 'git'>;

/** Reads the live files that the named paths cover. */
export async function readSnapshot(ports: SnapshotPorts, root: string, named: readonly string[]): Promise<SnapshotReading> {
  const { files, problems } = await findSnapshotFiles(ports, root, named);
  const entries: SnapshotEntry[] = [];
  for (const file of files) {
    const bytes = await ports.files.readBytes(file.absolute, { maxBytes: snapshotCaps.fileBytes });
    entries.push({ path: file.path, mode: file.mode, sha256: contentDigest(bytes) });
  }
  return { entries, problems };
}

/** Reads everything in a copy made by `copySnapshot`; nothing is left out, so an added file shows too. */
export async function readCopy(files: Ports['files'], folder: string): Promise<SnapshotReading> {
  const entries: SnapshotEntry[] = [];
  const problems: SnapshotProblem[] = [];
  const visit = async (relative: string): Promise<void> => {
    for (const name of await files.list(path.join(folder, relative))) {
      const below = relative === '' ? name : `${relative}/${name}`;
      const stat = await files.stat(path.join(folder, below));
      if (stat?.kind === 'folder') await visit(below);
      else if (stat?.kind === 'file') {
        const bytes = await files.readBytes(path.join(folder, below), { maxBytes: snapshotCaps.fileBytes });
        entries.push({ path: below, mode: gitMode(stat.mode), sha256: contentDigest(bytes) });
      } else if (stat !== null) problems.push({ path: below, what: `is a ${stat.kind}, not a file` });
    }
  };
  await visit('');
  return { entries: entries.sort((a, b) => (a.path < b.path ? -1 : 1)), problems };
}

/**
 * Copies the covered files into `folder`, read-only, and gives the digests of the very bytes it wrote. A crash leaves no half copy under
 * the folder's name.
 */
export async function copySnapshot(ports: SnapshotPorts, options: { readonly root: string; readonly named: readonly string[]; readonly folder: string }): Promise<SnapshotReading> {
  const { files, problems } = await findSnapshotFiles(ports, options.root, options.named);
  const draft = `${options.folder}.draft`;
  await ports.files.remove(draft);
  await ports.files.makeFolder(draft);
  const entries: SnapshotEntry[] = [];
  for (const file of files) {
    const bytes = await ports.files.readBytes(file.absolute, { maxBytes: snapshotCaps.fileBytes });
    const to = path.join(draft, file.path);
    await ports.files.makeFolder(path.dirname(to));
    await ports.files.replaceFile(to, bytes, { mode: file.mode === '100755' ? 0o555 : 0o444 });
    entries.push({ path: file.path, mode: file.mode, sha256: contentDigest(bytes) });
  }
  await ports.files.remove(options.folder);
  await ports.files.rename(draft, options.folder);
  return { entries, problems };
}

/** One row for each file that is new, gone or different; empty when the reading is what was approved. */
export function snapshotDifferences(approved: readonly SnapshotEntry[], now: SnapshotReading): readonly Difference[] {
  const rows: Difference[] = now.problems.map((problem) => ({ what: `file ${problem.path}`, approved: 'a file of the repository', now: `it ${problem.what}` }));
  const named = new Set(now.problems.map((problem) => problem.path));
  const before = new Map(approved.map((entry) => [entry.path, entry]));
  const after = new Map(now.entries.map((entry) => [entry.path, entry]));
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, fresh] = [before.get(name), after.get(name)];
    if (named.has(name)) continue;
    if (old?.sha256 !== fresh?.sha256) rows.push({ what: `file ${name}`, approved: contentOf(old), now: contentOf(fresh) });
    else if (old?.mode !== fresh?.mode) rows.push({ what: `file ${name}: git mode`, approved: old?.mode ?? null, now: fresh?.mode ?? null });
  }
  return capRows(rows);
}

function contentOf(entry: SnapshotEntry | undefined): string | null {
  return entry === undefined ? null : `content ${entry.sha256.slice(0, 12)}`;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** SHA-256 of the bytes; of a text (UTF-8 without a zero byte) with LF line endings, so that a checkout with CRLF is the same file. */
export function contentDigest(bytes: Uint8Array): string {
  return digestBytes(bytes.includes(carriageReturn) && isText(bytes) ? withLineFeeds(bytes) : bytes);
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function withLineFeeds(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, index) => byte !== carriageReturn || bytes[index + 1] !== lineFeed);
}
