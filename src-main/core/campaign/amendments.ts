// amendments.jsonl: what a person added to a study after it was approved, without changing what it searches.
// Imported by this room only.
import { join } from 'node:path';
import { z } from 'zod';
import { isoTime } from '../../../src-protocol/files/plain.ts';
import type { Files } from '../../ports.ts';
import { appendOnce } from '../workspace/append-once.ts';

const amendment = z.strictObject({
  schema: z.literal(1),
  kind: z.enum(['complete_looks', 'skip']),
  /** Folder name of the trial that is skipped. */
  trial: z.string().nullable().default(null),
  by: z.string(),
  at: isoTime,
});
export type Amendment = z.infer<typeof amendment>;

export async function readAmendments(files: Pick<Files, 'readJournal'>, runFolder: string): Promise<readonly Amendment[]> {
  const journal = await files.readJournal(join(runFolder, 'amendments.jsonl'));
  return journal.lines.flatMap((line) => {
    const parsed = amendment.safeParse(line.value);
    return parsed.success ? [parsed.data] : [];
  });
}

export async function addAmendment(files: Files, runFolder: string, one: Omit<Amendment, 'schema'>): Promise<void> {
  await appendOnce(files, join(runFolder, 'amendments.jsonl'), JSON.stringify({ schema: 1, ...one } satisfies Amendment));
}

export function wantsAllLooks(amendments: readonly Amendment[]): boolean {
  return amendments.some((one) => one.kind === 'complete_looks');
}
