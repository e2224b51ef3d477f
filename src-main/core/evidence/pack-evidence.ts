// Packs the evidence of a study into one zip, whole or not at all. This room only.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { EvidenceIndex } from '../../../src-protocol/files/evidence-index.ts';
import { refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import type { Ports } from '../../ports.ts';
import { readCampaignView, type ReadView } from '../campaign/read-campaign.ts';
import { runPaths } from '../workspace/layout.ts';
import { bundleContents } from './bundle-contents.ts';
import { makeMachineText } from './machine-text.ts';
import { zipPieces } from './zip-writing.ts';

export interface PackWish {
  readonly study: string;
  /** Absolute; null: beside the run. */
  readonly out: string | null;
  readonly withCheckpoints: boolean;
  /** Whether the caller may write outside the repository. */
  readonly mayWriteAnywhere: boolean;
}

/** Throws RefusalError: campaign_running, bad_input and already_exists (the place to write to), invalid_file, unwritable, and what reading the records refuses. */
export async function packEvidence(ports: Ports, root: string, wish: PackWish): Promise<OutputOf<'evidence_pack'>> {
  const { study, withCheckpoints } = wish;
  const out = wish.out ?? path.join(runPaths(root, study).folder, `evidence-${study}.zip`);
  await refusePlace(ports, root, { out, mayWriteAnywhere: wish.mayWriteAnywhere });
  // While nothing runs: records and what derives from them must fit together.
  const lock = await ports.locks.take(await ports.files.realPath(root), `evidence of ${study}`);
  if (!lock.held) return refuse('campaign_running', `${lock.holder?.purpose ?? 'Another process'} (process ${lock.holder?.pid ?? 'unknown'}) is working on this repository.`);
  try {
    const view = await readCampaignView(ports, root, study);
    const index: EvidenceIndex = {
      schema: 1,
      kind: 'rlxp-evidence',
      study,
      program: { name: 'rlxp-workbench', version: ports.node.version, commit: ports.node.commit },
      entries: [],
      left_out: withCheckpoints ? [] : [{ what: 'checkpoints', why: 'they were not asked for (--checkpoints); their digests are in the records' }],
      redacted: [],
      without_paths: [],
      fresh_seeds: [...usedFreshSeeds(view)],
    };
    const text = await makeMachineText(ports, root);
    const hash = createHash('sha256');
    let bytes = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of zipPieces(bundleContents({ ports, root, view, text, withCheckpoints }, index))) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    }
    await ports.files.replaceFile(out, counted()).catch((error: unknown) => {
      // What the content was refused for says more than that the write failed.
      const cause = error instanceof Error ? error.cause : null;
      throw cause instanceof RefusalError ? cause : error;
    });
    const { left_out, redacted, without_paths } = index;
    return { study, file: out, bytes, sha256: hash.digest('hex'), entries: index.entries.length + 1, left_out, redacted, without_paths };
  } finally {
    await lock.release();
  }
}

/** Up to the last seed that a trial was trained on; those that nobody has seen stay unseen. */
function usedFreshSeeds({ search, records }: ReadView): readonly number[] {
  const used = new Set(records.filter((record) => record.stage === 'verify' && record.repeat === 0).map((record) => record.seed));
  return search.freshSeeds.slice(0, search.freshSeeds.findLastIndex((seed) => used.has(seed)) + 1);
}

async function refusePlace({ files }: Pick<Ports, 'files'>, root: string, { out, mayWriteAnywhere }: { readonly out: string; readonly mayWriteAnywhere: boolean }): Promise<void> {
  const folder = path.dirname(out);
  if (!/\.zip$/i.test(out)) refuse('bad_input', `${out} does not end in .zip.`, { next: 'Give a file name that ends in .zip.' });
  if ((await files.stat(folder)) === null) refuse('not_found', `The folder ${folder} does not exist.`, { next: 'Make it first, or write elsewhere.' });
  const inside = path.relative(await files.realPath(root), await files.realPath(folder));
  if (!mayWriteAnywhere && (inside.startsWith('..') || path.isAbsolute(inside))) refuse('needs_person', `${out} lies outside the repository.`, { next: 'Write inside the repository, or ask the person at this machine.' });
  const stat = await files.stat(out);
  if (stat === null) return;
  const isZip = stat.kind === 'file' && Buffer.from(await files.readSlice(out, 0, 4)).equals(Buffer.from([0x50, 0x4b, 3, 4]));
  if (!isZip) refuse('already_exists', `${out} is there already, and is no zip.`, { next: 'Choose another name with `--out`.' });
}
