// Reading contract.yaml, and editing it so that comments and the order of keys stay. Core rooms left of contract may import it.
import { isMap, isScalar, parseDocument, type Document, type YAMLMap } from 'yaml';
import { contractFile, type ContractFile, type GateName } from '../../../src-protocol/files/contract.ts';
import type { Plain } from '../../../src-protocol/files/plain.ts';
import { refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import type { Files } from '../../ports.ts';
import { projectPaths, shownPath } from '../workspace/layout.ts';
import { checkYaml, readYamlFile } from '../workspace/read-file.ts';
import { yamlOptions } from '../workspace/yaml-document.ts';

/** Throws RefusalError: not_a_repository, not_found, invalid_file, newer_schema. */
export async function readContract(files: Files, root: string): Promise<ContractFile> {
  const { folder, contract } = projectPaths(root);
  if ((await files.stat(folder))?.kind !== 'folder') refuse('not_a_repository', `${root} holds no folder .rlxp.`);
  return (await readYamlFile(files, contract, contractFile, { shownAs: shownPath(root, contract) })).value;
}

/** What to write into one gate; what is left out stays as it is. */
export interface GateEdit {
  readonly status: 'draft' | 'confirmed';
  readonly value?: Plain;
  readonly evidence?: readonly string[];
  readonly confirmed: { readonly by: string; readonly at: string; readonly digest: string } | null;
}

/** Writes gates into contract.yaml; call it under the contract's lock. Refuses a file whose anchors would break. */
export async function editContract(files: Files, root: string, edits: ReadonlyMap<GateName, GateEdit>): Promise<void> {
  const { contract } = projectPaths(root);
  const shownAs = shownPath(root, contract);
  const text = await files.readText(contract);
  const edited = editYaml(text, (document) => {
    for (const [gate, edit] of edits) {
      const node: unknown = document.getIn(['gates', gate], true);
      if (isMap(node)) node.flow = false; // one line is enough for an empty gate only
      for (const [key, value] of Object.entries(edit)) setKeeping(document, ['gates', gate, key], value as Plain);
    }
  });
  const check = edited === null ? null : checkYaml(edited, contractFile, shownAs);
  if (edited === null || check === null) return refuse('invalid_file', `${shownAs} uses anchors or aliases, so the program cannot edit it: write the values out.`);
  if (!check.ok) throw new RefusalError(check.refusal);
  await files.replaceFile(contract, edited);
}

/** The text with `change` made to it, comments and order kept; null when it cannot be written again. */
export function editYaml(text: string, change: (document: Document) => void): string | null {
  const document = parseDocument(text.replace(/^\uFEFF/, ''), yamlOptions);
  change(document);
  let edited: string;
  try {
    edited = document.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
  return text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited;
}

/** Puts `value` at `path`; maps are merged key by key and scalars changed in place, so that their comments stay. */
export function setKeeping(document: Document, path: readonly (string | number)[], value: Plain): void {
  const key = String(path[path.length - 1]);
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (isMap(parent)) setInMap(document, parent, key, value);
  else document.setIn(path, document.createNode(value));
}

function setInMap(document: Document, map: YAMLMap, key: string, value: Plain): void {
  const node: unknown = map.get(key, true);
  const isPlainScalar = value === null || typeof value !== 'object';
  if (isPlainScalar && isScalar(node) && node.anchor === undefined) node.value = value;
  else if (!isPlainScalar && !Array.isArray(value) && isMap(node)) mergeMap(document, node, value as Readonly<Record<string, Plain>>);
  else map.set(key, document.createNode(value));
}

function mergeMap(document: Document, map: YAMLMap, value: Readonly<Record<string, Plain>>): void {
  const gone = map.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : '')).filter((key) => !Object.hasOwn(value, key));
  for (const key of gone) map.delete(key);
  for (const [key, item] of Object.entries(value)) setInMap(document, map, key, item);
}
