// events.jsonl and campaign.log: what happened, for people and feeds. Losing a line of it loses no result, so a failing disk
// never stops the campaign here. Imported by this room only.
import { eventLine, type CampaignEvent, type EventLine } from '../../../src-protocol/files/event.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import type { Clock, Files, Log } from '../../ports.ts';
import { appendOnce } from '../workspace/append-once.ts';

/** Events that are kept while the disk takes none. */
const mostKept = 10_000;

export interface EventLog {
  /** Adds the event and its sentence; order is kept, nothing is awaited by the caller. */
  add(event: CampaignEvent, sentence: string): void;
  /** Resolves when everything added so far was tried. */
  settled(): Promise<void>;
}

export interface EventLogOptions {
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  readonly eventsPath: string;
  readonly narrativePath: string;
  readonly etaS: () => number | null;
}

export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const { files, clock } = options;
  const startedAt = clock.monotonicMs();
  // After the last one, so that a line that was lost leaves a gap and never a number twice.
  const { lines } = await files.readJournal(options.eventsPath);
  let seq = Math.max(lines.length, (lastNumber(lines.at(-1)?.value) ?? -1) + 1);
  let queue: Promise<void> = Promise.resolve();
  const unwritten: { readonly line: EventLine; readonly sentence: string }[] = [];
  /** Events in their order; what the disk refuses waits for the next one. */
  const write = async () => {
    for (let [next] = unwritten; next !== undefined; [next] = unwritten) {
      try {
        await appendOnce(files, options.eventsPath, stringifyWire(next.line));
      } catch (error) {
        options.log.warn('an event could not be written', { event: next.line.event.kind, error: String(error) });
        if (unwritten.length > mostKept) unwritten.shift();
        return;
      }
      unwritten.shift();
      await files.appendText(options.narrativePath, `${next.line.at}  ${next.sentence}\n`).catch((error: unknown) => {
        options.log.warn('a line of the narrative could not be written', { error: String(error) });
      });
    }
  };
  return {
    add(event, sentence) {
      const line: EventLine = {
        seq,
        at: new Date(clock.wallMs()).toISOString(),
        mono_ms: Math.round(clock.monotonicMs() - startedAt),
        eta_s: options.etaS(),
        event,
      };
      seq += 1;
      unwritten.push({ line, sentence });
      queue = queue.then(write);
    },
    settled() {
      queue = queue.then(write);
      return queue;
    },
  };
}

function lastNumber(value: unknown): number | null {
  const parsed = eventLine.safeParse(value);
  return parsed.success ? parsed.data.seq : null;
}

/** Events from line `from` (0-based) on; lines that cannot be read are left out and counted. */
export async function readEvents(files: Files, path: string, from = 0): Promise<{ readonly events: readonly EventLine[]; readonly unreadable: number }> {
  const journal = await files.readJournal(path);
  const events: EventLine[] = [];
  let unreadable = journal.damage === null ? 0 : 1;
  for (const line of journal.lines.slice(from)) {
    const parsed = eventLine.safeParse(line.value);
    if (parsed.success) events.push(parsed.data);
    else unreadable += 1;
  }
  return { events, unreadable };
}
