// One presenter for each tool and feed; a missing one does not compile. Imported by the argv door.
import { campaignAmend, campaignRun, campaignStatus, steered } from './campaign.ts';
import { campaignWatch } from './campaign-watch.ts';
import { approvalCheck, contractShow, gateConfirm, gateSet, studyApprove } from './contract.ts';
import { repositoryCheck, repositoryRepair } from './check.ts';
import { evidencePack, evidenceVerify } from './evidence.ts';
import { ledgerShow, ledgerVerify } from './ledger.ts';
import { doctorApprove, doctorRun, doctorShow } from './doctor.ts';
import type { FeedPresenters, Presenters } from './presenter.ts';
import { reportRebuild, reportShow } from './report.ts';
import { repositoryInit, repositoryShow } from './repository.ts';
import { selftestRun } from './selftest.ts';
import { studyCheck } from './study.ts';
import { trialCauses, trialExtra, trialList } from './trial.ts';

export const presenters: Presenters = {
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
  campaign_stop: steered,
  campaign_pause: steered,
  campaign_resume: steered,
  campaign_skip: steered,
  campaign_amend: campaignAmend,
  campaign_complete_looks: steered,
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

export const feedPresenters: FeedPresenters = {
  campaign_watch: campaignWatch,
};
