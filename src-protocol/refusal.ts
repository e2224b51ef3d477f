// The closed list of refusals: an expected "no" with a code, a message and the next step. Anyone may import it.
// A refusal is not a fault (our bug) and not an outcome (data about a trial).
import { z } from 'zod';

/** Every code with the next step a person can take; `refuse` may put a more exact step in its place. */
export const nextSteps = {
  // input and callers
  bad_input: 'Correct the named value; `--help` shows what is expected.',
  unknown_tool: 'Run `rlxp --help` for the list of commands.',
  cancelled: 'Nothing more was done; run it again when you want it.',
  needs_person: 'Ask the person at this machine to do this, at the window or in a terminal.',
  name_mismatch: 'Run the command again and type the name exactly as shown.',
  // places and files
  not_a_repository: 'Run `rlxp init --root DIR --project NAME` first, or give the right folder with `--root`.',
  not_found: 'Check the name; `rlxp status` lists what this repository holds.',
  already_exists: 'Nothing was changed; use what is there, or choose another name.',
  invalid_file: 'Correct the lines named above and run the command again.',
  unwritable: 'Make the folder writable or free some space, then run the command again.',
  newer_schema: 'This was written by a newer version of the program: use that version to open it.',
  damaged: 'Nothing was changed. Run `rlxp check` to see what is damaged and what a repair would keep.',
  // contract and approval
  gate_missing: 'Give the gate a value with `rlxp contract set <gate> --value JSON`, then confirm it.',
  not_approved: 'Run `rlxp approve <study>` in a terminal.',
  approval_lapsed: 'Look at the differences; undo them, or approve again with `rlxp approve <study>`.',
  approved_elsewhere: 'The approval was sealed on another machine: approve again here with `rlxp approve <study>`.',
  out_of_scope: 'Keep to the paths in the contract\'s scope, or change the scope gate and confirm it again.',
  over_budget: 'Make the study smaller, or raise the budget gate and approve again.',
  // campaign
  campaign_running: 'Wait for it, watch it with `rlxp campaign watch`, or stop it with `rlxp campaign stop`.',
  not_started: 'Correct what the message says and run the campaign again; process.log beside the run has the details.',
  nothing_running: 'Start it with `rlxp campaign run <study>`.',
  study_finished: 'Read the verdict with `rlxp report <study>`, or start over with `rlxp campaign run <study> --fresh`.',
  self_test_failed: 'The evaluator cannot be trusted yet: remove the leak it names, then approve again.',
  device_unsupported: 'Choose a device this machine has (`device: cpu` always works) in the study and the hardware gate.',
  no_checkpoint: 'Choose a trial that finished; `rlxp trial list <study>` shows them.',
  not_supported: 'This part is not available for this repository; the message says what is.',
} as const satisfies Readonly<Record<string, string>>;

export type RefusalCode = keyof typeof nextSteps;
export const refusalCodes = Object.keys(nextSteps) as readonly RefusalCode[];
export const refusalCode = z.enum(refusalCodes as readonly [RefusalCode, ...RefusalCode[]]);

/** One thing wrong with one file or value. Lines and columns are 1-based; null when there is none to name. */
export const problem = z.strictObject({
  /** Path relative to the repository, or the name of the input (`--seed`). */
  file: z.string(),
  line: z.number().int().positive().nullable(),
  column: z.number().int().positive().nullable(),
  message: z.string(),
  fix: z.string(),
});
export type Problem = Readonly<z.infer<typeof problem>>;

/** What changed since an approval; null on the side where the thing does not exist. */
export const difference = z.strictObject({ what: z.string(), approved: z.string().nullable(), now: z.string().nullable() });
export type Difference = Readonly<z.infer<typeof difference>>;

export const refusal = z.strictObject({
  code: refusalCode,
  message: z.string(),
  next: z.string(),
  problems: z.array(problem).readonly().exactOptional(),
  differences: z.array(difference).readonly().exactOptional(),
});
export type Refusal = Readonly<z.infer<typeof refusal>>;

export const fault = z.strictObject({ id: z.string(), message: z.string() });
export type Fault = Readonly<z.infer<typeof fault>>;

/** What every call of a tool gives; nothing is thrown across a door. */
export type Result<Output> =
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly refusal: Refusal }
  | { readonly ok: false; readonly fault: Fault };

export interface RefusalDetails {
  readonly problems?: readonly Problem[];
  readonly differences?: readonly Difference[];
  /** A step more exact than the code's own. */
  readonly next?: string;
}

/** Carries a refusal from a room of the core to dispatch. */
export class RefusalError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'RefusalError';
    this.refusal = refusal;
  }
}

/** Throws a RefusalError; `throw refuse(...)` reads well too and does the same. */
export function refuse(code: RefusalCode, message: string, details: RefusalDetails = {}): never {
  throw new RefusalError(makeRefusal(code, message, details));
}

export function makeRefusal(code: RefusalCode, message: string, details: RefusalDetails = {}): Refusal {
  return {
    code,
    message,
    next: details.next ?? nextSteps[code],
    ...(details.problems === undefined ? {} : { problems: details.problems }),
    ...(details.differences === undefined ? {} : { differences: details.differences }),
  };
}
