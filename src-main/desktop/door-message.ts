// What a page may say through the ipc door: plain JSON of these four forms. Imported by ipc-door.ts, door-session.ts and tests; the bridge sends them.
import { z } from 'zod';

export const doorChannel = 'rlxp:door';
const mostBytes = 1_000_000;

/** Chosen by the page; names one call or one open feed of that page until it is over. */
const id = z.string().min(1).max(64);
const name = z.string().min(1).max(64);

/** `next` asks for the following frame of an open feed: frames are pulled, so a slow page costs no memory. */
export const doorMessage = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('call'), id, name, input: z.unknown() }),
  z.strictObject({ do: z.literal('open'), id, name, input: z.unknown() }),
  z.strictObject({ do: z.literal('next'), id }),
  z.strictObject({ do: z.literal('cancel'), id }),
]);
export type DoorMessage = z.infer<typeof doorMessage>;

/** Null for anything that is not such a message: Maps, cycles, functions, a foreign key, too many bytes. */
export function parseMessage(received: unknown): DoorMessage | null {
  const plain = toPlain(received);
  const parsed = doorMessage.safeParse(plain);
  return parsed.success ? parsed.data : null;
}

/** What crosses in Electron may hold more than JSON; a tool never sees that. */
function toPlain(received: unknown): unknown {
  try {
    const text = JSON.stringify(received);
    return text === undefined || text.length > mostBytes ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}
