// Who calls a tool. A door decides the kind of its callers; a caller never states its own. Anyone may import it.

export type CallerKind = 'window' | 'terminal' | 'chat' | 'mcp' | 'script';
export const callerKinds: readonly CallerKind[] = ['window', 'terminal', 'chat', 'mcp', 'script'];

export interface Caller {
  /**
   * `window`: a person at one of our windows. `terminal`: a person at an interactive terminal, whose answers were read
   * from it. `chat`: the agent in the chat pane. `mcp`: a client of the MCP door. `script`: the command line without a person.
   */
  readonly kind: CallerKind;
  /** Login name of the person, or name of the agent or client. */
  readonly by: string;
  /** The name that was typed (or given with `--yes`) to confirm this one call; null when nothing was. */
  readonly typed: string | null;
}

export function isAgent(caller: Caller): boolean {
  return caller.kind === 'chat' || caller.kind === 'mcp';
}
