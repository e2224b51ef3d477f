// What goes into a bundle, and the bytes of it, one file at a time. This room only.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { EvidenceEntry, EvidenceIndex } from '../../../src-protocol/files/evidence-index.ts';
import { trialFile } from '../../../src-protocol/files/trial.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { FileError, Files, Ports } from '../../ports.ts';
import type { ReadView } from '../campaign/read-campaign.ts';
import { selfTestRuns } from '../campaign/self-test-run.ts';
import { readNoise } from '../campaign/judges.ts';
import { findEventFiles } from '../metrics/metric-tail.ts';
import { rlxpFolder, shownPath, trialPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import { whyUnsafe } from '../workspace/repo-read.ts';
import { bundleName, indexName, readmeName, studyFiles } from './bundle-place.ts';
import type { MachineText } from './machine-text.ts';
import { readmeText } from './readme-text.ts';
import type { ContentToPack } from './zip-writing.ts';

/** `bound`: its bytes stay, but for secrets; `loose`: folders of the machine go too; `stream`: no text, may be large. */
interface FileToPack {
  readonly path: string;
  readonly form: 'bound' | 'loose' | 'stream';
}

export interface PackOptions {
  readonly ports: Pick<Ports, 'files' | 'node'>;
  readonly root: string;
  readonly view: ReadView;
  readonly text: MachineText;
  readonly withCheckpoints: boolean;
}

/** Texts are held whole while they are cleaned. */
const maxTextBytes = 64 * 1024 * 1024;
const pieceBytes = 256 * 1024;
/** Longer than any secret we know of: one that lies across two pieces is seen too. */
const overlapBytes = 512;

type Index = { -readonly [Key in keyof EvidenceIndex]: EvidenceIndex[Key] };

/** README, every file, index.json last. The index is complete once the last content was read. */
export async function* bundleContents(options: PackOptions, index: Index): AsyncGenerator<ContentToPack> {
  const { view, root } = options;
  const files = await listFiles(options, index);
  yield record(index, readmeName, [new TextEncoder().encode(readmeText(view.study.name))]);
  for (const file of files.sort((a, b) => (bundleName(root, a.path) < bundleName(root, b.path) ? -1 : 1))) {
    const content = file.form === 'stream' ? readPieces(options.ports.files, file.path) : [await readCleaned(options, file, index)];
    yield record(index, bundleName(root, file.path), content);
  }
  index.entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  yield { name: indexName, content: [new TextEncoder().encode(`${JSON.stringify(index, null, 1)}\n`)] };
}

/** Hands the content on and enters its length and digest into the index once it is through. */
function record(index: Index, name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ContentToPack {
  async function* counted(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of content) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
    index.entries.push({ name, bytes, sha256: hash.digest('hex') } satisfies EvidenceEntry);
  }
  return { name, content: counted() };
}

async function listFiles(options: PackOptions, index: Index): Promise<FileToPack[]> {
  const { ports, root, view } = options;
  const { bound, loose, paths } = studyFiles(root, view.study.name);
  const wanted: FileToPack[] = [...bound.map((file) => ({ path: file, form: 'bound' as const })), ...loose.map((file) => ({ path: file, form: 'loose' as const }))];
  for (const run of selfTestRuns(view.study, readNoise(view).determinism === 'bit-identical')) {
    const folder = path.join(paths.folder, 'selftest', run.name);
    wanted.push({ path: path.join(folder, 'trial.json'), form: 'loose' }, { path: path.join(folder, 'evaluation.json'), form: 'loose' });
  }
  if (view.records.length > 0 && (await ports.files.stat(paths.trialFolders)) === null) index.left_out.push({ what: 'the folders of all trials', why: 'they are not in this repository (version control leaves them out)' });
  else for (const { folder } of view.records) wanted.push(...(await filesOfTrial(options, path.join(paths.trialFolders, folder), index)));

  const there: FileToPack[] = [];
  const home = await ports.files.realPath(rlxpFolder(root));
  for (const file of wanted) {
    if ((await ports.files.stat(file.path))?.kind !== 'file') continue;
    const bad = whyUnsafe(bundleName(root, file.path)) ?? (isInside(home, await ports.files.realPath(file.path)) ? null : 'leads out of .rlxp through a link');
    // What a record or a trial.json names is not to be trusted with a place.
    if (bad === null) there.push(file);
    else index.left_out.push({ what: bundleName(root, file.path), why: `its name ${bad}` });
  }
  return there;
}

function isInside(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
}

async function filesOfTrial(options: PackOptions, folder: string, index: Index): Promise<readonly FileToPack[]> {
  const { ports, root, view, withCheckpoints } = options;
  const at = trialPaths(folder);
  const leaveOut = (file: string, why: string) => void index.left_out.push({ what: shownPath(root, file), why });
  const wanted: FileToPack[] = [{ path: at.manifest, form: 'loose' }];
  const trial = await tryJsonFile(ports.files, at.trial, trialFile);
  if (!trial.ok) {
    leaveOut(at.trial, trial.refusal.message);
    return wanted;
  }
  wanted.push({ path: at.trial, form: 'loose' }, { path: path.join(folder, trial.file.evaluation_file), form: 'loose' });
  for (const found of await findEventFiles(ports.files, folder, view.study.adapter.logs)) await addStream(found.path);
  const { checkpoint } = trial.file;
  if (withCheckpoints && checkpoint !== null && !path.isAbsolute(checkpoint)) await addStream(path.join(folder, checkpoint));
  return wanted;

  async function addStream(file: string): Promise<void> {
    const stat = await ports.files.stat(file);
    if (stat?.kind !== 'file') leaveOut(file, stat === null ? 'it is gone' : `it is a ${stat.kind}`);
    else if (await holdsSecret(options, file)) leaveOut(file, 'it holds what looks like a secret');
    else wanted.push({ path: file, form: 'stream' });
  }
}

async function holdsSecret({ ports, text }: PackOptions, file: string): Promise<boolean> {
  let before = new Uint8Array();
  for await (const piece of readPieces(ports.files, file)) {
    const seen = new Uint8Array(Buffer.concat([before, piece]));
    if (text.holdsSecret(seen)) return true;
    before = seen.slice(-overlapBytes);
  }
  return false;
}

async function* readPieces(files: Pick<Files, 'readSlice'>, file: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; at += pieceBytes) {
    const piece = await files.readSlice(file, at, pieceBytes);
    if (piece.length > 0) yield piece;
    if (piece.length < pieceBytes) return;
  }
}

async function readCleaned({ ports, root, text }: PackOptions, file: FileToPack, index: Index): Promise<Uint8Array> {
  const name = bundleName(root, file.path);
  let raw: string;
  try {
    raw = await ports.files.readText(file.path, { maxBytes: maxTextBytes });
  } catch (error) {
    const { code } = error as Partial<FileError>;
    if (code === undefined) throw error;
    return refuse('invalid_file', `${shownPath(root, file.path)} cannot be packed (${code === 'ETOOBIG' ? `it is larger than ${maxTextBytes / 1024 / 1024} MB` : code}).`);
  }
  const cleaned = file.form === 'loose' ? text.clean(raw) : text.redact(raw);
  if (cleaned.isRedacted) index.redacted.push(name);
  if (cleaned.hadPaths) index.without_paths.push(name);
  return new TextEncoder().encode(cleaned.text);
}
