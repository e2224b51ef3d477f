// trials.jsonl of one study: reading it back and committing to it. A record is committed when its line is on the disk.
// Imported by this room, report and the handlers of trials.
import { countText } from '../../../src-protocol/count-text.ts';
import { trialRecord, type TrialRecord } from '../../../src-protocol/files/record.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import { refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import type { Files } from '../../ports.ts';
import { appendOnce } from '../workspace/append-once.ts';
import { stepsOf } from '../workspace/schema-steps.ts';
import { newerSchema, upgrade } from '../workspace/schema-versions.ts';

/** Every record of the study in the order of its lines. Refuses `damaged` with the line when the middle cannot be read. */
export async function readRecords(files: Pick<Files, 'readJournal'>, path: string): Promise<readonly TrialRecord[]> {
  const journal = await files.readJournal(path);
  if (journal.damage !== null) refuseDamaged(path, journal.damage.line, journal.damage.reason);
  return journal.lines.map((line, index) => {
    const newer = newerSchema(line.value, trialRecord, `${path}:${line.number}`);
    if (newer !== null) throw new RefusalError(newer);
    const upgraded = upgrade(line.value, trialRecord, stepsOf(trialRecord));
    if (!upgraded.ok) refuseDamaged(path, line.number, upgraded.reason);
    const parsed = trialRecord.safeParse(upgraded.value);
    if (!parsed.success) refuseDamaged(path, line.number, parsed.error.issues[0]?.message ?? 'not a trial record');
    if (parsed.data.seq !== index) refuseDamaged(path, line.number, `numbered ${parsed.data.seq}, expected ${index}: a line was lost or moved`);
    return parsed.data;
  });
}

export interface RecordJournal {
  readonly records: readonly TrialRecord[];
  /** Appends the record and resolves when it is durable; waits and tries again while the disk refuses. Rejects with NotCommitted. */
  commit(record: Omit<TrialRecord, 'seq'>): Promise<TrialRecord>;
  /** Why the file is no longer the one that was written, null while it is: somebody removed or cut it. Keeps what is known beside it. */
  loss(): Promise<string | null>;
}

/** The disk refused a record until the campaign was stopped: its trial runs again next time. */
export class NotCommitted extends Error {}

export interface RecordJournalOptions {
  readonly files: Files;
  readonly path: string;
  /** Called with the reason each time a write fails; resolves when it is worth trying again, and to `give_up` when nobody waits for it. */
  readonly onDiskTrouble: (reason: string) => Promise<'again' | 'give_up'>;
  /** Called when a write that failed before went through. */
  readonly onDiskFine: () => void;
}

export async function openRecordJournal(options: RecordJournalOptions): Promise<RecordJournal> {
  const { files, path } = options;
  const records = [...(await readRecords(files, path))];
  const sizeNow = async () => {
    const stat = await files.stat(path);
    return stat?.kind === 'file' ? stat.sizeBytes : 0;
  };
  // A torn tail was never acknowledged, and goes with the next record.
  let writtenBytes = (await files.readJournal(path)).tornTail?.offset ?? (await sizeNow());
  let queue: Promise<unknown> = Promise.resolve();

  let kept = 0;
  const loss = async (): Promise<string | null> => {
    const size = await sizeNow();
    if (records.length === 0 || size >= writtenBytes) return null;
    if (kept < records.length) await files.replaceFile(`${path}.kept`, records.map((record) => `${stringifyWire(record)}\n`).join('')).then(() => (kept = records.length), () => undefined);
    return `trials.jsonl was ${size === 0 ? 'removed or emptied' : 'cut'} while the campaign ran; it held ${countText(records.length, 'record')}. Put it back (${path}.kept holds them): it goes on by itself then`;
  };
  /** Null once the line is on the disk; else why not. A line that is written now must not begin a new, shorter history. */
  const tryToAppend = async (line: string): Promise<string | null> => {
    try {
      const lost = await loss();
      if (lost !== null) return lost;
      await appendOnce(files, path, line);
      writtenBytes = await sizeNow();
      return null;
    } catch (error) {
      return `trials.jsonl could not be written: ${error instanceof Error ? error.message : String(error)}; the record is kept and written as soon as it can be`;
    }
  };
  const append = async (line: string): Promise<void> => {
    for (let failures = 0; ; failures += 1) {
      const reason = await tryToAppend(line);
      if (reason === null) return failures > 0 ? options.onDiskFine() : undefined;
      if ((await options.onDiskTrouble(reason)) === 'give_up') throw new NotCommitted(reason);
    }
  };
  return {
    records,
    loss,
    commit(facts) {
      const next = queue.then(async () => {
        const record: TrialRecord = { ...facts, seq: records.length };
        await append(stringifyWire(record));
        records.push(record);
        return record;
      });
      queue = next;
      return next;
    },
  };
}

function refuseDamaged(path: string, line: number, reason: string): never {
  refuse('damaged', `${path} is damaged at line ${line} (${reason}). Nothing was changed and nothing will be launched.`, {
    problems: [{ file: path, line, column: null, message: reason, fix: 'Restore this line from a backup, or run `rlxp check --repair`, which keeps a copy and the lines before it.' }],
  });
}
