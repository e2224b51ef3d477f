// What the core asks of the machine: interfaces only. The core imports this file and never fs, node-pty or electron;
// adapters/ implements it; test/fakes/ has small in-memory twins that pass the same conformance tests.

/** Ends a watch, a timer or another held resource. Calling it twice is harmless. */
export type Stop = () => void;

// ---------------------------------------------------------------- files

export interface FileStat {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Device and inode in one string; a changed value means another file under the same name. */
  readonly identity: string;
  /** Permission bits, for example 0o644. */
  readonly mode: number;
}

/** A file-system failure with the path and the system's code (`ENOENT`, `ENOSPC`, `EACCES`, `EROFS`, `EMFILE`, `ETOOBIG` for a cap of ours). */
export interface FileError extends Error {
  readonly code: string;
  readonly path: string;
}

export interface ReplaceOptions {
  readonly mode?: number;
  readonly isPassing?: boolean;
}

/** A JSONL file as it was found; a missing file is an empty journal. */
export interface JournalFile {
  readonly lines: readonly { readonly number: number; readonly text: string; readonly value: unknown }[];
  /** A last write that a crash cut short; never acknowledged, repaired by the next append. */
  readonly tornTail: { readonly offset: number; readonly bytes: Uint8Array } | null;
  /** The first line that is whole and yet unreadable: the file must not be trusted past it. */
  readonly damage: { readonly line: number; readonly reason: string } | null;
}

