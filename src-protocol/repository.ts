// Tools of a whole repository: start a project in it, and see what it holds.
import { z } from 'zod';
import { gateName } from './files/contract.ts';
import { slug } from './files/plain.ts';
import { verdictWord } from './files/verdict.ts';
import { readRefusals, root } from './place.ts';
import { tool } from './tool.ts';

export const gateStatus = z.enum(['missing', 'draft', 'confirmed']);

/** `lapsed`: something it covers changed; `elsewhere`: sealed under another machine's key. */
export const approvalState = z.enum(['none', 'valid', 'lapsed', 'elsewhere']);

/** `interrupted`: it says running and its process is gone. */
export const campaignState = z.enum(['none', 'running', 'paused', 'interrupted', 'completed', 'stopped', 'blocked', 'failed']);
export type CampaignState = z.infer<typeof campaignState>;

export const repositoryInit = tool({
  name: 'repository_init',
  title: 'Start a project',
  use: 'Makes the folder .rlxp in a repository, with an empty contract of eight gates, an adapter for the bundled runner and an empty list of experiments. Changes no file outside .rlxp. Use it once per repository.',
  effect: 'write',
  input: z.strictObject({
    root,
    project: z.string().trim().min(1).max(200).describe('Name of the project, for people'),
  }),
  output: z.strictObject({
    root: z.string(),
    project: z.string(),
    /** Paths relative to the repository, in the order they were written. */
    created: z.array(z.string()),
  }),
  refusals: ['already_exists', 'not_found', 'unwritable'],
  cli: { path: ['init'], root: 'here' },
});

export const repositoryShow = tool({
  name: 'repository_show',
  title: 'Show the repository',
  use: 'Tells how far a repository is: which gates are confirmed, which studies exist, whether each is approved and what its campaign is doing. Use it first, and whenever you do not know what to do next.',
  effect: 'read',
  input: z.strictObject({ root }),
  output: z.strictObject({
    root: z.string(),
    project: z.string(),
    gates: z.array(z.strictObject({ gate: gateName, status: gateStatus })),
    studies: z.array(
      z.strictObject({
        study: slug,
        why: z.string(),
        /** False when the study's file has problems; `study_check` names them. */
        readable: z.boolean(),
        approval: approvalState,
        campaign: campaignState,
        verdict: verdictWord.nullable(),
      }),
    ),
    /** The next useful command, in words. */
    next: z.string(),
  }),
  refusals: readRefusals,
  cli: { path: ['status'] },
});
