// What the self-test says about this program: built parts, examples, profiles, and its decisions on paper. This room only.
import { countText } from '../../../src-protocol/count-text.ts';
import path from 'node:path';
import { RefusalError, type Problem } from '../../../src-protocol/refusal.ts';
import type { SelftestItem } from '../../../src-protocol/selftest.ts';
import { requireAsShipped } from '../contract/bundled-example.ts';
import { programFolder } from '../contract/packages.ts';
import { checkStudy } from '../study/load-study.ts';
import { shownPath } from '../workspace/layout.ts';
import { listProfiles, profileShownAs, tryProfile } from '../workspace/read-adapter.ts';
import { causesSmoke } from './causes-smoke.ts';
import { goldenEvents } from './golden-events.ts';
import { bugOf, itemOf, problemsOf, type SelftestPorts } from './item.ts';
import { screeningSmoke } from './screening-smoke.ts';

/** What every start needs in the engine's folder. */
const engineEntries = ['cli.js', 'campaign.js', 'doctor.js', 'train.js', 'evaluate.js'];

export async function programItems(ports: SelftestPorts): Promise<readonly SelftestItem[]> {
  return [
    await engineItem(ports),
    ...(await profileItems(ports)),
    ...(await exampleItems(ports)),
    itemOf({ subject: 'fixture', name: 'event file' }, 'an event file of TensorBoard reads as it must', { failed: goldenEvents().map((text) => bugOf('event file', text)) }),
    itemOf({ subject: 'smoke', name: 'parallel screening' }, 'a campaign on paper came to the right verdict', { failed: (await screeningSmoke()).map((text) => bugOf('parallel screening', text)) }),
    itemOf({ subject: 'smoke', name: 'termination causes' }, 'known ends of episodes are attributed as they must be', { failed: causesSmoke().map((text) => bugOf('termination causes', text)) }),
  ];
}

async function engineItem({ files, node }: SelftestPorts): Promise<SelftestItem> {
  const failed: Problem[] = [];
  for (const entry of engineEntries) {
    if ((await files.stat(path.join(node.engineFolder, entry)))?.kind !== 'file') failed.push(bugOf(entry, `${path.join(node.engineFolder, entry)} is not there: nothing could be started`));
  }
  return itemOf({ subject: 'fixture', name: 'program' }, `${countText(engineEntries.length, 'part')} of version ${node.version} are in place`, { failed });
}

/** One file each; an installation without any has no item. */
async function profileItems(ports: SelftestPorts): Promise<readonly SelftestItem[]> {
  const names = await listProfiles(ports);
  return Promise.all(
    names.map(async (name) => {
      const reading = await tryProfile(ports, name);
      return itemOf({ subject: 'profile', name }, 'it reads', { failed: reading.ok ? [] : problemsOf(reading.refusal, profileShownAs(name)) });
    }),
  );
}

/** The studies that examples ship an approval for: they load, and are as shipped. */
async function exampleItems(ports: SelftestPorts): Promise<readonly SelftestItem[]> {
  const folder = path.join(programFolder(ports), 'examples');
  const items: SelftestItem[] = [];
  for (const example of await ports.files.list(folder)) {
    const root = path.join(folder, example);
    for (const name of await ports.files.list(path.join(root, '.rlxp/approvals'))) {
      if (name.endsWith('.json')) items.push(await exampleItem(ports, { root, example, study: path.basename(name, '.json') }));
    }
  }
  return items;
}

async function exampleItem(ports: SelftestPorts, { root, example, study }: { readonly root: string; readonly example: string; readonly study: string }): Promise<SelftestItem> {
  const name = { subject: 'fixture', name: `examples/${example}` } as const;
  const file = shownPath(programFolder(ports), path.join(root, '.rlxp/approvals', `${study}.json`));
  try {
    const { errors } = await checkStudy({ files: ports.files, node: ports.node, root, study });
    if (errors.length > 0) return itemOf(name, '', { failed: errors });
    await requireAsShipped(ports, root, study);
    return itemOf(name, `the study ${study} is as shipped, approval and all`);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const problems = problemsOf(error.refusal, file);
    // An example that somebody tried something on still works, with an approval of their own.
    return itemOf(name, '', error.refusal.code === 'approval_lapsed' ? { warned: problems } : { failed: problems });
  }
}
