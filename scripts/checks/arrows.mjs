// Checks every import against the arrows, and that no files import each other in a circle. Imported by all.mjs.
import { dirname, posix } from 'node:path';
import { importsOf, readSources } from './source-files.mjs';
import { rulesOf, zoneOf } from './zones.mjs';

export function arrowProblems(home) {
  return problemsIn(readSources(home));
}

/** For a list of `{ path, text }`, so that a test can try imports that must not pass. */
export function problemsIn(sources) {
  const covered = sources.filter(({ path }) => zoneOf(path) !== null);
  return [...covered.flatMap(({ path, text }) => importsOf(text).flatMap((one) => judge(path, one))), ...circles(covered)];
}

function judge(path, { from, isType, line }) {
  const zone = zoneOf(path);
  const rules = rulesOf(zone);
  const problem = (why) => [`${path}:${line} imports ${from}: ${why}`];
  if (rules === null) return problem(`${zone} is in no list of scripts/checks/zones.mjs`);
  if (from.startsWith('.')) return judgeOurs({ path, from, isType, zone, rules, problem });
  if (from.startsWith('node:')) return isAmong(from, rules.node) ? [] : problem(`${zone} may not import this part of Node`);
  const name = from.startsWith('@') ? from.split('/').slice(0, 2).join('/') : from.split('/')[0];
  if (name === 'electron' && !['desktop', 'preload', 'entry/electron'].includes(zone)) return problem('only desktop, preload and electron.ts import electron');
  return isAmong(name, rules.packages) ? [] : problem(`${zone} may not import this package`);
}

/** AssemblyScript: its compiler wants paths without an extension, and the kernels know nothing but each other. */
const kernels = 'src-runner/backend/simd/kernels';

function judgeOurs({ path, from, isType, zone, rules, problem }) {
  if (dirname(path) === kernels) return /^\.\/[a-z-]+$/.test(from) ? [] : problem('the kernels import only each other');
  if (!/\.(ts|tsx|css|json)$/.test(from)) return problem('a relative import names its file with its extension');
  const target = posix.join(dirname(path), from);
  const targetZone = zoneOf(target);
  if (targetZone === null) return problem('sources import no tests and no scripts');
  if (targetZone === zone) return [];
  if (zone === 'preload' && !isType) return problem('the preload bridge takes only types from ours');
  if (rules.neverOurs?.includes(targetZone)) return problem(`${zone} may never import ${targetZone}`);
  const isAllowed = rules.ours.some((one) => one === targetZone || (one.endsWith('/*') && targetZone.startsWith(one.slice(0, -1))) || (one === 'renderer/*' && targetZone.startsWith('feature/')));
  return isAllowed ? [] : problem(`${zone} may not import ${targetZone}`);
}

function isAmong(name, allowed) {
  return allowed === 'all' || allowed.includes(name);
}

/** Circles of imports that exist at run time; types may refer to each other. */
function circles(sources) {
  const edges = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter((one) => !one.isType && one.from.startsWith('.'))
        .map((one) => posix.join(dirname(path), one.from)),
    ]),
  );
  const state = new Map();
  const found = [];
  const visit = (path, trail) => {
    if (state.get(path) === 'done' || !edges.has(path)) return;
    if (state.get(path) === 'open') {
      found.push(`a circle of imports: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`);
      return;
    }
    state.set(path, 'open');
    for (const next of edges.get(path)) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}
