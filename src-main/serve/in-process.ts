// The door for callers inside this process: dispatch with one caller's name on every call. Imported by entries, other doors and tests.
import type { Caller } from '../../src-protocol/caller.ts';
import type { Transport } from '../../src-protocol/client.ts';
import type { Dispatch } from '../core/dispatch.ts';

/** `typed` confirms every call made through this door, so doors that ask a person make a new one for each answer. */
export function makeInProcessDoor(dispatch: Dispatch, caller: Caller): Transport {
  return {
    call: (name, input, options) => dispatch.call(name, input, caller, options),
    open: (name, input, options) => dispatch.open(name, input, caller, options),
  };
}
