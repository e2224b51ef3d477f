// Provenance of a campaign or a trial: written before training, finished always. Core rooms left of provenance may import it.
import path from 'node:path';
import { manifestFile, type ManifestFile } from '../../../src-protocol/files/manifest.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import type { Hardware, Ports } from '../../ports.ts';
import { readJsonFile } from '../workspace/read-file.ts';
import { findSecrets, makeRedactor } from '../../redaction/redactor.ts';
import { readLockfiles } from './lockfiles.ts';

export type ManifestPorts = Pick<Ports, 'files' | 'clock' | 'entropy' | 'processes' | 'machine' | 'git' | 'node'>;

export interface ManifestStart {
  readonly kind: ManifestFile['kind'];
  /** The repository being tuned. */
  readonly root: string;
  /** Exact command line. Secrets are redacted before it is written, as in everything else that a caller gives. */
  readonly argv: readonly string[];
  /** Seed streams by name. */
  readonly seeds: Readonly<Record<string, number>>;
  readonly backend: string | null;
  /** Framework name -> version, as read from where the trial runs. */
  readonly frameworks: Readonly<Record<string, string>>;
  readonly facts?: ManifestFacts;
}

export interface ManifestEnd {
  readonly status: 'completed' | 'failed' | 'interrupted';
  readonly error?: { readonly type: string; readonly message: string };
  readonly facts?: ManifestFacts;
}

export type ManifestFacts = Readonly<ManifestFile['facts']>;

const programName = 'rlxp-workbench';

/** Writes a manifest with status `running` to `file` and gives it. */
export async function startManifest(ports: ManifestPorts, file: string, start: ManifestStart): Promise<ManifestFile> {
  const [git, hardware, self, bootId, lockfiles] = await Promise.all([
    ports.git.facts(start.root),
    ports.machine.hardware(),
    ports.processes.self(),
    ports.processes.bootId(),
    readAllLockfiles(ports, start.root),
  ]);
  const redact = redactorOf(ports);
  const manifest: ManifestFile = {
    schema: 1,
    kind: start.kind,
    run_id: makeRunId(ports),
    status: 'running',
    started_at: isoNow(ports),
    ended_at: null,
    process: { pid: self.pid, start_time: self.startTime, boot_id: bootId },
    repository: git === null ? null : { commit: git.commit, branch: git.branch, dirty: git.isDirty, diff_sha256: git.diffDigest },
    program: { name: programName, version: ports.node.version, commit: ports.node.commit },
    lockfiles: { ...lockfiles },
    frameworks: { ...start.frameworks },
    argv: start.argv.map(redact),
    seeds: { ...start.seeds },
    hardware: hardwareFacts(hardware),
    backend: start.backend,
    env_names: [...ports.machine.envNames()].sort(),
    error: null,
    facts: redactFacts(start.facts, redact),
  };
  await write(ports, file, manifest);
  return manifest;
}

/** Writes the end of `manifest` to `file`: the last word on its status. */
export async function finishManifest(ports: Pick<Ports, 'files' | 'clock' | 'machine'>, file: string, manifest: ManifestFile, end: ManifestEnd): Promise<ManifestFile> {
  const redact = redactorOf(ports);
  const finished: ManifestFile = {
    ...manifest,
    status: end.status,
    ended_at: isoNow(ports),
    error: end.error === undefined ? null : { type: end.error.type, message: redact(end.error.message) },
    facts: { ...manifest.facts, ...redactFacts(end.facts, redact) },
  };
  await write(ports, file, finished);
  return finished;
}

/**
 * The manifest at `file`, null when there is none. One that says running and whose process is gone reads as `interrupted`. Throws
 * RefusalError: invalid_file, newer_schema.
 */
export async function readManifest(ports: Pick<Ports, 'files' | 'processes'>, file: string): Promise<ManifestFile | null> {
  if ((await ports.files.stat(file)) === null) return null;
  const manifest = await readJsonFile(ports.files, file, manifestFile);
  return manifest.status === 'running' && !(await isWriterAlive(ports, manifest)) ? { ...manifest, status: 'interrupted' } : manifest;
}

/** `YYYYMMDDTHHMMSSZ-` and 8 hex digits. */
export function makeRunId(ports: Pick<Ports, 'clock' | 'entropy'>): string {
  const time = isoNow(ports).replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `${time}-${Buffer.from(ports.entropy.bytes(4)).toString('hex')}`;
}

type Redact = (text: string) => string;

function redactorOf(ports: Pick<Ports, 'machine'>): Redact {
  return makeRedactor(findSecrets(ports.machine)).text;
}

function redactFacts(facts: ManifestFacts | undefined, redact: Redact): ManifestFile['facts'] {
  return Object.fromEntries(Object.entries(facts ?? {}).map(([name, fact]) => [name, typeof fact === 'string' ? redact(fact) : fact]));
}

/** Whether the process that wrote it, and will finish it, still lives. */
export async function isWriterAlive(ports: Pick<Ports, 'processes'>, { process }: Pick<ManifestFile, 'process'>): Promise<boolean> {
  if (process.boot_id !== (await ports.processes.bootId())) return false;
  return ports.processes.isAlive({ pid: process.pid, startTime: process.start_time });
}

/** The repository's lockfiles under their own names, this program's below `program/`. */
async function readAllLockfiles(ports: Pick<Ports, 'files' | 'node'>, root: string): Promise<Readonly<Record<string, string>>> {
  const program = await readLockfiles(ports.files, path.resolve(ports.node.engineFolder, '..', '..'));
  const ours = Object.entries(program).filter(([name]) => name === 'package-lock.json');
  return { ...(await readLockfiles(ports.files, root)), ...Object.fromEntries(ours.map(([name, sha]) => [`program/${name}`, sha])) };
}

function hardwareFacts(hardware: Hardware): ManifestFile['hardware'] {
  return {
    platform: hardware.platform,
    architecture: hardware.architecture,
    cpu_model: hardware.cpuModel,
    usable_cores: hardware.usableCores,
    memory_bytes: hardware.memoryBytes,
    node: hardware.nodeVersion,
    gpus: hardware.gpus === 'unknown' ? 'unknown' : hardware.gpus.map((gpu) => ({ uuid: gpu.uuid, name: gpu.name, vram_bytes: gpu.vramBytes })),
  };
}

async function write(ports: Pick<Ports, 'files'>, file: string, manifest: ManifestFile): Promise<void> {
  await ports.files.makeFolder(path.dirname(file));
  await ports.files.replaceFile(file, `${stringifyWire(manifest, 2)}\n`);
}

function isoNow(ports: Pick<Ports, 'clock'>): string {
  return new Date(ports.clock.wallMs()).toISOString();
}
