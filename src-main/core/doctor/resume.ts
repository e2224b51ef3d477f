// Trains the doctor's trial once more in two halves, the second from the checkpoint of the first, and compares. This room only.
import { countText } from '../../../src-protocol/count-text.ts';
import type { DoctorFinding } from '../../../src-protocol/files/doctor.ts';
import { findCheckpoint } from '../trial/artifacts.ts';
import type { TrialOutcome } from '../trial/trial-outcome.ts';
import type { Observed } from './observer.ts';
import type { Doctor } from './run-doctor.ts';
import { planPart, trainPart, type Part } from './train-part.ts';

/** `whole` is the uninterrupted trial. */
export async function compareResumed(doctor: Doctor, whole: Part): Promise<DoctorFinding> {
  const { paths, permission, leftMs, ports } = doctor;
  const { study, timesteps } = permission.live;
  if (study.adapter.resume === undefined) return finding('ok', 'The adapter declares no way to go on from a checkpoint: a trial that is interrupted starts over.', []);
  const wantedMs = 1.5 * whole.outcome.wall_s * 1000;
  if (leftMs() < wantedMs) return finding('warning', 'No time was left to train it once more in two halves.', [], `Approve a shorter doctor: \`rlxp doctor approve ${study.name} --timesteps ${Math.max(1, Math.floor(timesteps / 3))}\`.`);
  const half = Math.ceil(timesteps / 2);
  const first = await trainPart(doctor, { folder: paths.firstHalf, ...(await planPart(doctor, { folder: paths.firstHalf, timesteps: half, checkpoint: null })) });
  const checkpoint = await findCheckpoint(ports.files, paths.firstHalf, study.adapter.checkpoints.glob);
  if (first.outcome.status !== 'completed' || checkpoint === null) return finding('warning', `Half of it did not come to its end, so nothing could go on from it: ${first.outcome.reason.text}.`, [], 'Read console.log of first-half.');
  const { trial, plan } = await planPart(doctor, { folder: paths.secondHalf, timesteps, checkpoint: checkpoint.path });
  const second = await trainPart(doctor, { folder: paths.secondHalf, trial, plan: { ...plan, trainArgv: plan.resumeArgv ?? plan.trainArgv } });
  return judgeResumed({ whole: whole.outcome, half, second, tolerance: study.stages.verify.tolerance, scoreScale: study.task.score_scale });
}

export interface Resumed {
  readonly whole: Pick<TrialOutcome, 'evaluation' | 'steps'>;
  /** Steps of the first half. */
  readonly half: number;
  readonly second: { readonly outcome: Pick<TrialOutcome, 'status' | 'reason' | 'evaluation' | 'steps' | 'timesteps'>; readonly observed: Pick<Observed, 'firstStep'> };
  readonly tolerance: number;
  readonly scoreScale: number;
}

export function judgeResumed({ whole, half, second, tolerance, scoreScale }: Resumed): DoctorFinding {
  const { outcome, observed } = second;
  const fix = 'Correct the `resume` command, or leave it out: what is declared must work.';
  const [straight, resumed] = [whole.evaluation?.score ?? null, outcome.evaluation?.score ?? null];
  const evidence = [`first half ${countText(half, 'step')}; the second logged from ${observed.firstStep ?? 'nothing'} to ${outcome.steps} of ${outcome.timesteps}`, `score ${String(straight)} in one go, ${String(resumed)} in two halves`];
  if (outcome.status !== 'completed' || straight === null || resumed === null) return finding('failed', `It does not go on from a checkpoint: ${outcome.reason.text}.`, evidence, fix);
  if (outcome.steps > outcome.timesteps * 1.2) return finding('warning', `It went on for ${countText(outcome.steps - half, 'step')} where ${outcome.timesteps - half} ${outcome.timesteps - half === 1 ? 'was' : 'were'} left: {timesteps} means the whole training.`, evidence, fix);
  if (observed.firstStep !== null && observed.firstStep <= half / 2) return finding('warning', 'It counts its steps from the start again: curves and gates would be wrong after a resume.', evidence, fix);
  const band = tolerance * Math.max(Math.abs(straight), scoreScale);
  if (Math.abs(resumed - straight) > band) return finding('warning', `In two halves it scores otherwise than in one go, by more than the tolerance of ${shown(band)}.`, evidence, 'See what its checkpoint leaves out: optimizer, statistics of observations, schedules, random streams.');
  return finding('ok', `It goes on from a checkpoint, and scores as in one go within ${shown(band)}.`, evidence);
}

function finding(state: DoctorFinding['state'], text: string, evidence: readonly string[], fix = ''): DoctorFinding {
  return { name: 'resume', state, text, evidence: [...evidence], fix };
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)));
}
