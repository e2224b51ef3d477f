// events.jsonl and campaign.log: what happened, for people and feeds. Losing a line of it loses no result, so a failing disk
// never stops the campaign here. Imported by this room only.
import { eventLine, type CampaignEvent, type EventLine } from '../../../src-protocol/files/event.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import type { Clock, Files, Log } from '../../ports.ts';

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
  let seq = (await files.readJournal(options.eventsPath)).lines.length;
  let queue: Promise<void> = Promise.resolve();
  const write = async (line: EventLine, sentence: string) => {
    try {
      await files.appendLine(options.eventsPath, stringifyWire(line));
      await files.appendText(options.narrativePath, `${line.at}  ${sentence}\n`);
    } catch (error) {
      options.log.warn('an event could not be written', { event: line.event.kind, error: String(error) });
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
      queue = queue.then(() => write(line, sentence));
    },
    settled: () => queue,
  };
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
