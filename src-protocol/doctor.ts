// Tools of the doctor: a small experiment of its own that says whether a study's campaign would work (docs/specs/doctor.md).
import { z } from 'zod';
import { doctorGate, doctorReport } from './files/doctor.ts';
import { isoTime, plainMap, sha256, slug } from './files/plain.ts';
import { approvalRefusals, readRefusals, root, study, writeRefusals } from './place.ts';
import { difference } from './refusal.ts';
import { gateStatus } from './repository.ts';
import { tool } from './tool.ts';

const timesteps = z.number().int().positive().optional().describe('Steps to train instead of those of the screen stage, where a whole one takes longer than 10 minutes');

export const doctorApprove = tool({
  name: 'doctor_approve',
  title: 'Approve a doctor',
  use: 'Seals a person\'s approval of one doctor of a study: one trial of the baseline, or one evaluation of a checkpoint, at most 10 minutes. Needs the gates task, hardware, baseline and evaluation confirmed, not the whole study. Any later change to what it covers lapses it, and its doctor uses it up. Only a person can do this.',
  effect: 'approve',
  about: 'study',
  input: z.strictObject({
    root,
    study,
    timesteps,
    agents_may_start: z.boolean().default(false).describe('Whether agents may start this doctor'),
    digest: sha256.optional().describe('Digest of what the person was shown; refused as approval_lapsed if the files say something else by now'),
  }),
  output: z.strictObject({ study: slug, by: z.string(), at: isoTime, digest: sha256, allows: z.string(), timesteps: z.number().int().positive(), agents_may_start: z.boolean(), files: z.number().int().nonnegative() }),
  refusals: [...writeRefusals, 'gate_missing', 'approval_lapsed', 'device_unsupported'],
  cli: { path: ['doctor', 'approve'], positional: ['study'] },
});

export const doctorRun = tool({
  name: 'doctor_run',
  title: 'Run the doctor',
  use: 'Trains the unmodified baseline once, evaluates it, and tells whether interpreter, environment, logs, checkpoint and evaluation work, how long each stage would take, and how much memory a trial needs. Waits until it is done, at most 10 minutes; cancelling ends it. With `eval_only` it evaluates one checkpoint under canonical settings instead. Needs its own approval; a bundled example runs on the one it ships with.',
  effect: 'spend',
  about: 'study',
  input: z.strictObject({
    root,
    study,
    eval_only: z.boolean().default(false).describe('Only evaluate the checkpoint that is given'),
    checkpoint: z.string().min(1).max(4096).optional().describe('File of this repository to evaluate, with eval_only'),
  }),
  output: doctorReport,
  refusals: [...writeRefusals, ...approvalRefusals, 'campaign_running', 'not_started', 'device_unsupported', 'no_checkpoint'],
  cli: { path: ['doctor', 'run'], positional: ['study'], waits: 'This takes at most 10 minutes; Ctrl-C ends it.' },
});

export const doctorShow = tool({
  name: 'doctor_show',
  title: 'Show the doctor',
  use: 'Tells what a doctor of a study would do and whether it may, and shows the findings of the last one. Runs nothing.',
  effect: 'read',
  input: z.strictObject({ root, study, timesteps }),
  output: z.strictObject({
    study: slug,
    /** What an approval given now would allow. */
    would: z
      .strictObject({
        allows: z.string(),
        timesteps: z.number().int().positive(),
        num_envs: z.number().int().positive(),
        device: z.string(),
        seed: z.number(),
        /** The training command, with the names of its placeholders. */
        argv: z.array(z.string()),
        files: z.number().int().nonnegative(),
        gates: z.array(z.strictObject({ gate: doctorGate, status: gateStatus, value: plainMap.nullable() })),
      }),
    /** Digest of what an approval given now would cover; null while one of its gates is not confirmed. */
    digest: sha256.nullable(),
    approval: z.strictObject({
      state: z.enum(['none', 'valid', 'used', 'lapsed', 'elsewhere', 'bundled']),
      text: z.string(),
      differences: z.array(difference),
    }),
    report: doctorReport.nullable(),
  }),
  refusals: [...readRefusals, 'device_unsupported'],
  cli: { path: ['doctor', 'show'], positional: ['study'] },
});
