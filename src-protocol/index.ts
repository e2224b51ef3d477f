// The one list of all tools and feeds, and the types that derive from it. The only barrel; anyone may import it.
import type { z } from 'zod';
import { approvalCheck, contractShow, gateConfirm, gateSet, studyApprove } from './contract.ts';
import {
  campaignAmend,
  campaignCompleteLooks,
  campaignPause,
  campaignResume,
  campaignRun,
  campaignSkip,
  campaignStatus,
  campaignStop,
  campaignWatch,
} from './campaign.ts';
import { repositoryCheck, repositoryRepair } from './check.ts';
import { doctorApprove, doctorRun, doctorShow } from './doctor.ts';
import { evidencePack, evidenceVerify } from './evidence.ts';
import { ledgerShow, ledgerVerify } from './ledger.ts';
import { reportRebuild, reportShow } from './report.ts';
import { repositoryInit, repositoryShow } from './repository.ts';
import { selftestRun } from './selftest.ts';
import { studyCheck } from './study.ts';
import { trialCauses, trialExtra, trialList } from './trial.ts';

export const tools = [
  repositoryInit,
  repositoryShow,
  contractShow,
  gateSet,
  gateConfirm,
  studyApprove,
  approvalCheck,
  studyCheck,
  campaignRun,
  campaignStatus,
  campaignStop,
  campaignPause,
  campaignResume,
  campaignSkip,
  campaignAmend,
  campaignCompleteLooks,
  reportShow,
  reportRebuild,
  evidencePack,
  evidenceVerify,
  trialList,
  trialCauses,
  trialExtra,
  ledgerShow,
  ledgerVerify,
  repositoryCheck,
  repositoryRepair,
  selftestRun,
  doctorApprove,
  doctorRun,
  doctorShow,
] as const;

export const feeds = [campaignWatch] as const;

export type ToolName = (typeof tools)[number]['name'];
export type FeedName = (typeof feeds)[number]['name'];

type ToolNamed<Name extends ToolName> = Extract<(typeof tools)[number], { readonly name: Name }>;
type FeedNamed<Name extends FeedName> = Extract<(typeof feeds)[number], { readonly name: Name }>;

/** What a caller gives: defaults may be left out. */
export type InputOf<Name extends ToolName> = z.input<ToolNamed<Name>['input']>;
/** What a handler gets: defaults are filled in. */
export type ParsedInputOf<Name extends ToolName> = z.output<ToolNamed<Name>['input']>;
export type OutputOf<Name extends ToolName> = z.output<ToolNamed<Name>['output']>;

export type FeedInputOf<Name extends FeedName> = z.input<FeedNamed<Name>['input']>;
export type ParsedFeedInputOf<Name extends FeedName> = z.output<FeedNamed<Name>['input']>;
export type SnapshotOf<Name extends FeedName> = z.output<FeedNamed<Name>['snapshot']>;
export type ChangeOf<Name extends FeedName> = z.output<FeedNamed<Name>['change']>;
