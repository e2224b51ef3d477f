// control/: requests to a running campaign, one small file each. Doors write them, the campaign takes them in order.
// Imported by this room and its handlers.
import { join } from 'node:path';
import { controlRequest, type ControlRequest } from '../../../src-protocol/files/event.ts';
import type { Clock, Entropy, Files, Log, Stop } from '../../ports.ts';

/** The watch tells at once; where it cannot, a request waits that long. */
const pollMs = 1_000;
const mostBytes = 16_384;

interface RequestPorts {
  readonly files: Files;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** The request that this process is writing: the next one waits for it, since its name must come after. */
const lastLeft = new WeakMap<Files, Promise<void>>();

/** Leaves a request. They are taken in the order of their names, and a name comes after every one that waits: the order of asking. */
export async function leaveRequest(ports: RequestPorts, folder: string, request: Omit<ControlRequest, 'at'>): Promise<void> {
  const at = new Date(ports.clock.wallMs()).toISOString();
  const before = lastLeft.get(ports.files) ?? Promise.resolve();
  const leaving = before.then(() => writeRequest(ports, folder, { ...request, at }));
  lastLeft.set(ports.files, leaving.catch(() => undefined));
  return leaving;
}

async function writeRequest({ files, entropy }: RequestPorts, folder: string, request: ControlRequest): Promise<void> {
  await files.makeFolder(folder);
  const place = placeAfter(await files.list(folder), request.at.replace(/[^0-9]/g, ''));
  await files.replaceFile(join(folder, `${place}-${entropy.uuid().slice(0, 8)}-${request.action}.json`), `${JSON.stringify(request)}\n`);
}

/** `<time>-<number>`: after all that wait, also where they have the same millisecond or the clock was set back since. */
function placeAfter(names: readonly string[], stamp: string): string {
  const waiting = names.filter(isRequest).flatMap((name) => {
    const [, at, number] = /^(\d{17})-(\d{4})-/.exec(name) ?? [];
    return at === undefined || at < stamp ? [] : [{ stamp: at, number: Number(number) }];
  });
  const last = waiting.sort((a, b) => (a.stamp === b.stamp ? a.number - b.number : a.stamp < b.stamp ? -1 : 1)).at(-1);
  return last === undefined ? `${stamp}-0000` : `${last.stamp}-${String(last.number + 1).padStart(4, '0')}`;
}

export interface InboxOptions {
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  readonly folder: string;
  readonly onRequest: (request: ControlRequest) => void | Promise<void>;
}

/** Hands every request to `onRequest` once and then removes its file, now and from now on. */
export function watchRequests(options: InboxOptions): Stop {
  const taken = new Set<string>();
  let last = Promise.resolve();
  // One after the other: no request is taken twice.
  const take = () => (last = last.then(() => takeRequests(options, taken)));
  const stops = [options.clock.every(pollMs, take), options.files.watch(options.folder, () => void take())];
  void take();
  return () => stops.forEach((stop) => stop());
}

/** The requests that are there now, in the order they were made. `taken`: names that were handed on and could not be removed. */
export async function takeRequests(options: Omit<InboxOptions, 'clock'>, taken = new Set<string>()): Promise<void> {
  const { files, folder } = options;
  try {
    for (const name of await files.list(folder)) {
      if (!isRequest(name)) continue;
      const request = taken.has(name) ? null : await readRequest(options, join(folder, name));
      taken.add(name);
      if (request !== null) await options.onRequest(request);
      await files.remove(join(folder, name));
      taken.delete(name);
    }
  } catch (error) {
    options.log.warn('the control folder could not be read', { error: String(error) });
  }
}

/** Who asked for a stop that nobody has taken up; null when nobody did. */
export async function pendingStop({ files, log }: Pick<InboxOptions, 'files' | 'log'>, folder: string): Promise<string | null> {
  for (const name of await files.list(folder)) {
    if (!isRequest(name)) continue;
    const request = await readRequest({ files, log }, join(folder, name));
    if (request?.action === 'stop') return request.by;
  }
  return null;
}

/** Null, with a word in the log, for what cannot be understood. */
async function readRequest(options: Pick<InboxOptions, 'files' | 'log'>, path: string): Promise<ControlRequest | null> {
  try {
    const request = parseRequest(await options.files.readText(path, { maxBytes: mostBytes }));
    if (request === null) options.log.warn('a control request was not understood', { path });
    return request;
  } catch (error) {
    options.log.warn('a control request could not be read', { path, error: String(error) });
    return null;
  }
}

function parseRequest(text: string): ControlRequest | null {
  try {
    const parsed = controlRequest.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isRequest(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.');
}
