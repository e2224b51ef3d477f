// Reading contract.yaml, and editing it so that comments and the order of keys stay. Core rooms left of contract may import it.
import { contractFile, type ContractFile, type GateName } from '../../../src-protocol/files/contract.ts';
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Files } from '../../ports.ts';
import { writeYamlEdit, type YamlEdit } from '../workspace/edit-file.ts';
import { projectPaths, shownPath } from '../workspace/layout.ts';
import { isPlainMap, isSamePlain } from '../workspace/merge.ts';
import { readYamlFile } from '../workspace/read-file.ts';

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

/** Writes gates into contract.yaml; call it under the contract's lock. Throws RefusalError: invalid_file (a file with aliases is not edited). */
export async function editContract(files: Files, root: string, edits: ReadonlyMap<GateName, GateEdit>): Promise<ContractFile> {
  const { contract } = projectPaths(root);
  const shownAs = shownPath(root, contract);
  const { document } = await readYamlFile(files, contract, contractFile, { shownAs });
  const before = (document.value as { readonly gates: Readonly<Record<GateName, PlainMap>> }).gates;
  const all = [...edits].flatMap(([gate, edit]) => gateEdits(gate, before[gate], edit));
  return writeYamlEdit(files, contract, all, { schema: contractFile, shownAs });
}

function gateEdits(gate: GateName, before: PlainMap, edit: GateEdit): readonly YamlEdit[] {
  const after: PlainMap = { ...before, ...edit };
  const path = ['gates', gate];
  // A gate without a value stands on one line and holds nothing worth keeping: the whole of it reads better on lines of its own.
  return (before['value'] ?? null) === null ? [{ path, value: after }] : editsBetween(path, before, after);
}

/** The smallest edits that turn one value into the other, so that comments beside everything else stay. */
function editsBetween(path: readonly string[], before: Plain | undefined, after: Plain | undefined): readonly YamlEdit[] {
  if (isSamePlain(before, after)) return [];
  if (!isPlainMap(before) || !isPlainMap(after)) return [{ path, value: after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => editsBetween([...path, key], before[key], after[key]));
}
