// The words and signs of states on this screen. Imported by the files of this folder and tests.
import type { CampaignState } from '../../../src-protocol/repository.ts';
import type { VerdictWord } from '../../../src-protocol/files/verdict.ts';
import type { RepositoryView } from '../../state/repository-slice.ts';
import type { Tone } from '../../ui/tone.ts';

type Said = { readonly tone: Tone; readonly word: string };
type Study = RepositoryView['studies'][number];

export const campaignWords: Readonly<Record<CampaignState, Said>> = {
  none: { tone: 'quiet', word: 'never ran' },
  running: { tone: 'active', word: 'running' },
  paused: { tone: 'warn', word: 'paused' },
  interrupted: { tone: 'warn', word: 'interrupted' },
  completed: { tone: 'good', word: 'completed' },
  stopped: { tone: 'warn', word: 'stopped' },
  blocked: { tone: 'bad', word: 'blocked' },
  failed: { tone: 'bad', word: 'failed' },
};

export const approvalWords: Readonly<Record<Study['approval'], Said>> = {
  none: { tone: 'quiet', word: 'not approved' },
  valid: { tone: 'good', word: 'approved' },
  lapsed: { tone: 'warn', word: 'approval lapsed' },
  elsewhere: { tone: 'warn', word: 'approved on another machine' },
};

export const gateWords: Readonly<Record<RepositoryView['gates'][number]['status'], Said>> = {
  missing: { tone: 'quiet', word: 'missing' },
  draft: { tone: 'warn', word: 'draft' },
  confirmed: { tone: 'good', word: 'confirmed' },
};

export const verdictWords: Readonly<Record<VerdictWord, Said>> = {
  better: { tone: 'good', word: 'better' },
  tied: { tone: 'quiet', word: 'tied' },
  worse: { tone: 'bad', word: 'worse' },
  unproven: { tone: 'warn', word: 'unproven' },
  not_reproduced: { tone: 'bad', word: 'not reproduced' },
  guardrail_failed: { tone: 'bad', word: 'guardrail failed' },
  no_better_candidate: { tone: 'quiet', word: 'no better candidate' },
};

export function isLive(state: CampaignState): boolean {
  return state === 'running' || state === 'paused';
}

/** The one to look at first: what runs now, else what ran, else the first. */
export function studyToShow(studies: readonly Study[], chosen: string | null): Study | null {
  return (
    studies.find((one) => one.study === chosen) ??
    studies.find((one) => isLive(one.campaign)) ??
    studies.find((one) => one.campaign !== 'none') ??
    studies[0] ??
    null
  );
}
