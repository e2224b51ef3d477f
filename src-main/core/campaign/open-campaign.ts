// Takes up the campaign of an approved study: what it runs on, its journals, its provenance, its clock. Nothing is launched
// here; strays of an earlier run are ended first. Imported by this room, check, evidence and the doctor.
import { countText } from '../../../src-protocol/count-text.ts';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { manifestFile, type ManifestFile } from '../../../src-protocol/files/manifest.ts';
import { campaignProcess, type CampaignProcess } from '../../../src-protocol/files/event.ts';
import type { ExtraWish } from '../../../src-protocol/files/extra.ts';
import { refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import type { Ports, ProcessIdentity } from '../../ports.ts';
import { readBudget } from '../contract/budget-amendments.ts';
import type { BudgetTerms } from '../contract/budget-terms.ts';
import { approvedOrRefuse, checkLive, checkRunning, type Approved } from '../contract/check-approval.ts';
import { takeSnapshot } from '../contract/take-snapshot.ts';
import { digest } from '../provenance/canonical-json.ts';
import { settleManifests } from './settle-manifests.ts';
import { readInterpreterPackages } from '../provenance/interpreter-packages.ts';
import { startManifest } from '../provenance/manifest.ts';
import { studyFromApproved } from '../study/assemble-study.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { planTrial } from '../study/plan-trials.ts';
import { runPaths, type RunPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import { findProgram } from '../workspace/find-program.ts';
import { findSecrets, makeRedactor } from '../../redaction/redactor.ts';
import { addAmendment, readAmendments, wantsAllLooks } from './amendments.ts';
import { readBabysitter } from './babysitter-file.ts';
import { readCampaignFile } from './campaign-file.ts';
import { takeRequests } from './control-inbox.ts';
import { readExtra } from './extra-file.ts';
import { makeDeviceTime, type DeviceTime } from './device-time.ts';
import { makeDiskGuard, type DiskGuard } from './disk-guard.ts';
import { spentBefore } from './spent-before.ts';
import { drawFreshSeeds, seedSubject } from './fresh-seeds.ts';
import { openRecordJournal, readRecords, type RecordJournal, type RecordJournalOptions } from './record-journal.ts';
import type { PlannedTrial, Search } from './search-plan.ts';
import { makeSteering, type Steering } from './steering.ts';
import { endStrays, noteLaunches, type Launches } from './strays.ts';

export interface Campaign {
  readonly ports: Ports;
  readonly root: string;
  readonly study: LoadedStudy;
  readonly approved: Approved;
  readonly paths: RunPaths;
  /** Read-only copy of the task's code; entries are resolved against it. */
  readonly snapshot: string;
  readonly search: Search;
  readonly journal: RecordJournal;
  readonly steering: Steering;
  readonly device: DeviceTime;
  readonly disk: DiskGuard;
  readonly launches: Launches;
  readonly manifest: ManifestFile;
  readonly self: ProcessIdentity;
  readonly bootId: string;
  /** Tags of every trial process of this study on this machine begin with `rlxp:<key>:`. */
  readonly key: string;
  readonly slots: number;
  readonly isResumed: boolean;
  readonly startedAt: string;
  readonly redact: (text: string) => string;
  /** Aborts when the campaign is stopped. */
  readonly stopSignal: AbortSignal;
  /** Set when its babysitter started it again. */
  readonly restart: Restart | null;
  /** The one extra trial that this process runs instead of the campaign. */
  readonly extra: ExtraWish | null;
  /** Where this process keeps its provenance: an extra trial leaves the campaign's own alone. */
  readonly manifestPath: string;
  isCompletingLooks: boolean;
  /** What may be spent, amendments counted. */
  budget: BudgetTerms;
  /** What a person asked for and still stands. */
  asked: CampaignProcess['asked'];
}

export interface Restart {
  /** `the process died (killed by SIGKILL); restarted 2 times`. */
  readonly text: string;
  readonly restarts: number;
  /** Why a person's pause stood when it died; null when none did. */
  readonly pausedBecause: string | null;
}

export interface OpenOptions {
  readonly ports: Ports;
  readonly root: string;
  readonly study: string;
  /** Started again by its babysitter: what was asked of the process that died is meant for this one. */
  readonly isRestart?: boolean;
}

/** Throws RefusalError: not_approved, approval_lapsed, approved_elsewhere, damaged, newer_schema. */
export async function openCampaign(options: OpenOptions): Promise<Campaign> {
  const { ports, root } = options;
  const paths = runPaths(root, options.study);
  // Before anything is written: records that cannot be trusted change nothing.
  await refuseUntrusted(ports, paths);
  const { approved, snapshot } = await readApproved(ports, root, options.study);
  const study = studyFromApproved(approved.approved, root);
  const key = await tagKey(ports, root, study.name);
  const survivors = await endStrays(ports, paths, key);
  if (survivors.length > 0) {
    refuse('not_started', `${survivors.map(({ pid }) => `Process ${pid}`).join(', ')} of an earlier run of ${study.name} cannot be ended, not even by SIGKILL: it may hang in a driver. Nothing was launched beside it.`, {
      next: 'End it, or restart the machine, then run the campaign again: it goes on from its records.',
    });
  }

  const stopping = new AbortController();
  const steering = makeSteering(() => stopping.abort());
  const slots = study.stages.screen.max_parallel;
  const disk = makeDiskGuard({ ports, steering, folder: paths.folder, floorBytes: study.base.min_free_disk_mb * 1024 * 1024, slots });
  const journal = await openRecordJournal({ files: ports.files, path: paths.trials, ...pauseForDisk(ports, steering) });
  await ports.files.makeFolder(paths.control); // only what is there can be watched
  if (options.isRestart !== true) await dropStaleRequests(ports, paths);
  const amendments = await readAmendments(ports.files, paths.folder);
  for (const one of amendments) if (one.kind === 'skip' && one.trial !== null) steering.skip(one.trial);
  await settleManifests(ports, paths.trialFolders);
  const before = await readCampaignFile(ports, paths.campaign);
  const search = await makeSearch(ports, study, approved.approval);
  const startedAt = new Date(ports.clock.wallMs()).toISOString();
  const bootId = await ports.processes.bootId();
  const extra = await readExtra(ports.files, paths.folder);
  const manifestPath = extra === null ? paths.manifest : join(paths.folder, 'manifest-extra.json');
  const manifest = await startManifest(ports, manifestPath, {
    kind: 'campaign',
    root,
    argv: [ports.node.execPath, 'campaign.js', root, study.name],
    seeds: { base: study.base.seed, evaluation: study.eval.seed },
    backend: study.adapter.framework === 'bundled' ? study.base.backend : null,
    frameworks: await installedFor(ports, root, study),
    facts: { approval: approved.approval.digest, approval_kind: approved.approval.kind, resumed: journal.records.length > 0 },
  });
  return {
    ports,
    root,
    study,
    approved,
    paths,
    snapshot,
    search,
    journal,
    steering,
    device: makeDeviceTime(ports.clock, await spentBefore(ports, root, { study, file: before, records: journal.records })),
    manifest,
    extra,
    manifestPath,
    self: await ports.processes.self(),
    bootId,
    launches: noteLaunches(ports, paths, bootId),
    key,
    disk,
    slots,
    isResumed: journal.records.length > 0,
    startedAt,
    redact: makeRedactor(findSecrets(ports.machine)).text,
    stopSignal: stopping.signal,
    restart: options.isRestart === true ? await readRestart(ports, paths, before) : null,
    isCompletingLooks: wantsAllLooks(amendments),
    budget: (await readBudget(ports, root, approved)).terms,
    asked: options.isRestart === true && before?.asked === 'pause' ? 'pause' : null,
  };
}

async function readRestart(ports: Ports, paths: RunPaths, before: CampaignProcess | null): Promise<Restart> {
  const babysitter = await readBabysitter(ports, paths.babysitter);
  const { text = 'the process died; restarted', restarts = 1 } = babysitter?.file ?? {};
  return { text, restarts, pausedBecause: before?.asked === 'pause' ? (before.text.includes('asked for it') ? before.text : 'a pause was asked for before its process died') : null };
}

/** Throws RefusalError (damaged, newer_schema) for a run whose records cannot be trusted, or that a newer program left behind. */
export async function refuseUntrusted({ files }: Pick<Ports, 'files'>, paths: RunPaths): Promise<void> {
  const records = await readRecords(files, paths.trials);
  for (const [file, schema] of [[paths.manifest, manifestFile], [paths.campaign, campaignProcess]] as const) {
    if ((await files.stat(file)) === null) continue;
    const reading = await tryJsonFile(files, file, schema as z.ZodType);
    if (!reading.ok && reading.refusal.code === 'newer_schema') throw new RefusalError(reading.refusal);
  }
  const before = await readCampaignFile({ files }, paths.campaign);
  if (records.length > 0 || before === null || before.trials_done === 0) return;
  // Trained results are gone; to train them all again, or not, is for a person to say.
  refuse('damaged', `${paths.trials} is gone or empty, though ${countText(before.trials_done, 'trial')} ${before.trials_done === 1 ? 'was' : 'were'} finished. Nothing was changed and nothing will be launched.`, {
    next: `Put it back (${basename(paths.trials)}.kept beside it, where there is one, holds what a running campaign knew), or start over with \`rlxp campaign run ${before.study} --fresh\`.`,
  });
}

/** What the interpreter of the trials has installed, as far as its folder tells; for the record. A bare name is looked up as the system does. */
export async function installedFor(ports: Pick<Ports, 'files' | 'machine'>, root: string, { adapter }: Pick<LoadedStudy, 'adapter'>): Promise<Readonly<Record<string, string>>> {
  if (adapter.framework === 'bundled') return {};
  const [program, ...more] = adapter.python ?? [];
  const found = program === undefined || more.length > 0 ? null : await findProgram(ports, program, root);
  const installed = await readInterpreterPackages(ports.files, root, found === null ? adapter.python : [found]);
  return installed === null ? {} : { ...(installed.version === null ? {} : { python: installed.version }), ...installed.packages };
}

const diskRetryMs = 2000;

/** A disk that refuses a record pauses the campaign until it takes it. */
function pauseForDisk({ clock }: Pick<Ports, 'clock'>, steering: Steering): Pick<RecordJournalOptions, 'onDiskTrouble' | 'onDiskFine'> {
  return {
    async onDiskTrouble(reason) {
      steering.pause(reason, 'record');
      await clock.sleep(diskRetryMs);
      return steering.stoppedBecause() === null ? 'again' : 'give_up';
    },
    onDiskFine: () => steering.lift('record', 'the disk'),
  };
}

/** A campaign that never started is checked against the repository and copied; one that did is checked against its copy. */
async function readApproved(ports: Ports, root: string, study: string): Promise<{ readonly approved: Approved; readonly snapshot: string }> {
  const folder = join(runPaths(root, study).folder, 'snapshot');
  if ((await ports.files.stat(folder)) !== null) {
    const running = await checkRunning(ports, root, study);
    if (running.ok) return { approved: running, snapshot: folder };
  }
  const approved = approvedOrRefuse(await checkLive(ports, root, study));
  return { approved, snapshot: await takeSnapshot(ports, root, approved) };
}

export async function makeSearch(ports: Pick<Ports, 'secrets'>, study: LoadedStudy, approval: Approved['approval']): Promise<Search> {
  const isBundled = approval.kind === 'bundled-example';
  return searchWith(
    study,
    drawFreshSeeds({
      machineKey: isBundled ? null : await ports.secrets.machineKey(),
      subject: isBundled ? study.name : seedSubject(approval.subject, study),
      count: study.stages.verify.looks.at(-1) ?? 0,
      taken: usedSeeds(study),
    }),
  );
}

/** Seeds that no fresh one may repeat. */
export function usedSeeds(study: LoadedStudy): ReadonlySet<number> {
  return new Set([study.base.seed, ...(study.stages.noise?.seeds ?? [])]);
}

export function searchWith(study: LoadedStudy, freshSeeds: readonly number[]): Search {
  // The same trials are planned again at every step and with every heartbeat for the outlook, and each holds digests.
  const planned = new Map<string, PlannedTrial>();
  return {
    baseSeed: study.base.seed,
    candidates: study.candidates.map(({ name }) => name),
    noise: study.stages.noise === null ? null : { seeds: study.stages.noise.seeds },
    topK: study.stages.refine.top_k,
    looks: study.stages.verify.looks,
    freshSeeds,
    plan(stage, candidate, seed, repeat) {
      const key = `${stage} ${seed} ${repeat} ${candidate}`;
      const trial = planned.get(key) ?? planTrial(study, { stage, candidate, seed, repeat });
      planned.set(key, trial);
      return trial;
    },
  };
}

/** What was asked of an earlier run that ended before it could act was not meant for this one, but for the wish to train all looks. */
export async function dropStaleRequests(ports: Ports, paths: RunPaths): Promise<void> {
  await takeRequests({ ...ports, folder: paths.control, onRequest: (request) => {
    ports.log.warn('a request to an earlier run of this campaign was found', { action: request.action, by: request.by });
    if (request.action === 'complete_looks') return addAmendment(ports.files, paths.folder, { kind: 'complete_looks', trial: null, by: request.by, at: request.at });
  } });
}

/** What the tags of a study's trial processes begin with, on this machine. */
export async function tagKey(ports: Pick<Ports, 'files'>, root: string, study: string): Promise<string> {
  return `${digest(await ports.files.realPath(root)).slice(0, 16)}-${study}`;
}
