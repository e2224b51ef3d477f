// Inputs and refusals that most tools of a repository share. Imported by the feature files of this folder.
import { z } from 'zod';
import type { RefusalCode } from './refusal.ts';
import { slug } from './files/plain.ts';

/** The repository a tool works on: an absolute path, on this machine. */
export const root = z
  .string()
  .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)[^\u0000]*$/, 'give the absolute path of the repository')
  .describe('Absolute path of the repository (the folder that holds .rlxp)');

/** A file anywhere on this machine: an absolute path. The command line takes a relative one from the current folder. */
export const filePath = z
  .string()
  .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)[^\u0000]*$/, 'give the absolute path of the file')
  .meta({ format: 'path' });

export const study = slug.describe('Name of the study');

export const trialFolder = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,119}$/, 'give the trial\'s folder name, for example screen-baseline-s42')
  .describe('Folder name of the trial, for example screen-baseline-s42');

/** What reading the files of a repository can be refused with. */
export const readRefusals = ['not_a_repository', 'not_found', 'invalid_file', 'newer_schema', 'damaged'] as const satisfies readonly RefusalCode[];

/** What writing them adds. */
export const writeRefusals = [...readRefusals, 'unwritable'] as const satisfies readonly RefusalCode[];

/** What anything that rests on an approval adds. */
export const approvalRefusals = ['gate_missing', 'not_approved', 'approval_lapsed', 'approved_elsewhere'] as const satisfies readonly RefusalCode[];
