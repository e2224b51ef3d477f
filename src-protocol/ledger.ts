// Tools of the ledger: read the history of decisions, and prove that nobody changed it.
import { z } from 'zod';
import { ledgerLine } from './files/ledger.ts';
import { readRefusals, root, study } from './place.ts';
import { problem } from './refusal.ts';
import { tool } from './tool.ts';

export const ledgerShow = tool({
  name: 'ledger_show',
  title: 'Show the ledger',
  use: 'Lists who decided what and when, and what it cost, oldest first.',
  effect: 'read',
  input: z.strictObject({
    root,
    study: study.optional(),
    last: z.number().int().min(1).max(10_000).default(100).describe('At most this many lines, the newest'),
  }),
  output: z.strictObject({ lines: z.array(ledgerLine), total: z.number().int().nonnegative() }),
  refusals: readRefusals,
  cli: { path: ['ledger', 'show'] },
});

export const ledgerVerify = tool({
  name: 'ledger_verify',
  title: 'Verify the ledger',
  use: 'Checks the chain of the ledger and the seal of its head, and names the first line that was edited, cut or lost.',
  effect: 'read',
  input: z.strictObject({ root }),
  output: z.strictObject({
    intact: z.boolean(),
    lines: z.number().int().nonnegative(),
    /** `foreign`: sealed under another machine's key; `absent`: no ledger yet. */
    seal: z.enum(['valid', 'foreign', 'absent', 'broken']),
    problems: z.array(problem),
  }),
  refusals: readRefusals,
  cli: { path: ['ledger', 'verify'] },
});
