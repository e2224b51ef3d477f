// One thing the study checks found, and where. Imported by this room only.
import type { Problem, RefusalCode } from '../../../src-protocol/refusal.ts';
import type { PathKey, YamlDocument } from '../workspace/yaml-document.ts';

/** A file that was read: its name in messages, its value, and where everything in it stands. */
export interface Source<T> {
  readonly file: string;
  readonly value: T;
  readonly document: YamlDocument;
}

export interface Finding {
  /** A warning lets the study load. */
  readonly weight: 'error' | 'warning';
  readonly code: RefusalCode;
  readonly problem: Problem;
}

interface Words {
  readonly message: string;
  readonly fix: string;
  readonly code?: RefusalCode;
  /** Point at the key instead of the value. */
  readonly atKey?: boolean;
}

export function errorAt(source: Source<unknown>, path: readonly PathKey[], words: Words): Finding {
  return finding('error', source, path, words);
}

export function warningAt(source: Source<unknown>, path: readonly PathKey[], words: Words): Finding {
  return finding('warning', source, path, { ...words, atKey: true });
}

function finding(weight: Finding['weight'], source: Source<unknown>, path: readonly PathKey[], words: Words): Finding {
  const at = words.atKey === true ? source.document.keyAt(path) : source.document.valueAt(path);
  return { weight, code: words.code ?? 'invalid_file', problem: { file: source.file, ...at, message: words.message, fix: words.fix } };
}
