// Keeps one feed open: opens it again after a gap or a fault, and stops on its end or a refusal. Imported by the slices and tests.
import type { Client } from '../../src-protocol/client.ts';
import type { Frame } from '../../src-protocol/frame.ts';
import type { ChangeOf, FeedInputOf, FeedName, SnapshotOf } from '../../src-protocol/index.ts';

export interface FollowOptions<Name extends FeedName> {
  readonly client: Client;
  readonly name: Name;
  readonly input: FeedInputOf<Name>;
  readonly signal: AbortSignal;
  /** Every frame in order, the end included. After a snapshot everything before it is void. */
  onFrame(frame: Frame<SnapshotOf<Name>, ChangeOf<Name>>): void;
  /** The feed broke and will be opened again after `waitMs`. */
  onBroken(waitMs: number): void;
}

const firstWaitMs = 500;
const longestWaitMs = 10_000;

/** Resolves when there is nothing more to follow. Never rejects. */
export async function followFeed<Name extends FeedName>(options: FollowOptions<Name>): Promise<void> {
  let waitMs = firstWaitMs;
  while (!options.signal.aborted) {
    const outcome = await readOnce(options);
    if (outcome === 'over') return;
    if (outcome === 'broken after a snapshot') waitMs = firstWaitMs;
    options.onBroken(waitMs);
    await sleep(waitMs, options.signal);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

async function readOnce<Name extends FeedName>({ client, name, input, signal, onFrame }: FollowOptions<Name>): Promise<'over' | 'broken' | 'broken after a snapshot'> {
  let due = 0;
  try {
    for await (const frame of client.open(name, input, { signal })) {
      if (signal.aborted) return 'over';
      if (frame.kind === 'end') {
        if (frame.fault === undefined) {
          onFrame(frame);
          return 'over';
        }
        break;
      }
      if (frame.seq !== due) break;
      due += 1;
      onFrame(frame);
    }
  } catch {
    // A frame of another version: opening again is all that can be done.
  }
  return due > 0 ? 'broken after a snapshot' : 'broken';
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
