// A copy of a damaged file beside it, before anything is changed. This room only.
import type { Ports } from '../../ports.ts';

/** `<path>.damaged-<time>`, never over an earlier one; gives the copy's path, null when there is nothing to copy. */
export async function keepCopy({ files, clock }: Pick<Ports, 'files' | 'clock'>, path: string): Promise<string | null> {
  const stat = await files.stat(path);
  if (stat?.kind !== 'file') return null;
  const stamp = new Date(clock.wallMs()).toISOString().replace(/[-:.]/g, '');
  let copy = `${path}.damaged-${stamp}`;
  for (let more = 1; (await files.stat(copy)) !== null; more += 1) copy = `${path}.damaged-${stamp}-${more}`;
  await files.copyFile(path, copy);
  return copy;
}
