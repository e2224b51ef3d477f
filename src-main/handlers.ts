// The one map from tools to the rooms that run them. Imported by workbench.ts only.
import { makeRefusal, RefusalError } from '../src-protocol/refusal.ts';
import type { RequireApproval } from './core/dispatch.ts';
import { approvalCheck, contractShow, gateConfirm, gateSet, studyApprove } from './core/contract/handlers.ts';
import type { FeedHandlers, Handlers } from './core/dispatch/handler.ts';
import { ledgerShow, ledgerVerify } from './core/ledger/handlers.ts';
import { repositoryInit } from './core/workspace/init.ts';

export const handlers: Handlers = {
  repository_init: repositoryInit,
  repository_show: absent,
  contract_show: contractShow,
  gate_set: gateSet,
  gate_confirm: gateConfirm,
  study_approve: studyApprove,
  approval_check: approvalCheck,
  study_check: absent,
  campaign_run: absent,
  campaign_status: absent,
  campaign_stop: absent,
  campaign_pause: absent,
  campaign_resume: absent,
  campaign_skip: absent,
  campaign_complete_looks: absent,
  report_show: absent,
  trial_list: absent,
  trial_causes: absent,
  ledger_show: ledgerShow,
  ledger_verify: ledgerVerify,
};

export const feedHandlers: FeedHandlers = {
  campaign_watch: absent,
};

export const requireApproval: RequireApproval = absent;

/** Stands in for a room that is not built yet. */
function absent(): Promise<never> {
  return Promise.reject(new RefusalError(makeRefusal('not_supported', 'this part of the workbench is not built yet')));
}
