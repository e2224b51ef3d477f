// Checks events.jsonl: derived, so nothing here is worse than a warning. This room and evidence.
import { countText } from '../../../src-protocol/count-text.ts';
import { eventLine, type EventLine } from '../../../src-protocol/files/event.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { RunPaths } from '../workspace/layout.ts';
import type { FileScope } from './findings.ts';
import { readChecked } from './journal-reading.ts';

export interface EventFacts {
  /** Null while trials.jsonl is damaged: what lies behind cannot be compared. */
  readonly records: readonly TrialRecord[] | null;
  /** Trials whose records a repair gave up: their events stay. */
  readonly givenUp: ReadonlySet<string>;
  readonly isLive: boolean;
}

export async function checkEvents({ ports, found }: FileScope, paths: RunPaths, about: EventFacts): Promise<void> {
  const { good, damage, tornBytes } = await readChecked(ports.files, paths.events, eventLine, () => null);
  found.counts.files += 1;
  found.counts.events += good.length;
  const warn = (message: string, more: { readonly line?: number; readonly fix?: string; readonly repairable?: boolean } = {}) =>
    found.add('warning', paths.events, message, { fix: 'Nothing rests on it: records and verdict stand.', ...more });
  if (damage !== null) warn(`The line cannot be read (${damage.what}); events from here on are not shown.`, { line: damage.line, fix: 'Run `rlxp check --repair`: it keeps a copy and the lines before. No result rests on it.', repairable: !damage.isNewer });
  if (tornBytes > 0 && !about.isLive) warn(`It ends in ${countText(tornBytes, 'byte')} of a write that a crash cut short.`, { fix: 'The next event sets it aside; `rlxp check --repair` does so now.', repairable: true });
  for (const [index, line] of good.entries()) {
    const before = good[index - 1];
    if (before !== undefined && line.seq <= before.seq) warn(`It is numbered ${line.seq} after ${before.seq}: events were lost or moved.`, { line: index + 1 });
  }
  checkPairs(good, { warn, ...about });
}

/** Every start has at most one end; one that has none was cut off by the end of its process, and a later start says so. */
function checkPairs(lines: readonly EventLine[], about: EventFacts & { readonly warn: (message: string, more?: { readonly line?: number }) => void }): void {
  const open = new Map<string, number>();
  const started = new Set<string>();
  const ended = new Set<string>();
  const recorded = about.records === null ? null : new Set(about.records.map((record) => record.folder));
  for (const [index, { event }] of lines.entries()) {
    const line = index + 1;
    switch (event.kind) {
      case 'campaign_started':
      case 'process_died':
        open.clear();
        break;
      case 'trial_started':
        if (started.has(event.trial.folder)) about.warn(`${event.trial.folder} started a second time.`, { line });
        started.add(event.trial.folder);
        open.set(event.trial.folder, line);
        break;
      case 'trial_ended':
        if (ended.has(event.trial.folder)) about.warn(`${event.trial.folder} ended a second time.`, { line });
        if (recorded?.has(event.trial.folder) === false && !about.givenUp.has(event.trial.folder)) about.warn(`${event.trial.folder} ended, and trials.jsonl does not hold it.`, { line });
        ended.add(event.trial.folder);
        open.delete(event.trial.folder);
        break;
      default:
    }
  }
  const isOver = lines.at(-1)?.event.kind === 'campaign_ended';
  if (!about.isLive && isOver) for (const [folder, line] of open) about.warn(`${folder} started and never ended, although the campaign did.`, { line });
}
