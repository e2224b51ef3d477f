// What a part of `npm run bench` is, what it is given and what it reports. Imported by test/bench only.

/** One subject that is measured. It lives in test/bench/<name>/ and stands in parts.ts. */
export interface BenchPart {
  /** Kebab-case; what a person types, and the mark of its section in docs/benchmarks.md. */
  readonly name: string;
  readonly title: string;
  /** What is measured and how, in one to three sentences of Markdown. */
  readonly measures: string;
  /** Other people's programs that run beside ours, with what each needs; empty where ours is measured alone. */
  readonly peers: readonly string[];
  /** What must hold, in words; `run` judges each and no other. */
  readonly bars: readonly string[];
  /** `--<name> <value>` on the command line, with the default; names are shared by all parts. */
  readonly options?: Readonly<Record<string, string>>;
  /** Throws NotRun where this machine cannot run it at all. Any other error fails the part. */
  run(bench: Bench): Promise<PartReport>;
}

/** What every part is given. */
export interface Bench {
  /** Root of the checkout. */
  readonly home: string;
  /** A folder for this part and this run, outside the repository; removed afterwards unless --keep. */
  readonly folder: string;
  /** Fewer repeats, smaller sizes: for trying out; such figures are not written down. */
  readonly isQuick: boolean;
  /** Rounds asked for by --rounds; null: as the part thinks right. */
  readonly rounds: number | null;
  readonly options: Readonly<Record<string, string>>;
  /** A line for who watches, on standard error. */
  say(text: string): void;
  /** Path of a program that was built from `<part>/<name>.process.ts`. Its arguments and its threads are yours. */
  program(name: string): string;
  /** Interpreter of an environment with the packages pinned in a file of this checkout, made once; NotRun where it cannot be made. */
  python(requirements: string): Promise<string>;
  /** Folder with node_modules of the package.json and package-lock.json in a folder of this checkout, made once; NotRun where it cannot be made. */
  nodePackages(folder: string): Promise<string>;
}

export interface PartReport {
  readonly tables: readonly Table[];
  readonly bars: readonly BarResult[];
  /** What could not be measured. It counts for nothing. */
  readonly notRun: readonly { readonly what: string; readonly why: string }[];
  /** Of the peers, and of what else decided the figures. */
  readonly versions: Readonly<Record<string, string>>;
  /** Sentences of Markdown below the tables. */
  readonly notes?: readonly string[];
}

export interface Table {
  readonly title?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface BarResult {
  readonly bar: string;
  readonly state: 'met' | 'missed' | 'not run';
  readonly measured: string;
}

/** Something that this machine cannot run; the message says why. Never counted as passed. */
export class NotRun extends Error {}
