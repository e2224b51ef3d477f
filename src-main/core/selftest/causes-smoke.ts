// Episodes on paper whose ends are known: does the program attribute them as it must? This room only. `parts` are the real ones; a test
// puts a broken one in their place.
import type { CauseRow } from '../../../src-protocol/files/record.ts';
import { compareCauses } from '../evaluation/cause-comparison.ts';
import { summarise } from '../evaluation/summarise.ts';
import { evaluationOf, paperStudy } from './paper-study.ts';
import { expectSame } from './screening-smoke.ts';

export interface CausesParts {
  readonly summarise: typeof summarise;
  readonly compareCauses: typeof compareCauses;
}

const real: CausesParts = { summarise, compareCauses };

/** What went wrong, in sentences; empty when all is as it must be. */
export function causesSmoke(parts: CausesParts = real): readonly string[] {
  const study = paperStudy();
  const options = { expected: { policy: 'checkpoint' as const, ...study.eval }, metric: { primary: 'score', direction: 'maximise' as const } };
  // Four environments of two episodes: half fall, a quarter times out, one in eight is the probes' blind spot.
  const ends = ['fell', 'fell', 'time_out', 'fell', 'fell', 'time_out', 'left', 'unattributed'];
  const whole = parts.summarise(evaluationOf(study, 100, (env, episode) => ends[episode * study.eval.num_envs + env] ?? ''), options);
  const drifted = parts.summarise(evaluationOf(study, 100, (env) => (env < 2 ? 'unattributed' : 'fell')), options);
  const cut = parts.summarise(evaluationOf(study, 100, (env, episode) => (env === 0 && episode === 0 ? 'unfinished' : 'fell')), options);
  const comparison = parts.compareCauses(whole.causes, drifted.causes);
  return [
    ...expectSame('the causes', whole.causes.map(countText).join(', '), 'fell 4 of 8, time_out 2 of 8, left 1 of 8, unattributed 1 of 8'),
    ...expectSame('every share lies in its interval', String(whole.causes.every((row) => row.share_low <= row.share && row.share <= row.share_high && row.share_low >= 0 && row.share_high <= 1)), 'true'),
    ...expectSame('the score', `${whole.valid ? 'valid' : 'not valid'} ${String(whole.score)}`, 'valid 100'),
    ...expectSame('unattributed has grown beside the baseline', String(comparison.hasUnattributedGrown), 'true'),
    ...expectSame('an evaluation with an unfinished episode in eight', cut.valid ? 'valid' : `not valid, score ${String(cut.score)}`, 'not valid, score null'),
  ];
}

function countText({ cause, count, share }: CauseRow): string {
  return `${cause} ${count} of ${share === 0 ? 0 : Math.round(count / share)}`;
}