/** A whole text or whole bytes, or bytes piece by piece. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Paths are absolute. Every failure rejects with a FileError, except where a method says what a missing path gives. */
export interface Files {
  /** UTF-8 text of a regular file. A file over `maxBytes` is refused with code ETOOBIG before it is read. */
  readText(path: string, options?: { readonly maxBytes?: number }): Promise<string>;
  readBytes(path: string, options?: { readonly maxBytes?: number }): Promise<Uint8Array>;
  /** At most `length` bytes from `offset`; shorter at the end of the file. */
  readSlice(path: string, offset: number, length: number): Promise<Uint8Array>;
  /** Follows no link: a link is reported as `link`. Null when nothing is there. */
  stat(path: string): Promise<FileStat | null>;
  /** `stat` of each path in one go: for what is looked at several times a second. */
  statEach(paths: readonly string[]): Promise<readonly (FileStat | null)[]>;
  /** Names in a folder, sorted; empty when the folder is missing. */
  list(folder: string): Promise<readonly string[]>;
  /** Makes the folder and its parents. */
  makeFolder(folder: string): Promise<void>;
  /**
   * Whole-file write that a crash leaves either old or new: temp file, fsync, rename, fsync of the folder. What comes in pieces is
   * never held whole; when its source fails, the write does, and the old file stays. `isPassing`: of no worth after a power cut, which
   * may then bring the old one back; the folder is not fsynced.
   */
  replaceFile(path: string, data: FileContent, options?: ReplaceOptions): Promise<void>;
  /** Appends `line` and a newline in one write, fsynced; on failure the file is cut back to where it was. `line` holds no newline. */
  appendLine(path: string, line: string): Promise<void>;
  /** Reads a JSONL file whole: its good lines, a torn tail, damage in the middle. */
  readJournal(path: string): Promise<JournalFile>;
  /** Appends without fsync: for logs whose loss costs nothing. */
  appendText(path: string, text: string): Promise<void>;
  truncate(path: string, sizeBytes: number): Promise<void>;
  copyFile(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file or a whole folder; missing is fine. */
  remove(path: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  /** The path with every link resolved. */
  realPath(path: string): Promise<string>;
  /** Free bytes on the file system that holds `path`. */
  freeBytes(path: string): Promise<number>;
  /** Calls `onChange` after something at or under `path` changed, but for the files `except`; a hint only, callers poll as well. */
  watch(path: string, onChange: () => void, options?: { readonly except?: readonly string[] }): Stop;
}

// ---------------------------------------------------------------- time, chance, secrets

export interface Clock {
  /** Milliseconds since 1970, for display and for event files. */
  wallMs(): number;
  /** Milliseconds that pass only while the machine runs (not while it is suspended); for every duration and budget. */
  monotonicMs(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `tick` every `ms` until stopped; ticks never overlap. */
  every(ms: number, tick: () => void | Promise<void>): Stop;
}

export interface Entropy {
  bytes(count: number): Uint8Array;
  uuid(): string;
}

export interface Secrets {
  /** 32 bytes that seal approvals and ledgers; made once per machine and kept 0600 in the user's config folder. */
  machineKey(): Promise<Uint8Array>;
}

// ---------------------------------------------------------------- processes

/** Names one process for ever: a pid alone may be reused, pid and start time together are not (within one boot). */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time as the system counts it (clock ticks since boot on Linux), as text. */
  readonly startTime: string;
}

export interface StartOptions {
  /** Executable and arguments; never a shell string. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment of the process; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** Put into the environment as RLXP_TRIAL so that strays can be found; unique per launch. */
  readonly tag: string;
  /** Every byte of terminal output is appended here before anybody else sees it. */
  readonly consolePath: string;
  readonly columns?: number;
  readonly rows?: number;
}

export interface ProcessExit {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface RunningProcess {
  readonly identity: ProcessIdentity;
  readonly tag: string;
  /** Resolves once, after the process has exited and its last output is in the console file. */
  readonly exit: Promise<ProcessExit>;
  /** The last at most 8 KB of output as text, for progress lines and diagnoses. */
  consoleTail(): string;
  /** Calls `onOutput` with each decoded chunk; a slow listener loses nothing in the file. */
  onOutput(onOutput: (text: string) => void): Stop;
}

export interface BackgroundProcess {
  readonly identity: ProcessIdentity;
  /** Resolves once it has ended, as long as we live; it keeps nobody alive. */
  readonly exit: Promise<ProcessExit>;
}

export interface EndReport {
  /** What ended the tree: it went by itself, or the strongest signal that was needed. */
  readonly by: 'already_gone' | 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** Processes of the tree that are still alive after everything was tried (state D, for example). */
  readonly survivors: readonly ProcessIdentity[];
}

export interface Processes {
  /** Starts a process under a pseudo-terminal in its own process group. */
  start(options: StartOptions): Promise<RunningProcess>;
  /** Starts a process that outlives us (own session), its output appended to `logPath`. Nothing waits for it and it holds nobody alive. */
  startBackground(options: {
    readonly argv: readonly [string, ...string[]];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly logPath: string;
  }): Promise<BackgroundProcess>;
  /** Null when no such process lives. */
  identify(pid: number): Promise<ProcessIdentity | null>;
  isAlive(identity: ProcessIdentity): Promise<boolean>;
  /** It lives and was stopped (SIGSTOP, Ctrl-Z, a debugger): it does nothing until it is told to continue. False where the system does not tell. */
  isSuspended(identity: ProcessIdentity): Promise<boolean>;
  /**
   * Ends a tree and proves it: SIGINT to the group, wait `graceMs`, SIGTERM, wait, SIGKILL, then descendants, then every
   * process that carries `tag` in its environment. Never signals by name and never a process whose start time differs.
   */
  end(target: { readonly identity: ProcessIdentity | null; readonly tag: string }, options: { readonly graceMs: number }): Promise<EndReport>;
  /** Processes that carry any of our tags with this prefix in their environment. */
  findTagged(tagPrefix: string): Promise<readonly { readonly identity: ProcessIdentity; readonly tag: string }[]>;
  /** SIGSTOP or SIGCONT is never sent; this asks one process of ours to stop in an orderly way (SIGTERM). */
  ask(identity: ProcessIdentity, signal: 'SIGINT' | 'SIGTERM'): Promise<void>;
  self(): Promise<ProcessIdentity>;
  /** Changes at each boot of the machine. */
  bootId(): Promise<string>;
}

// ---------------------------------------------------------------- lock

/** What a process says of itself when it takes a lock. */
export interface LockClaimant {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
  readonly host: string;
  /** What the holder is doing, for the refusal's text: `campaign quick`. */
  readonly purpose: string;
  readonly since: string;
}

export interface LockHolder extends LockClaimant {
  /** False when it lives and does not answer: it is suspended, or busy for long. */
  readonly answers: boolean;
}

export type LockResult =
  | { readonly held: true; release(): Promise<void> }
  | { readonly held: false; readonly holder: LockHolder | null };

export interface Locks {
  /** Takes the machine-wide lock named by `key` (the repository's real path), or says who holds it. A dead holder never blocks; a suspended one keeps it. */
  take(key: string, purpose: string): Promise<LockResult>;
  /** Who holds it now; null when free. */
  holder(key: string): Promise<LockHolder | null>;
}

// ---------------------------------------------------------------- the machine and its tools

export interface Hardware {
  readonly platform: string;
  readonly architecture: string;
  readonly cpuModel: string;
  /** Cores this process may use: the host's, cut by affinity and cgroup quota. */
  readonly usableCores: number;
  readonly memoryBytes: number;
  readonly nodeVersion: string;
  /** `unknown` until a probe answers; never 0 by guess. */
  readonly gpus: 'unknown' | readonly { readonly uuid: string; readonly name: string; readonly vramBytes: number | 'unknown' }[];
}

export interface Machine {
  hardware(): Promise<Hardware>;
  /** The person's login name, for `confirmed.by`. */
  userName(): string;
  /** The largest memory each of these processes ever had, added up; pages that they share count in each. Those that are gone count nothing. `unknown` where the system does not tell. */
  peakMemoryBytes(pids: readonly number[]): Promise<number | 'unknown'>;
  hostName(): string;
  /** Value of one environment variable of our own process. */
  env(name: string): string | undefined;
  envNames(): readonly string[];
}

export interface GitFacts {
  readonly root: string;
  readonly commit: string | null;
  readonly branch: string | null;
  readonly isDirty: boolean | null;
  /** SHA-256 of `git diff HEAD`; null when clean or unknown. */
  readonly diffDigest: string | null;
}

export interface Git {
  /** Null when `folder` is in no repository or git is missing. Runs git with hooks, fsmonitor and prompts off. */
  facts(folder: string): Promise<GitFacts | null>;
  /** Paths under `folder` that git ignores, out of `relativePaths`; none outside a repository. */
  ignored(folder: string, relativePaths: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Where our own code lies and which Node runs it outside the window. */
export interface NodeRuntime {
  readonly execPath: string;
  /** Folder of the built engine entries: cli.js, campaign.js, doctor.js, train.js, evaluate.js. */
  readonly engineFolder: string;
  readonly version: string;
  /** Arguments with which this Node runs WebAssembly's relaxed SIMD; most need none. */
  readonly relaxedSimdFlags: readonly string[];
  /** Commit this program was built from; null outside a checkout. */
  readonly commit: string | null;
}

export interface Log {
  info(message: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
  /** A fault of ours; returns the id shown to the person. */
  fault(error: unknown, facts?: Readonly<Record<string, unknown>>): string;
}

export interface Ports {
  readonly files: Files;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly secrets: Secrets;
  readonly processes: Processes;
  readonly locks: Locks;
  readonly machine: Machine;
  readonly git: Git;
  readonly node: NodeRuntime;
  readonly log: Log;
}
