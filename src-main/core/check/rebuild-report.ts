// Derives report.md, verdict.json and winner.json again from the records, and says what stood there. This room only.
// Rules: docs/specs/report.md.
import { refuse } from '../../../src-protocol/refusal.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import type { Ports } from '../../ports.ts';
import { readCampaignView, readRunState } from '../campaign/read-campaign.ts';
import { readManifest } from '../provenance/manifest.ts';
import { projectPaths, runPaths, shownPath } from '../workspace/layout.ts';
import { expectedConclusion, standingOf } from './conclusion.ts';
import { keepCopy } from './keep-copy.ts';

type Rebuilt = OutputOf<'report_rebuild'>;

/** Throws RefusalError: campaign_running, and what reading the records refuses. */
export async function rebuildReport(ports: Ports, root: string, study: string): Promise<Rebuilt> {
  const lock = await ports.locks.take(await ports.files.realPath(root), 'rebuild the report');
  if (!lock.held) return refuse('campaign_running', `${lock.holder?.purpose ?? 'Another process'} (process ${lock.holder?.pid ?? 'unknown'}) is working on this repository.`);
  try {
    return await rebuild(ports, root, study);
  } finally {
    await lock.release();
  }
}

async function rebuild(ports: Ports, root: string, study: string): Promise<Rebuilt> {
  const paths = runPaths(root, study);
  const view = await readCampaignView(ports, root, study);
  const { file } = await readRunState(ports, root, study);
  const manifest = await readManifest(ports, paths.manifest).catch(() => null);
  const expected = expectedConclusion(view, { spentS: file?.spent_s ?? 0, manifest });
  const { kind, text } = expected;
  // All looks were asked for after a verdict: it stands until they are trained.
  if (kind === 'open' && view.isCompletingLooks) return { study, kind, text, files: [] };
  const files: Rebuilt['files'] = [];
  for (const { path, before, text: wanted } of await standingOf(ports.files, paths, expected)) {
    const copy = before === 'different' || before === 'unfounded' ? await keepCopy(ports, path) : null;
    if (before === 'unfounded') await ports.files.remove(path);
    else if (before !== 'equal' && wanted !== null) await ports.files.replaceFile(path, wanted);
    files.push({ file: shownPath(root, path), before, copy: copy === null ? null : shownPath(root, copy) });
    if (path === paths.report && before !== 'equal') await mirror(ports, root, { was: copy, path });
  }
  return { study, kind, text, files };
}

/** The report on top follows when it was a copy of this one, or is missing. */
async function mirror({ files }: Ports, root: string, { was, path }: { readonly was: string | null; readonly path: string }): Promise<void> {
  const top = projectPaths(root).report;
  const isThere = (await files.stat(top)) !== null;
  const isCopy = isThere && was !== null && (await files.readText(top).catch(() => '')) === (await files.readText(was).catch(() => null));
  if (isThere && !isCopy) return;
  if ((await files.stat(path)) === null) await files.remove(top);
  else await files.replaceFile(top, await files.readText(path));
}
