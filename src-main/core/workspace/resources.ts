// Where the files that this program ships for others lie: profiles, and scripts for the user's interpreter. Any room of the core may import it.
import path from 'node:path';
import type { NodeRuntime } from '../../ports.ts';

/** They are copied into the engine's folder by the build, so that a checkout and a package hold them at the same place. */
export function profilesFolder(node: Pick<NodeRuntime, 'engineFolder'>): string {
  return path.join(node.engineFolder, 'resources', 'profiles');
}

export function edgesFolder(node: Pick<NodeRuntime, 'engineFolder'>): string {
  return path.join(node.engineFolder, 'resources', 'edges');
}
