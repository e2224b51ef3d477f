// The end of a campaign, however it came: conclusion, ledger, manifest, last events, last heartbeat. Imported by this room only.
import type { CampaignProcess } from '../../../src-protocol/files/event.ts';
import type { VerdictFile } from '../../../src-protocol/files/verdict.ts';
import { appendLedger } from '../ledger/ledger.ts';
import { finishManifest, readManifest, type ManifestEnd } from '../provenance/manifest.ts';
import { writeConclusion, writeReport } from './conclude.ts';
import { dropStaleRequests } from './open-campaign.ts';
import { approvalSentence } from './read-campaign.ts';
import { readVerdict } from './judges.ts';
import { settleManifests } from './settle-manifests.ts';
import { doneOf, nextStep, viewOf, type Run } from './run-state.ts';

/** How a campaign stands that nothing but extra trials was run of. */
const neverRan = { status: 'stopped', text: 'the campaign itself was not run to an end; run it to go on' } as const;

export async function conclude(run: Run, verdict: VerdictFile | null, statusText: string): Promise<void> {
  const { campaign } = run;
  await writeConclusion(campaign.ports.files, {
    root: campaign.root,
    paths: campaign.paths,
    conclusion: {
      view: viewOf(run),
      verdict,
      statusText,
      manifest: campaign.manifest,
      approvalText: approvalSentence(campaign.approved.approval),
      spentS: campaign.device.spentS(),
    },
  });
}

/** After an extra trial: the report tells it where there is one, and what was concluded stays as it is. */
export async function rewriteReport(run: Run): Promise<void> {
  const { campaign } = run;
  const { ports, root, paths } = campaign;
  const step = nextStep(run);
  if ((step.kind !== 'conclude' && step.kind !== 'blocked') || (await ports.files.stat(paths.report)) === null) return;
  const verdict = step.kind === 'conclude' ? readVerdict(viewOf(run), step.winner) : null;
  const statusText = step.kind === 'blocked' ? step.reason : (verdict?.headline ?? '');
  const manifest = await readManifest(ports, paths.manifest);
  const conclusion = { view: viewOf(run), verdict, statusText, manifest, approvalText: approvalSentence(campaign.approved.approval), spentS: campaign.device.spentS() };
  await writeReport(ports.files, { root, paths, conclusion });
}

export async function finish(
  run: Run,
  end: { readonly status: CampaignProcess['status']; readonly text: string },
  spentBefore: number,
  heartbeat: { stop(): Promise<void> },
  stopRequests: () => void,
): Promise<void> {
  const { campaign, events } = run;
  const { ports, study } = campaign;
  stopRequests();
  // What came in while it ended has nobody to act on it; the wish for all looks is kept.
  await dropStaleRequests(ports, campaign.paths);
  const spentS = campaign.device.spentS() - spentBefore;
  const by = ports.machine.userName();
  const tellLedger = async (kind: 'device_seconds_spent' | 'verdict' | 'campaign_ended', facts: Record<string, string | number>) => {
    await appendLedger(ports, campaign.root, { kind, by, study: study.name, facts });
  };
  try {
    await tellLedger('device_seconds_spent', { seconds: Math.round(spentS * 1000) / 1000 });
    if (end.status === 'completed' && campaign.extra === null) await tellLedger('verdict', { text: end.text });
    await tellLedger('campaign_ended', { status: end.status, text: end.text });
  } catch (error) {
    ports.log.warn('the ledger could not be written at the end of a campaign', { error: String(error) });
  }
  await settleManifests(ports, campaign.paths.trialFolders, campaign.self);
  const isDone = end.status === 'completed' || end.status === 'blocked';
  const standing = campaign.extra === null ? { status: end.status, text: end.text } : (campaign.extra.stood ?? neverRan);
  const facts = { spent_s: spentS, idle_share: run.standing.idleShare, ended: end.text };
  const manifestEnd: ManifestEnd = end.status === 'failed' ? { status: 'failed', error: { type: 'fault', message: end.text }, facts } : { status: isDone ? 'completed' : 'interrupted', facts };
  await finishManifest(ports, campaign.manifestPath, campaign.manifest, manifestEnd).catch((error: unknown) => {
    ports.log.warn('the manifest could not be finished at the end of a campaign', { error: String(error) });
  });
  if (end.status === 'stopped') events.add({ kind: 'stopped', reason: end.text }, `stopped: ${end.text}`);
  if (end.status !== 'running' && end.status !== 'paused') events.add({ kind: 'campaign_ended', status: end.status, text: end.text }, `campaign ${end.status}: ${end.text}`);
  await events.settled();
  run.standing = { ...run.standing, ...standing, stage: null, running: [], etaS: isDone ? 0 : null, ...doneOf(run) };
  await heartbeat.stop();
}
