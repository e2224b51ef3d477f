// Sorts what a handler throws into a refusal (expected, declared) or a fault (our bug). Imported by dispatch only.
import { RefusalError, makeRefusal } from '../../../src-protocol/refusal.ts';
import type { Fault, Refusal, RefusalCode } from '../../../src-protocol/refusal.ts';
import type { FileError, Log } from '../../ports.ts';

export type Failure = { readonly ok: false; readonly refusal: Refusal } | { readonly ok: false; readonly fault: Fault };

export interface FailureFacts {
  readonly tool: string;
  /** Codes this call may be refused with. */
  readonly declared: ReadonlySet<RefusalCode>;
  readonly isCancelled: boolean;
  /** What the call was about. */
  readonly input: Readonly<Record<string, unknown>>;
}

export function toFailure(thrown: unknown, facts: FailureFacts, log: Log): Failure {
  if (facts.isCancelled) return { ok: false, refusal: makeRefusal('cancelled', `${facts.tool} was cancelled`) };
  if (thrown instanceof RefusalError && facts.declared.has(thrown.refusal.code)) return { ok: false, refusal: withNames(thrown.refusal, facts.input) };
  const notOurs = toNotOurs(thrown);
  if (notOurs !== null) return { ok: false, refusal: notOurs };
  const unwritable = facts.declared.has('unwritable') ? toUnwritable(thrown) : null;
  if (unwritable !== null) return { ok: false, refusal: unwritable };
  return toFault(thrown, facts.tool, log);
}

/** A next step that says `<study>` names the study that was asked about, so that it can be copied. */
function withNames(refusal: Refusal, input: FailureFacts['input']): Refusal {
  const next = refusal.next.replace(/<([a-z_]+)>/g, (whole, name: string) => (typeof input[name] === 'string' ? input[name] : whole));
  return next === refusal.next ? refusal : { ...refusal, next };
}

/** The message says nothing about the cause: causes may hold paths and contents, so they go to the log alone. */
export function toFault(thrown: unknown, tool: string, log: Log): { readonly ok: false; readonly fault: Fault } {
  const id = log.fault(thrown, { tool });
  return { ok: false, fault: { id, message: `something went wrong inside ${tool}; the log holds the details under ${id}` } };
}

const unwritableReasons: Readonly<Record<string, string>> = {
  EACCES: 'you have no right to write there',
  EPERM: 'the system does not allow writing there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'something that is no folder stands in its way',
  EEXIST: 'something that is no folder stands in its way',
};

/** A folder or key of this user that others can reach, or that is damaged: any call may meet one. Its adapter says what and how to mend it. */
const notOursCodes: readonly string[] = ['ENOTPRIVATE', 'EKEYOPEN', 'EKEYOWNER', 'EKEYDAMAGED'];

function toNotOurs(thrown: unknown): Refusal | null {
  if (!isFileError(thrown) || !notOursCodes.includes(thrown.code)) return null;
  return makeRefusal('unwritable', thrown.message, { next: 'Do what the message says, then run the command again.' });
}

function toUnwritable(thrown: unknown): Refusal | null {
  if (!isFileError(thrown)) return null;
  const reason = unwritableReasons[thrown.code];
  return reason === undefined ? null : makeRefusal('unwritable', `${thrown.path} cannot be written: ${reason}`);
}

function isFileError(thrown: unknown): thrown is FileError {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && 'path' in thrown && typeof thrown.path === 'string';
}
