// The switches burnt into the packaged binary, and how to read them back from it. Imported by tests, and by packaging when it is there.
// Order and sentinel: Electron, docs/tutorial/fuses.md.

/** In the order of the wire. */
export const wantedFuses = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
} as const satisfies Readonly<Record<string, boolean>>;

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const states: Readonly<Record<number, boolean | null>> = { 0x30: false, 0x31: true, 0x72: null };

/** Name -> on, off, or null for a fuse this version no longer has. Throws when the bytes hold no wire that we know. */
export function readFuses(binary: Uint8Array): Readonly<Record<string, boolean | null>> {
  const bytes = Buffer.from(binary.buffer, binary.byteOffset, binary.byteLength);
  const at = bytes.indexOf(sentinel);
  if (at === -1) throw new Error('there is no fuse wire in this file');
  const wire = bytes.subarray(at + sentinel.length);
  if (wire[0] !== 1) throw new Error(`fuse wire of version ${String(wire[0])}, expected 1`);
  return Object.fromEntries(
    Object.keys(wantedFuses).map((name, index) => {
      const state = index < (wire[1] ?? 0) ? states[wire[2 + index] ?? -1] : undefined;
      if (state === undefined) throw new Error(`the fuse ${name} cannot be read`);
      return [name, state];
    }),
  );
}
