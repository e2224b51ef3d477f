// Reading a file of .rlxp/ and checking it against its schema. Any room of the core may import it.
// Rules: docs/specs/files.md. Everything that can be wrong with the file ends as one Refusal.
import { countText } from '../../../src-protocol/count-text.ts';
import type { z } from 'zod';
import { makeRefusal, RefusalError, type Problem, type Refusal } from '../../../src-protocol/refusal.ts';
import type { FileError, Files } from '../../ports.ts';
import { parseJson } from './json-text.ts';
import { schemaProblems } from './schema-problems.ts';
import { stepsOf } from './schema-steps.ts';
import { newerSchema, upgrade, type SchemaSteps } from './schema-versions.ts';
import { maxYamlBytes, parseYaml, type YamlDocument } from './yaml-document.ts';

export interface ReadOptions {
  /** Name of the file in messages, relative to the repository; the path when absent. */
  readonly shownAs?: string;
  /** Largest size that is read: 1 MB for YAML, 16 MB for JSON. */
  readonly maxBytes?: number;
  /** How earlier versions of a JSON file become today's; those of its kind when absent. */
  readonly steps?: SchemaSteps;
}

type TextFiles = Pick<Files, 'readText'>;

export interface YamlFile<T> {
  readonly value: T;
  readonly document: YamlDocument;
}

export type FileReading<T> =
  | { readonly ok: true; readonly file: T }
  /** `document` is there when the file is YAML and only its schema refused it. */
  | { readonly ok: false; readonly refusal: Refusal; readonly document?: YamlDocument };

const maxJsonBytes = 16_000_000;

/** The file's value in its schema's type. Throws RefusalError: not_found, invalid_file, newer_schema. */
export async function readYamlFile<S extends z.ZodType>(files: TextFiles, path: string, schema: S, options: ReadOptions = {}): Promise<YamlFile<z.output<S>>> {
  return orThrow(await tryYamlFile(files, path, schema, options));
}

/** As readYamlFile, but gives the refusal back: for callers that collect problems of several files. */
export async function tryYamlFile<S extends z.ZodType>(files: TextFiles, path: string, schema: S, options: ReadOptions = {}): Promise<FileReading<YamlFile<z.output<S>>>> {
  const shownAs = options.shownAs ?? path;
  const text = await readText(files, path, shownAs, options.maxBytes ?? maxYamlBytes);
  if (!text.ok) return text;
  return checkYaml(text.file, schema, shownAs);
}

/** Checks a YAML text that is already at hand. */
export function checkYaml<S extends z.ZodType>(text: string, schema: S, shownAs: string): FileReading<YamlFile<z.output<S>>> {
  const reading = parseYaml(text, shownAs);
  if (!reading.ok) return invalid(shownAs, reading.problems);
  const { document } = reading;
  const newer = newerSchema(document.value, schema, shownAs);
  if (newer !== null) return { ok: false, refusal: newer };
  const parsed = schema.safeParse(document.value);
  if (parsed.success) return { ok: true, file: { value: parsed.data, document } };
  return { ...invalid(shownAs, schemaProblems(parsed.error, { file: shownAs, schema, value: document.value, places: document })), document };
}

/** The file's value in its schema's type. Throws RefusalError: not_found, invalid_file, newer_schema. */
export async function readJsonFile<S extends z.ZodType>(files: TextFiles, path: string, schema: S, options: ReadOptions = {}): Promise<z.output<S>> {
  return orThrow(await tryJsonFile(files, path, schema, options));
}

export async function tryJsonFile<S extends z.ZodType>(files: TextFiles, path: string, schema: S, options: ReadOptions = {}): Promise<FileReading<z.output<S>>> {
  const shownAs = options.shownAs ?? path;
  const text = await readText(files, path, shownAs, options.maxBytes ?? maxJsonBytes);
  if (!text.ok) return text;
  const reading = parseJson(text.file, shownAs);
  if (!reading.ok) return invalid(shownAs, reading.problems);
  const newer = newerSchema(reading.value, schema, shownAs);
  if (newer !== null) return { ok: false, refusal: newer };
  const upgraded = upgrade(reading.value, schema, options.steps ?? stepsOf(schema));
  if (!upgraded.ok) return invalid(shownAs, [{ file: shownAs, line: null, column: null, message: upgraded.reason, fix: 'Open it with the version that made it.' }]);
  const parsed = schema.safeParse(upgraded.value);
  if (parsed.success) return { ok: true, file: parsed.data };
  return invalid(shownAs, schemaProblems(parsed.error, { file: shownAs, schema, value: upgraded.value, places: null }));
}

/** The file's text, or why it cannot be read. */
export async function readText(files: TextFiles, path: string, shownAs: string, maxBytes: number): Promise<FileReading<string>> {
  try {
    return { ok: true, file: await files.readText(path, { maxBytes }) };
  } catch (error) {
    const code = (error as Partial<FileError>).code;
    if (code === undefined) throw error;
    return { ok: false, refusal: unreadable(code, shownAs, maxBytes) };
  }
}

function unreadable(code: string, shownAs: string, maxBytes: number): Refusal {
  const problem = (message: string, fix: string): readonly Problem[] => [{ file: shownAs, line: null, column: null, message, fix }];
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return makeRefusal('not_found', `${shownAs} does not exist.`, { problems: problem('the file does not exist', 'Create it, or check the name.') });
    case 'ETOOBIG':
      return makeRefusal('invalid_file', `${shownAs} is larger than ${maxBytes / 1_000_000} MB.`, {
        problems: [{ file: shownAs, line: 1, column: 1, message: `the file is larger than ${maxBytes / 1_000_000} MB`, fix: 'Make it smaller; files of this kind are a few KB.' }],
      });
    case 'EILSEQ':
      return makeRefusal('invalid_file', `${shownAs} is not UTF-8 text.`, { problems: problem('the file is not UTF-8 text', 'Save it as UTF-8.') });
    case 'EISDIR':
      return makeRefusal('invalid_file', `${shownAs} is a folder.`, { problems: problem('this is a folder, not a file', 'Move the folder away.') });
    default:
      return makeRefusal('invalid_file', `${shownAs} cannot be read (${code}).`, { problems: problem(`the file cannot be read (${code})`, 'Make it readable for your user.') });
  }
}

function invalid(shownAs: string, problems: readonly Problem[]): { readonly ok: false; readonly refusal: Refusal } {
  const count = countText(problems.length, 'problem');
  return { ok: false, refusal: makeRefusal('invalid_file', `${shownAs} has ${count}.`, { problems }) };
}

function orThrow<T>(reading: FileReading<T>): T {
  if (!reading.ok) throw new RefusalError(reading.refusal);
  return reading.file;
}
