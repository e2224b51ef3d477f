// Changing values in a YAML file that people wrote, so that comments and the order of keys stay. Any room of the core
// may import it. Rule: docs/specs/files.md, F15.
import { Document, isCollection, isMap, isScalar, parseDocument, Scalar, visit } from 'yaml';
import type { z } from 'zod';
import type { Plain } from '../../../src-protocol/files/plain.ts';
import { makeRefusal, RefusalError } from '../../../src-protocol/refusal.ts';
import type { Files } from '../../ports.ts';
import { isSamePlain } from './merge.ts';
import { checkYaml, readText } from './read-file.ts';
import { maxYamlBytes, parseYaml, yamlOptions, type PathKey } from './yaml-document.ts';

export interface YamlEdit {
  readonly path: readonly PathKey[];
  /** Undefined removes the key or list item. */
  readonly value: Plain | undefined;
}

export interface EditOptions<S extends z.ZodType> {
  /** What the file must follow before and after. */
  readonly schema: S;
  readonly shownAs?: string;
}

/**
 * Sets values in the file and gives what it holds then. Nothing is written when nothing changes or the result would be
 * invalid. Throws RefusalError: not_found, invalid_file, newer_schema.
 */
export async function writeYamlEdit<S extends z.ZodType>(
  files: Pick<Files, 'readText' | 'replaceFile'>,
  path: string,
  edits: readonly YamlEdit[],
  options: EditOptions<S>,
): Promise<z.output<S>> {
  const shownAs = options.shownAs ?? path;
  const before = await readText(files, path, shownAs, maxYamlBytes);
  if (!before.ok) throw new RefusalError(before.refusal);
  const after = editYaml(before.file, edits, shownAs);
  const check = checkYaml(after, options.schema, shownAs);
  if (!check.ok) throw new RefusalError(check.refusal);
  if (after !== before.file) await files.replaceFile(path, after);
  return check.file.value;
}

/** The text with the edits made. Throws RefusalError (invalid_file) for a text that is no plain YAML or uses aliases: an edit could change more than one place. */
export function editYaml(text: string, edits: readonly YamlEdit[], shownAs: string): string {
  const reading = parseYaml(text, shownAs);
  if (!reading.ok) throw new RefusalError(makeRefusal('invalid_file', `${shownAs} cannot be edited as it is.`, { problems: reading.problems }));
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const document = parseDocument(text.slice(mark.length), yamlOptions);
  if (hasAlias(document)) throw new RefusalError(makeRefusal('invalid_file', `${shownAs} uses aliases, so the program does not edit it: write their values out first.`));
  const changed = edits.filter((edit) => apply(document, edit));
  if (changed.length === 0) return text;
  const edited = mark + document.toString({ lineWidth: 0 });
  const whole = text.includes('\r\n') ? edited.replaceAll(/\r?\n/g, '\r\n') : edited;
  const spliced = mark + spliceScalars(text.slice(mark.length), edits);
  return holdsSame(spliced, whole) ? spliced : whole;
}

/** Replaces the bytes of scalars and nothing else: the rest of the file keeps its layout. Wrong for anything but scalars; the caller compares. */
function spliceScalars(text: string, edits: readonly YamlEdit[]): string {
  return edits.reduce((current, { path, value }) => {
    const node: unknown = parseDocument(current, yamlOptions).getIn(path, true);
    if (!isScalar(node) || value === undefined || isBlock(value) || node.range === undefined || node.range === null) return current;
    const scalar = new Scalar(value);
    if (node.type !== undefined && typeof value === 'string') scalar.type = node.type;
    const [start, end] = node.range;
    return current.slice(0, start) + new Document(scalar).toString({ lineWidth: 0 }).trimEnd() + current.slice(end);
  }, text);
}

function holdsSame(text: string, other: string): boolean {
  const [mine, theirs] = [parseYaml(text, ''), parseYaml(other, '')];
  return mine.ok && theirs.ok && isSamePlain(mine.document.value, theirs.document.value);
}

/** Whether it changed anything. */
function apply(document: Document, { path, value }: YamlEdit): boolean {
  const node: unknown = document.getIn(path, true);
  if (value === undefined) return document.hasIn(path) && document.deleteIn(path);
  if (isScalar(node) && !isBlock(value)) {
    if (node.value === value) return false;
    node.value = value;
    return true;
  }
  makeWay(document, path);
  document.setIn(path, document.createNode(value));
  return true;
}

/** Scalars and nulls on the way down give room for maps. */
function makeWay(document: Document, path: readonly PathKey[]): void {
  for (let length = 0; length < path.length; length += 1) {
    const above = path.slice(0, length);
    if (isCollection(document.getIn(above, true))) continue;
    if (length === 0) document.contents = document.createNode({}) as Document['contents'];
    else document.setIn(above, document.createNode({}));
  }
  const parent: unknown = document.getIn(path.slice(0, -1), true);
  // A new key in an empty flow map of a block file reads better on lines of its own.
  if (isMap(parent) && parent.items.length === 0) parent.flow = false;
}

function isBlock(value: Plain): boolean {
  return typeof value === 'object' && value !== null;
}

function hasAlias(document: Document): boolean {
  let found = false;
  visit(document, { Alias: () => void (found = true) });
  return found;
}
