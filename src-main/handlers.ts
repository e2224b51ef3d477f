// The one map from tools to the rooms that run them. Imported by workbench.ts only.
import { makeRequireApproval as makeRequireStudyApproval, repositoryShow, studyCheck } from './core/campaign/overview-handlers.ts';
import { trialExtra } from './core/campaign/extra-handler.ts';
import { reportShow, trialCauses, trialList } from './core/campaign/show-handlers.ts';
import { campaignAmend } from './core/campaign/amend-handler.ts';
import { campaignRun } from './core/campaign/start-campaign.ts';
import { campaignCompleteLooks, campaignPause, campaignResume, campaignSkip, campaignStatus, campaignStop } from './core/campaign/steer-handlers.ts';
import { campaignWatch } from './core/campaign/watch-campaign.ts';
import { reportRebuild, repositoryCheck, repositoryRepair } from './core/check/handlers.ts';
import { approvalCheck, contractShow, gateConfirm, gateSet, studyApprove } from './core/contract/handlers.ts';
import { repositoryInit } from './core/contract/start-project.ts';
import type { FeedHandlers, Handlers, RequireApproval } from './core/dispatch/handler.ts';
import { doctorApprove, doctorRun, doctorShow, makeRequireDoctorApproval } from './core/doctor/handlers.ts';
import { evidencePack, evidenceVerify } from './core/evidence/handlers.ts';
import { ledgerShow, ledgerVerify } from './core/ledger/handlers.ts';
import { selftestRun } from './core/selftest/handlers.ts';
import type { Ports } from './ports.ts';

/** A doctor has an approval of its own; everything else that spends rests on that of the study. */
export function makeRequireApproval(ports: Ports): RequireApproval {
  const [ofStudies, ofDoctors] = [makeRequireStudyApproval(ports), makeRequireDoctorApproval(ports)];
  return (question) => (question.tool === 'doctor_run' ? ofDoctors(question) : ofStudies(question));
}

export const handlers: Handlers = {
  repository_init: repositoryInit,
  repository_show: repositoryShow,
  contract_show: contractShow,
  gate_set: gateSet,
  gate_confirm: gateConfirm,
  study_approve: studyApprove,
  approval_check: approvalCheck,
  study_check: studyCheck,
  campaign_run: campaignRun,
  campaign_status: campaignStatus,
  campaign_stop: campaignStop,
  campaign_pause: campaignPause,
  campaign_resume: campaignResume,
  campaign_skip: campaignSkip,
  campaign_amend: campaignAmend,
  campaign_complete_looks: campaignCompleteLooks,
  report_show: reportShow,
  report_rebuild: reportRebuild,
  evidence_pack: evidencePack,
  evidence_verify: evidenceVerify,
  trial_list: trialList,
  trial_causes: trialCauses,
  trial_extra: trialExtra,
  ledger_show: ledgerShow,
  ledger_verify: ledgerVerify,
  repository_check: repositoryCheck,
  repository_repair: repositoryRepair,
  selftest_run: selftestRun,
  doctor_approve: doctorApprove,
  doctor_run: doctorRun,
  doctor_show: doctorShow,
};

export const feedHandlers: FeedHandlers = {
  campaign_watch: campaignWatch,
};
