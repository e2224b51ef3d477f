// Checks package.json and the lockfile: exact versions, checksums, no foreign sources, known install scripts. Imported by all.mjs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages with a script that npm would run at install, each with what it does. We install with `ignore-scripts`. */
export const installScripts = {
  electron: 'downloads the Electron binary; without it the workbench serves its screens to the browser',
  fsevents: 'macOS file watching, optional',
};

const exact = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

export function packageProblems(home) {
  const read = (name) => JSON.parse(readFileSync(join(home, name), 'utf8'));
  return [...pinProblems(read('package.json')), ...lockProblems(read('package-lock.json'))];
}

export function pinProblems(manifest) {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  return Object.entries(wanted).flatMap(([name, version]) => (exact.test(version) ? [] : [`package.json: ${name} is not pinned to one version (${version})`]));
}

export function lockProblems(lock) {
  const problems = [];
  for (const [path, entry] of Object.entries(lock.packages ?? {})) {
    if (path === '') continue;
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (entry.link === true) problems.push(`package-lock.json: ${path} is a link`);
    if (entry.resolved !== undefined) problems.push(`package-lock.json: ${path} names the host it came from (${entry.resolved})`);
    if (typeof entry.integrity !== 'string') problems.push(`package-lock.json: ${path} has no checksum`);
    if (/^(git|http|file)/.test(entry.version ?? '')) problems.push(`package-lock.json: ${path} is not from the registry`);
    if (entry.hasInstallScript === true && !(name in installScripts)) problems.push(`package-lock.json: ${path} wants to run a script at install; it is not in the list of scripts/checks/packages.mjs`);
  }
  return problems;
}
