// control/: requests to a running campaign, one small file each. Doors write them, the campaign takes them in order.
// Imported by this room and its handlers.
import { join } from 'node:path';
import { controlRequest, type ControlRequest } from '../../../src-protocol/files/event.ts';
import type { Clock, Entropy, Files, Log, Stop } from '../../ports.ts';

/** The watch tells at once; where it cannot, a request waits that long. */
const pollMs = 1_000;

/** Leaves a request. Names sort by time, so that requests are taken in the order they were made. */
export async function leaveRequest(
  ports: { readonly files: Files; readonly clock: Clock; readonly entropy: Entropy },
  folder: string,
  request: Omit<ControlRequest, 'at'>,
): Promise<void> {
  const at = new Date(ports.clock.wallMs()).toISOString();
  await ports.files.makeFolder(folder);
  const name = `${at.replace(/[^0-9]/g, '')}-${ports.entropy.uuid().slice(0, 8)}-${request.action}.json`;
  await ports.files.replaceFile(join(folder, name), `${JSON.stringify({ ...request, at } satisfies ControlRequest)}\n`);
}

export interface InboxOptions {
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  readonly folder: string;
  readonly onRequest: (request: ControlRequest) => void | Promise<void>;
}

/** Hands every request to `onRequest` once and removes its file, now and from now on. */
export function watchRequests(options: InboxOptions): Stop {
  let last = Promise.resolve();
  // One after the other: no request is taken twice.
  const take = () => (last = last.then(() => takeRequests(options)));
  const stops = [options.clock.every(pollMs, take), options.files.watch(options.folder, () => void take())];
  void take();
  return () => stops.forEach((stop) => stop());
}

/** The requests that are there now, in the order they were made. */
export async function takeRequests(options: Omit<InboxOptions, 'clock'>): Promise<void> {
  const { files, folder } = options;
  try {
    for (const name of await files.list(folder)) {
      if (!name.endsWith('.json') || name.startsWith('.')) continue;
      const request = await take(options, name);
      if (request !== null) await options.onRequest(request);
    }
  } catch (error) {
    options.log.warn('the control folder could not be read', { error: String(error) });
  }
}

async function take(options: Omit<InboxOptions, 'clock'>, name: string): Promise<ControlRequest | null> {
  const path = join(options.folder, name);
  try {
    const parsed = controlRequest.safeParse(JSON.parse(await options.files.readText(path, { maxBytes: 16_384 })));
    await options.files.remove(path);
    if (parsed.success) return parsed.data;
    options.log.warn('a control request was not understood and was removed', { name });
  } catch (error) {
    options.log.warn('a control request could not be read', { name, error: String(error) });
    await options.files.remove(path);
  }
  return null;
}
