// Who may do what: effect x caller, decided here and nowhere else. Imported by dispatch only. Rules T20 to T29 of docs/specs/tools.md.
import { isAgent } from '../../../src-protocol/caller.ts';
import type { Caller } from '../../../src-protocol/caller.ts';
import { makeRefusal } from '../../../src-protocol/refusal.ts';
import type { Refusal } from '../../../src-protocol/refusal.ts';
import type { Effect } from '../../../src-protocol/tool.ts';

export type Permission =
  | { readonly is: 'allowed' }
  /** Allowed if the study is approved, and for agents only if its approval says that agents may start it. */
  | { readonly is: 'needs_approval'; readonly agentsMustBeNamed: boolean }
  | { readonly is: 'refused'; readonly refusal: Refusal };

/** `about` names what is spent on, approved or destroyed, as it stands in the input. */
export function permit(effect: Effect, caller: Caller, about: string | null): Permission {
  switch (effect) {
    case 'read':
    case 'write':
      return { is: 'allowed' };
    case 'spend':
      return { is: 'needs_approval', agentsMustBeNamed: isAgent(caller) };
    case 'approve':
      return permitApprove(caller, about);
    case 'destroy':
      return permitDestroy(caller, about);
  }
}

/** A window's press-and-hold is its own proof; a terminal proves the person by the typed name; nobody else may. */
function permitApprove(caller: Caller, about: string | null): Permission {
  if (caller.kind !== 'window' && caller.kind !== 'terminal') {
    return refused('needs_person', 'only a person can confirm or approve, at the window or by typing the name in a terminal');
  }
  if (caller.kind === 'window' && caller.typed === null) return { is: 'allowed' };
  return permitTyped(caller, about);
}

/** Nobody destroys without naming what; agents never do. A script names it with `--yes NAME`. */
function permitDestroy(caller: Caller, about: string | null): Permission {
  if (isAgent(caller)) return refused('needs_person', 'agents cannot delete anything');
  return permitTyped(caller, about);
}

function permitTyped(caller: Caller, about: string | null): Permission {
  if (about === null || about === '') return refused('needs_person', 'this call does not name what it is about');
  if (caller.typed === null) return refused('needs_person', `this needs a person to type the name "${about}"`);
  if (caller.typed === '') return refused('name_mismatch', `nothing was typed, so nothing was done; it would have taken "${about}"`);
  if (caller.typed !== about) return refused('name_mismatch', `the name typed does not match "${about}"`);
  return { is: 'allowed' };
}

function refused(code: 'needs_person' | 'name_mismatch', message: string): Permission {
  return { is: 'refused', refusal: makeRefusal(code, message) };
}
