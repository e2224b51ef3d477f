// Ranking, causes and verdict as tools and the report show them, from the records. Imported by this room only.
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { CandidateCauses, RankingRow } from '../../../src-protocol/ranking.ts';
import { rankStage, type CampaignView } from './judges.ts';
import type { RankedCandidate } from './ranking.ts';
import { baselineName, settledTrials } from './search-plan.ts';

/** Refined candidates in their order, then the screened ones that were not refined. */
export function rankingRows(view: CampaignView): readonly RankingRow[] {
  const refined = stageRows(view, 'refine');
  const names = new Set(refined.map((row) => row.candidate));
  const screened = stageRows(view, 'screen').filter((row) => !names.has(row.candidate));
  const rankable = screened.filter((row) => row.rank !== null);
  return [
    ...refined,
    ...rankable.map((row, index) => ({ ...row, rank: refined.filter((one) => one.rank !== null).length + index + 1 })),
    ...screened.filter((row) => row.rank === null),
  ];
}

function stageRows(view: CampaignView, stage: 'screen' | 'refine'): readonly RankingRow[] {
  const records = view.records.filter((record) => record.stage === stage);
  const settled = [...settledTrials(records).values()];
  const ranking = rankStage(view, records);
  return ranking.places.flatMap((place, index) => {
    const record = settled.find((one) => one.candidate === place.record.candidate);
    return record === undefined ? [] : [rowOf(record, place, ranking.places[index + 1])];
  });
}

function rowOf(record: TrialRecord, place: RankedCandidate, next: RankedCandidate | undefined): RankingRow {
  const { evaluation } = record;
  return {
    rank: place.isRankable ? place.place : null,
    candidate: record.candidate,
    stage: record.stage,
    status: record.status,
    score: evaluation?.valid === true ? evaluation.score : null,
    score_low: evaluation?.valid === true ? evaluation.score_low : null,
    score_high: evaluation?.valid === true ? evaluation.score_high : null,
    t90_steps: record.t90_steps,
    note: notesOf(record, place, next).join('; '),
  };
}

function notesOf(record: TrialRecord, place: RankedCandidate, next: RankedCandidate | undefined): readonly string[] {
  const notes: string[] = [];
  if (!place.isRankable) notes.push(record.reason.text);
  if (place.isRewardUpScoreDown) notes.push('training reward up, score down');
  if (place.wonBy === 't90') notes.push('ahead within the tie band: reached 90 % of its own gain sooner');
  if (place.wonBy === 'changed_settings') notes.push('ahead within the tie band: fewer changes');
  if (place.wonBy === 'baseline') notes.push('ahead within the tie band: the baseline');
  if (place.isSeparatedFromNext === false && next !== undefined) notes.push(`not separated from ${next.record.candidate}`);
  if (record.flags.includes('declining')) notes.push('reward declining at the end');
  if (record.flags.includes('dirty_exit')) notes.push('finished, then exited with an error');
  return notes;
}

/** The causes of the furthest evaluation of each candidate: refine where there is one, else screen. The baseline first. */
export function causesOf(view: CampaignView): readonly CandidateCauses[] {
  const best = new Map<string, TrialRecord>();
  for (const stage of ['screen', 'refine']) {
    for (const record of settledTrials(view.records).values()) {
      if (record.stage === stage && record.evaluation?.valid === true) best.set(record.candidate, record);
    }
  }
  const order = [...best.values()].sort((a, b) => Number(b.candidate === baselineName) - Number(a.candidate === baselineName));
  return order.map(candidateCauses);
}

export function candidateCauses(record: TrialRecord): CandidateCauses {
  return {
    candidate: record.candidate,
    trial: record.folder.split('/').at(-1) ?? record.folder,
    episodes: record.evaluation?.episodes ?? 0,
    rows: record.evaluation?.causes ?? [],
  };
}
