// What the page gets of us: three functions over one channel. Imported by bridge.ts and tests. It knows no tool names and no Electron.

/** Values are JSON. `take` gets the frames of a feed one by one; the next is asked for when it says true. */
export interface Bridge {
  call(id: string, name: string, input: unknown): Promise<unknown>;
  open(id: string, name: string, input: unknown, take: (frame: unknown) => Promise<boolean>): Promise<void>;
  cancel(id: string): Promise<void>;
}

/** `send` reaches the door of the main process. */
export function makeBridge(send: (message: Readonly<Record<string, unknown>>) => Promise<unknown>): Bridge {
  return Object.freeze({
    call: (id: string, name: string, input: unknown) => send({ do: 'call', id, name, input }),
    async open(id: string, name: string, input: unknown, take: (frame: unknown) => Promise<boolean>) {
      let frame = await send({ do: 'open', id, name, input });
      while ((await take(frame)) && !isEnd(frame)) frame = await send({ do: 'next', id });
      if (!isEnd(frame)) await send({ do: 'cancel', id });
    },
    async cancel(id: string) {
      await send({ do: 'cancel', id });
    },
  });
}

function isEnd(frame: unknown): boolean {
  return typeof frame === 'object' && frame !== null && 'kind' in frame && frame.kind === 'end';
}
