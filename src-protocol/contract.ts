// Tools of the contract: eight gates that a person confirms, and the approval of an experiment.
import { z } from 'zod';
import { budgetTerms } from './files/budget-amendment.ts';
import { gateName } from './files/contract.ts';
import { isoTime, plainMap, sha256, slug } from './files/plain.ts';
import { approvalRefusals, readRefusals, root, study, writeRefusals } from './place.ts';
import { difference } from './refusal.ts';
import { approvalState, gateStatus } from './repository.ts';
import { tool } from './tool.ts';

const gate = gateName.describe('Name of the gate');

const shownDigest = sha256.optional().describe('Digest of what the person was shown; refused as approval_lapsed if the file says something else by now');

export const contractShow = tool({
  name: 'contract_show',
  title: 'Show the contract',
  use: 'Shows the eight gates: the question each asks, its value, what it rests on, and whether a person confirmed it. A gate whose value changed after it was confirmed is not confirmed any more.',
  effect: 'read',
  input: z.strictObject({ root }),
  output: z.strictObject({
    project: z.string(),
    gates: z.array(
      z.strictObject({
        gate: gateName,
        question: z.string(),
        /** A value to start from. */
        example: plainMap,
        status: gateStatus,
        value: plainMap.nullable(),
        evidence: z.array(z.string()),
        confirmed: z.strictObject({ by: z.string(), at: isoTime }).nullable(),
        /** Digest of the value as it is now; null when the gate is missing. */
        digest: sha256.nullable(),
        /** What changed since it was confirmed; empty when nothing did. */
        differences: z.array(difference),
      }),
    ),
  }),
  refusals: readRefusals,
  cli: { path: ['contract', 'show'] },
});

export const gateSet = tool({
  name: 'gate_set',
  title: 'Draft a gate',
  use: 'Writes a gate\'s value as a draft. A person must confirm it before it counts; a confirmed gate that is set again becomes a draft.',
  effect: 'write',
  input: z.strictObject({
    root,
    gate,
    value: plainMap.describe('The gate\'s value; `rlxp contract show` gives an example of each'),
    evidence: z.array(z.string()).optional().describe('Files or findings the value rests on'),
  }),
  output: z.strictObject({ gate: gateName, status: gateStatus, value: plainMap, digest: sha256 }),
  refusals: [...writeRefusals, 'campaign_running'],
  cli: { path: ['contract', 'set'], positional: ['gate'] },
});

export const gateConfirm = tool({
  name: 'gate_confirm',
  title: 'Confirm a gate',
  use: 'Records that a person read a gate\'s value and stands by it. Only a person can do this.',
  effect: 'approve',
  about: 'gate',
  input: z.strictObject({ root, gate, digest: shownDigest }),
  output: z.strictObject({
    gate: gateName,
    value: plainMap,
    by: z.string(),
    at: isoTime,
    digest: sha256,
    /** Gates that are not confirmed yet, in order. */
    open: z.array(z.strictObject({ gate: gateName, status: gateStatus })),
    /** What the gate experiment names; null while it has no value. */
    study: slug.nullable(),
  }),
  refusals: [...writeRefusals, 'gate_missing', 'approval_lapsed'],
  cli: { path: ['contract', 'confirm'], positional: ['gate'] },
});

export const studyApprove = tool({
  name: 'study_approve',
  title: 'Approve a study',
  use: 'Seals a person\'s approval of a study together with the eight gates, the adapter, the task and its code. Any later change to one of them lapses the approval. Only a person can do this.',
  effect: 'approve',
  about: 'study',
  input: z.strictObject({
    root,
    study,
    agents_may_start: z.boolean().default(false).describe('Whether agents may start this campaign'),
    fresh: z.boolean().default(false).describe('Set an earlier run of this study aside first, so that a changed study may take its name'),
    digest: shownDigest,
  }),
  output: z.strictObject({
    study: slug,
    by: z.string(),
    at: isoTime,
    digest: sha256,
    agents_may_start: z.boolean(),
    /** How many files of task code the approval covers. */
    files: z.number().int().nonnegative(),
  }),
  refusals: [...writeRefusals, 'gate_missing', 'out_of_scope', 'over_budget', 'campaign_running', 'study_finished', 'approval_lapsed', 'device_unsupported'],
  cli: { path: ['approve'], positional: ['study'] },
});

export const approvalCheck = tool({
  name: 'approval_check',
  title: 'Check an approval',
  use: 'Tells whether a study may run now, and if not, exactly what changed since it was approved.',
  effect: 'read',
  input: z.strictObject({ root, study }),
  output: z.strictObject({
    study: slug,
    state: approvalState,
    kind: z.enum(['person', 'bundled-example']).nullable(),
    by: z.string().nullable(),
    at: isoTime.nullable(),
    agents_may_start: z.boolean(),
    /** Digest of everything an approval given now would cover; null while something is missing. */
    digest: sha256.nullable(),
    differences: z.array(difference),
    /** What may be spent now, amendments counted, and the digest that binds an answer to it; null without an approval. */
    budget: z.strictObject({ terms: budgetTerms, amendments: z.number().int().nonnegative(), digest: sha256 }).nullable(),
    /** In one sentence. */
    text: z.string(),
  }),
  refusals: [...readRefusals, ...approvalRefusals],
  cli: { path: ['approval', 'check'], positional: ['study'] },
});
