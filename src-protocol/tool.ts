// tool() and feed(): how a capability is declared, once. The feature files of this folder call them; doors read them.
import type { z } from 'zod';
import { approvalRefusals, readRefusals } from './place.ts';
import type { RefusalCode } from './refusal.ts';

/**
 * What running a tool does to the world, which decides who may run it (docs/specs/tools.md):
 * `read` changes nothing; `write` changes drafts or asks a running campaign for less; `spend` uses device time;
 * `approve` is a person's decision; `destroy` cannot be undone.
 */
export type Effect = 'read' | 'write' | 'spend' | 'approve' | 'destroy';
export const effects: readonly Effect[] = ['read', 'write', 'spend', 'approve', 'destroy'];

/** How the command line spells a tool: `rlxp <path...> <positional...> --other-input value`. */
export interface CliForm<Key extends string = string> {
  readonly path: readonly [string, ...string[]];
  /** Inputs given by position, in order; each may be given as a flag instead. */
  readonly positional?: readonly Key[];
  /** `nearest` (default): the nearest parent folder with `.rlxp`; `here`: the current folder. */
  readonly root?: 'nearest' | 'here';
  /** A feed to watch after the call, and a tool to show once it has ended; both take the same root and study. `onlyIf`: only when the output's `state` is this one. */
  readonly then?: { readonly watch: string; readonly show: string; readonly onlyIf?: string };
  /** A switch that runs another tool with the same inputs instead: `rlxp check --repair`. */
  readonly instead?: { readonly switch: string; readonly tool: string; readonly does: string };
  /** Said on standard error before a call that a person has to wait for. */
  readonly waits?: string;
}

/** `about` is the input that names what is spent on, approved or destroyed: the name a person types to confirm. */
type EffectParts<Key extends string> =
  | { readonly effect: 'read' | 'write' }
  | { readonly effect: 'spend' | 'approve' | 'destroy'; readonly about: Key }
  /** A read that becomes a spend when the input `raisedBy` is given. */
  | { readonly effect: 'read'; readonly raisedBy: Key; readonly about: Key };

interface ToolParts<Name extends string, Input extends z.ZodObject, Output extends z.ZodType> {
  readonly name: Name;
  /** A few words, for buttons and lists. */
  readonly title: string;
  /** When to use it, for people and models: what it does, what it needs, what it does not do. */
  readonly use: string;
  readonly input: Input;
  readonly output: Output;
  /** Codes the handler may refuse with; dispatch adds its own (bad_input, needs_person, ...). */
  readonly refusals: readonly RefusalCode[];
  readonly cli: CliForm<KeyOf<Input>>;
}

type KeyOf<Input extends z.ZodObject> = keyof z.output<Input> & string;

export type Tool<Name extends string = string, Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  readonly kind: 'tool';
  readonly name: Name;
  readonly title: string;
  readonly use: string;
  readonly effect: Effect;
  readonly about: string | null;
  readonly raisedBy: string | null;
  readonly input: Input;
  readonly output: Output;
  readonly refusals: readonly RefusalCode[];
  readonly cli: CliForm;
};

export function tool<const Name extends string, Input extends z.ZodObject, Output extends z.ZodType>(
  parts: ToolParts<Name, Input, Output> & EffectParts<KeyOf<Input>>,
): Tool<Name, Input, Output> {
  return {
    ...parts,
    kind: 'tool',
    about: 'about' in parts ? parts.about : null,
    raisedBy: 'raisedBy' in parts ? parts.raisedBy : null,
  };
}

/** A feed is a read: a snapshot, then changes with rising sequence numbers (frame.ts). */
export interface Feed<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Snapshot extends z.ZodType = z.ZodType,
  Change extends z.ZodType = z.ZodType,
> {
  readonly kind: 'feed';
  readonly name: Name;
  readonly title: string;
  readonly use: string;
  readonly input: Input;
  readonly snapshot: Snapshot;
  readonly change: Change;
  readonly refusals: readonly RefusalCode[];
  readonly cli: CliForm;
}

export function feed<const Name extends string, Input extends z.ZodObject, Snapshot extends z.ZodType, Change extends z.ZodType>(
  parts: Omit<Feed<Name, Input, Snapshot, Change>, 'kind' | 'cli'> & { readonly cli: CliForm<KeyOf<Input>> },
): Feed<Name, Input, Snapshot, Change> {
  return { ...parts, kind: 'feed' };
}

/** The effect of one call: a read that is raised by one of its inputs counts as a spend. */
export function effectOf(declared: Pick<Tool, 'effect' | 'raisedBy'>, input: Readonly<Record<string, unknown>>): Effect {
  const isRaised = declared.raisedBy !== null && input[declared.raisedBy] !== undefined;
  return isRaised ? 'spend' : declared.effect;
}

/** Every code a caller may meet: the handler's, and those dispatch adds for parsing, permission and approval. */
export function refusalsOf(declared: Pick<Tool, 'refusals' | 'effect' | 'raisedBy'> | Pick<Feed, 'kind' | 'refusals'>): ReadonlySet<RefusalCode> {
  const codes = new Set<RefusalCode>(['bad_input', 'cancelled', 'not_supported', ...declared.refusals]);
  if (!('effect' in declared)) return codes;
  const isSpend = declared.effect === 'spend' || declared.raisedBy !== null;
  if (isSpend) for (const code of ['needs_person', ...readRefusals, ...approvalRefusals] as const) codes.add(code);
  if (declared.effect === 'approve' || declared.effect === 'destroy') for (const code of ['needs_person', 'name_mismatch'] as const) codes.add(code);
  return codes;
}
