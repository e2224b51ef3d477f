// Reading one YAML text into plain values with the line of each of them. Any room of the core may import it.
// Rules: docs/specs/files.md, F1 to F9. The text comes from a repository we do not trust.
import { LineCounter, parseDocument } from 'yaml';
import type { Plain } from '../../../src-protocol/files/plain.ts';
import type { Problem } from '../../../src-protocol/refusal.ts';
import { findTooLarge, maxYamlDepth, maxYamlParts } from './yaml-depth.ts';
import { wordsOf } from './yaml-syntax.ts';
import { readValue, type PathKey, type PlacedNode, type Position } from './yaml-value.ts';

export type { PathKey, Position } from './yaml-value.ts';

export const maxYamlBytes = 1_000_000;
const maxProblems = 50;

/** Options under which every YAML text of ours is parsed; also used when a file is edited. */
export const yamlOptions = {
  schema: 'core',
  version: '1.2',
  strict: true,
  uniqueKeys: false, // our own walk checks this, and names the first line
  merge: false,
  resolveKnownTags: false,
  prettyErrors: false,
  logLevel: 'error',
} as const;

export interface YamlDocument {
  readonly value: Plain;
  /** Where the value at `path` starts, or its nearest ancestor that exists. */
  valueAt(path: readonly PathKey[]): Position;
  /** Where the key of the value at `path` stands, or that of its nearest ancestor. */
  keyAt(path: readonly PathKey[]): Position;
}

export type YamlReading =
  | { readonly ok: true; readonly document: YamlDocument }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Never throws on any text. `file` is the name shown in problems. */
export function parseYaml(text: string, file: string): YamlReading {
  const problemAt = (at: Position, message: string, fix: string): Problem => ({ file, ...at, message, fix });
  const refused = checkShape(text);
  if (refused !== null) return { ok: false, problems: [problemAt(refused.at, refused.message, refused.fix)] };

  const body = withoutMark(text);
  const lines = new LineCounter();
  const document = parseDocument(body, { ...yamlOptions, lineCounter: lines });
  if (document.errors.length > 0) {
    const problems = document.errors.slice(0, maxProblems).map((error) => {
      const [message, fix] = wordsOf(error);
      return problemAt(positionAt(body, error.pos[0]), message, fix);
    });
    return { ok: false, problems: withoutEchoes(problems) };
  }
  const { value, root, problems } = readValue(document, lines);
  if (problems.length > 0) {
    return { ok: false, problems: problems.slice(0, maxProblems).map(({ at, message, fix }) => problemAt(at, message, fix)) };
  }
  return { ok: true, document: { value, valueAt: (path) => find(root, path).value, keyAt: (path) => find(root, path).key } };
}

interface ShapeProblem {
  readonly at: Position;
  readonly message: string;
  readonly fix: string;
}

/** What can be refused before the full parser sees the text. */
function checkShape(text: string): ShapeProblem | null {
  const top = { line: 1, column: 1 };
  if (text.length > maxYamlBytes) return { at: top, message: `the file is larger than ${maxYamlBytes / 1_000_000} MB`, fix: 'Make it smaller; files of this kind are a few KB.' };
  const body = withoutMark(text);
  const control = findControl(body);
  if (control !== null) return { at: positionAt(body, control), message: 'the file holds a control character, so it is no text', fix: 'Save the file as UTF-8 text.' };
  const directive = /^%.*$/m.exec(body);
  if (directive !== null && !/^%YAML 1\.2\s*$/.test(directive[0])) {
    return { at: positionAt(body, directive.index), message: `the line \`${directive[0].slice(0, 40)}\` is not allowed: these files are plain YAML 1.2`, fix: 'Remove it, or indent it if it belongs to a text block.' };
  }
  const large = findTooLarge(body);
  if (large === null) return null;
  const at = positionAt(body, large.offset);
  if (large.what === 'deep') return { at, message: `the file nests more than ${maxYamlDepth} levels deep`, fix: 'Flatten it; a bracket may be left open.' };
  return { at, message: `the file has more than ${maxYamlParts.toLocaleString('en')} words and marks`, fix: 'Make it smaller; files of this kind have a few hundred.' };
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Offset of the first character that YAML text may not hold; null when there is none. */
function findControl(text: string): number | null {
  const found = text.search(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFEFF\uFFFD]/);
  return found < 0 ? null : found;
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

/** One slip makes the parser complain several times on a line; the first says it. */
function withoutEchoes(problems: readonly Problem[]): Problem[] {
  return problems.filter((item, index) => problems.findIndex((other) => other.line === item.line) === index);
}

function find(root: PlacedNode, path: readonly PathKey[]): PlacedNode {
  let node = root;
  for (const key of path) {
    const next = node.children.get(key);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}
