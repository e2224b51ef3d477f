// A whole campaign on paper, in parallel slots: does the program's own plan, slots, monitor, ranking and verdict come to what they must?
// This room only. `parts` are the real ones; a test puts a broken one in their place.
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { nextStepOf, rankStage, readVerdict } from '../campaign/judges.ts';
import { settledTrials, type PlannedTrial } from '../campaign/search-plan.ts';
import { runInSlots } from '../campaign/slots.ts';
import { makePaperClock } from './paper-clock.ts';
import { candidates, paperStudy, paperView, slots, trainOnPaper } from './paper-study.ts';

export interface ScreeningParts {
  readonly nextStepOf: typeof nextStepOf;
  readonly runInSlots: typeof runInSlots;
  readonly trainOnPaper: typeof trainOnPaper;
  readonly rankStage: typeof rankStage;
}

const real: ScreeningParts = { nextStepOf, runInSlots, trainOnPaper, rankStage };
const mostSteps = 20;

/** What went wrong, in sentences; empty when all is as it must be. */
export async function screeningSmoke(parts: ScreeningParts = real): Promise<readonly string[]> {
  const study = paperStudy();
  const records: TrialRecord[] = [];
  const wrong: string[] = [];
  for (let count = 0; count < mostSteps; count += 1) {
    const step = parts.nextStepOf(paperView(study, records));
    if (step.kind === 'conclude') return [...wrong, ...judge(parts, records, step.winner)];
    if (step.kind !== 'train') return [...wrong, `the plan came to ${step.kind} instead of a training`];
    wrong.push(...(await runBatch(parts, step.trials, (trial) => records.push({ ...parts.trainOnPaper(study, trial), seq: records.length }))));
  }
  return [...wrong, `the plan did not end within ${mostSteps} steps`];
}

/** Jobs of different lengths in all slots: each once, never too many at a time, and no slot idle while one waits. */
async function runBatch(parts: ScreeningParts, trials: readonly PlannedTrial[], train: (trial: PlannedTrial) => void): Promise<readonly string[]> {
  const clock = makePaperClock();
  const queue = [...trials];
  const ran: PlannedTrial[] = [];
  let running = 0;
  let most = 0;
  const { idleMs } = await parts.runInSlots({
    clock,
    slots,
    staggerS: 0,
    changed: () => new Promise(() => undefined),
    mayComeBack: () => false,
    take() {
      const trial = queue.shift();
      if (trial === undefined) return null;
      return {
        async run(_slot, busy) {
          busy();
          running += 1;
          most = Math.max(most, running);
          await clock.sleep(1000 + 100 * (trial.seed % 7) + 10 * trial.candidate.length);
          running -= 1;
          ran.push(trial);
          train(trial);
        },
      };
    },
  });
  const wanted = Math.min(slots, trials.length);
  const once = new Set(ran.map((trial) => trial.identity)).size;
  return [
    ...(once === trials.length && ran.length === trials.length ? [] : [`${trials.length} trials were planned, ${ran.length} ran, ${once} of them different`]),
    ...(most === wanted ? [] : [`${most} trials ran at once where ${wanted} had a slot`]),
    ...(idleMs === 0 ? [] : [`slots stood idle for ${idleMs} ms while trials waited`]),
  ];
}

function judge(parts: ScreeningParts, records: readonly TrialRecord[], winner: string | null): readonly string[] {
  const view = paperView(paperStudy(), records);
  const screen = records.filter((record) => record.stage === 'screen');
  const places = parts.rankStage(view, screen).places.map(({ record, isRankable }) => (isRankable ? record.candidate : `(${record.candidate})`));
  const order = ['better', 'baseline', 'worse', 'tempting', '(diverges)', '(hangs)'];
  const tempted = parts.rankStage(view, screen).places.filter((place) => place.isRewardUpScoreDown).map(({ record }) => record.candidate);
  const ruleOf = (candidate: string) => screen.find((record) => record.candidate === candidate)?.rule ?? 'none';
  const verdict = readVerdict(view, winner);
  return [
    ...expectSame('the ranking of screen', places.join(' > '), order.join(' > ')),
    ...expectSame('the candidate whose reward rises while its score falls', tempted.join(', '), 'tempting'),
    ...expectSame('the rule that ended the trial that diverges', ruleOf('diverges'), 'nan'),
    ...expectSame('the rule that ended the trial that hangs', ruleOf('hangs'), 'hung'),
    ...expectSame('the winner', String(winner), 'better'),
    ...expectSame('the verdict', `${verdict.word} after ${verdict.plan.used} pairs`, 'better after 2 pairs'),
    ...expectSame('trials settled twice', String(records.length - settledTrials(records).size), '0'),
    ...expectSame('trials of screen', String(screen.length), String(Object.keys(candidates).length)),
  ];
}

export function expectSame(what: string, is: string, must: string): readonly string[] {
  return is === must ? [] : [`${what}: ${is}, and it must be ${must}`];
}
