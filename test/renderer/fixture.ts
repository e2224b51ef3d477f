// Outputs that dispatch gave for a recorded campaign of examples/cartpole, and a transport that answers with them. Imported by tests of this folder.
import { readFileSync } from 'node:fs';
import type { Transport } from '../../src-protocol/client.ts';
import type { Frame } from '../../src-protocol/frame.ts';
import { makeRefusal } from '../../src-protocol/refusal.ts';
import type { Result } from '../../src-protocol/refusal.ts';

export interface RecordedCampaign {
  /** Output of repository_show. */
  readonly shown: Readonly<Record<string, unknown>> & { readonly root: string };
  /** Snapshot of campaign_watch. */
  readonly snapshot: { readonly status: Readonly<Record<string, unknown>>; readonly events: readonly unknown[] };
  /** Changes that follow it. */
  readonly changes?: readonly unknown[];
}

/** `running` is the first part of `completed`; its progress of running trials is made up, since no file keeps it. */
export function readRecorded(name: 'completed' | 'running'): RecordedCampaign {
  return JSON.parse(readFileSync(new URL(`fixtures/campaign-${name}.json`, import.meta.url), 'utf8')) as RecordedCampaign;
}

export interface FixtureDoor extends Transport {
  /** What is answered from now on. */
  recorded: RecordedCampaign;
  /** Instead of it, once; then the recorded answer again. */
  readonly next: Result<unknown>[];
  readonly calls: string[];
  /** Sends a change to whoever follows; `null` ends the feed. */
  tell(change: unknown): void;
}

export function makeFixtureDoor(recorded: RecordedCampaign): FixtureDoor {
  const queue: unknown[] = [];
  let wake = (): void => undefined;
  const door: FixtureDoor = {
    recorded,
    next: [],
    calls: [],
    tell(change) {
      queue.push(change);
      wake();
    },
    call(name, input) {
      door.calls.push(name);
      const { root } = input as { readonly root: string };
      const planned = door.next.shift();
      if (planned !== undefined) return Promise.resolve(planned);
      if (root !== door.recorded.shown.root) return Promise.resolve({ ok: false, refusal: makeRefusal('not_a_repository', `${root} holds no .rlxp folder`) });
      return Promise.resolve({ ok: true, output: door.recorded.shown });
    },
    async *open(_name, _input, options): AsyncGenerator<Frame> {
      const { snapshot } = door.recorded;
      if (snapshot.events.length === 0) return yield { kind: 'end', seq: 0, refusal: makeRefusal('nothing_running', 'The campaign of quick never ran.') };
      yield { kind: 'snapshot', seq: 0, snapshot };
      for (let seq = 1; ; seq += 1) {
        while (queue.length === 0) {
          if (options?.signal?.aborted === true) return yield { kind: 'end', seq };
          await new Promise<void>((resolve) => {
            wake = resolve;
            options?.signal?.addEventListener('abort', resolve, { once: true });
          });
        }
        const change = queue.shift();
        if (change === null) return yield { kind: 'end', seq };
        yield { kind: 'change', seq, change };
      }
    },
  };
  return door;
}
