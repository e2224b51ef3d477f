// How far a journal of ours can be trusted: its good records, and the first line where trust ends. This room and evidence.
import type { z } from 'zod';
import { trialRecord, type TrialRecord } from '../../../src-protocol/files/record.ts';
import type { Files } from '../../ports.ts';
import { stepsOf } from '../workspace/schema-steps.ts';
import { laterSchema, upgrade } from '../workspace/schema-versions.ts';

export interface JournalReading<T> {
  /** Up to the first damage. */
  readonly good: readonly T[];
  readonly damage: { readonly line: number; readonly what: string; readonly isNewer: boolean } | null;
  readonly tornBytes: number;
  /** Bytes of the good lines. */
  readonly goodBytes: number;
  /** Whole lines after the damage that are records all the same. */
  readonly behind: readonly T[];
}

type JournalFiles = Pick<Files, 'readJournal' | 'readBytes'>;

/** Lines of trials.jsonl: numbered without a gap. */
export function readRecordJournal(files: JournalFiles, path: string): Promise<JournalReading<TrialRecord>> {
  return readChecked(files, path, trialRecord, (record, index) => (record.seq === index ? null : `it is numbered ${record.seq} where ${index} belongs: a line was lost, repeated or moved`));
}

export async function readChecked<S extends z.ZodType>(files: JournalFiles, path: string, schema: S, judge: (value: z.output<S>, index: number) => string | null): Promise<JournalReading<z.output<S>>> {
  const journal = await files.readJournal(path);
  const good: z.output<S>[] = [];
  let damage: { line: number; what: string; isNewer: boolean } | null = null;
  let goodBytes = 0;
  for (const [index, line] of journal.lines.entries()) {
    const later = laterSchema(line.value, schema);
    const upgraded = upgrade(line.value, schema, stepsOf(schema));
    const parsed = schema.safeParse(upgraded.ok ? upgraded.value : line.value);
    const what = later !== null ? `it has schema ${later}, which a newer version of the program wrote` : parsed.success ? judge(parsed.data, index) : `${parsed.error.issues[0]?.path.join('.') ?? ''}: ${parsed.error.issues[0]?.message ?? 'not a line of this file'}`;
    if (what !== null || !parsed.success) {
      damage = { line: line.number, what: what ?? '', isNewer: later !== null };
      break;
    }
    good.push(parsed.data);
    goodBytes += Buffer.byteLength(line.text) + 1;
  }
  if (damage === null && journal.damage !== null) damage = { line: journal.damage.line, what: `it is ${journal.damage.reason}`, isNewer: false };
  const behind = damage === null ? [] : await recordsBehind(files, path, goodBytes, schema);
  return { good, damage, tornBytes: journal.tornTail?.bytes.length ?? 0, goodBytes, behind };
}

async function recordsBehind<S extends z.ZodType>(files: JournalFiles, path: string, from: number, schema: S): Promise<readonly z.output<S>[]> {
  const text = new TextDecoder().decode((await files.readBytes(path)).subarray(from));
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = schema.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}
