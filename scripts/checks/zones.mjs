// The arrows of ARCHITECTURE.md as a list: which zone a file is in, and what each zone may import. Imported by arrows.mjs.

/** One total order: a room may import the rooms to its right. */
export const rooms = [
  'agent', 'proposal', 'remote', 'evidence', 'check', 'selftest', 'doctor', 'campaign', 'report', 'contract', 'audit', 'trial', 'gpu', 'evaluation',
  'metrics', 'curve', 'statistics', 'study', 'ledger', 'provenance', 'workspace',
];

/** Node modules that touch nothing outside the process. */
const pureNode = ['node:path', 'node:crypto', 'node:util', 'node:buffer', 'node:assert'];

const corePackages = ['zod', 'yaml'];
/** Packages that one room needs and no other may import. */
const roomPackages = { evidence: ['fflate'] };

/** The runner's compute backends alone know TensorFlow.js. */
const tfjs = ['@tensorflow/tfjs-core', '@tensorflow/tfjs-backend-cpu', '@tensorflow/tfjs-backend-wasm'];

const room = (name) => `core/${name}`;
const everyRoom = rooms.map(room);

/** zone -> { ours: zones it may import besides itself, packages: packages, node: 'all' or a list }. */
const fixedZones = {
  protocol: { ours: [], packages: ['zod'], node: [] },
  ports: { ours: ['protocol'], packages: [], node: [] },
  tfevents: { ours: [], packages: [], node: 'all' },
  durable: { ours: [], packages: [], node: 'all' },
  redaction: { ours: ['protocol'], packages: [], node: pureNode },
  handler: { ours: ['protocol', 'ports'], packages: ['zod'], node: [] },
  dispatch: { ours: ['protocol', 'ports', 'handler'], packages: ['zod'], node: pureNode },
  adapters: { ours: ['protocol', 'ports', 'durable', 'redaction'], packages: 'all', node: 'all' },
  serve: { ours: ['protocol', 'dispatch'], packages: ['zod'], node: 'all' },
  desktop: { ours: ['protocol', 'ports', 'dispatch', 'serve', 'workbench', 'adapters'], packages: ['electron', 'zod'], node: 'all' },
  handlers: { ours: ['protocol', 'ports', 'dispatch', 'handler', ...everyRoom], packages: [], node: [] },
  workbench: { ours: ['protocol', 'ports', 'dispatch', 'handler', 'handlers'], packages: [], node: [...pureNode, 'node:events'] },
  entry: { ours: ['protocol', 'ports', 'workbench', 'adapters', 'serve', 'dispatch'], packages: [], node: 'all' },
  'entry/electron': { ours: ['protocol', 'ports', 'workbench', 'adapters', 'serve', 'desktop'], packages: ['electron'], node: 'all' },
  /** The campaign's own process: the composition root of one room. */
  'entry/campaign': { ours: ['protocol', 'ports', 'adapters', ...everyRoom], packages: [], node: 'all' },
  'entry/doctor': { ours: ['protocol', 'ports', 'adapters', ...everyRoom], packages: [], node: 'all' },
  'entry/babysitter': { ours: ['protocol', 'ports', 'adapters', 'core/campaign'], packages: [], node: 'all' },
  preload: { ours: ['protocol'], packages: ['electron'], node: [] },
  'runner/envs': runner(['learners', 'harness', 'losses', 'analysis']),
  'runner/losses': runner(['envs', 'harness', 'learners', 'analysis']),
  'runner/backend': runner(['envs', 'harness', 'learners', 'losses', 'analysis'], tfjs),
  'runner/seeding': runner(['envs', 'harness', 'learners', 'losses', 'analysis', 'backend']),
  'runner/learners': runner(['harness', 'analysis']),
  'renderer/ui': { ours: [], packages: 'all', node: [] },
  'renderer/charts': { ours: ['protocol', 'renderer/ui'], packages: 'all', node: [] },
  'renderer/state': { ours: ['protocol'], packages: 'all', node: [] },
  'renderer/app': { ours: ['protocol', 'renderer/*'], packages: 'all', node: [] },
};

/** Zones whose number is open: rooms, features, the rest of the runner. */
export function rulesOf(zone) {
  if (zone in fixedZones) return fixedZones[zone];
  const [kind, name] = zone.split('/');
  if (kind === 'core') {
    const place = rooms.indexOf(name);
    if (place === -1) return null;
    const right = rooms.slice(place + 1).map(room);
    return { ours: ['protocol', 'ports', 'tfevents', 'redaction', 'handler', ...right], packages: [...corePackages, ...(roomPackages[name] ?? [])], node: pureNode };
  }
  if (kind === 'feature') return { ours: ['protocol', 'renderer/state', 'renderer/charts', 'renderer/ui'], packages: 'all', node: [] };
  if (kind === 'runner') return runner([]);
  return null;
}

/** Null for files the arrows do not cover (tests, scripts). */
export function zoneOf(path) {
  const parts = path.split('/');
  const [top, second, third] = parts;
  switch (top) {
    case 'src-protocol':
      return 'protocol';
    case 'src-preload':
      return 'preload';
    case 'src-runner':
      return parts.length > 2 ? `runner/${second}` : 'runner/entry';
    case 'src-renderer':
      if (second === 'features') return `feature/${third}`;
      return ['ui', 'charts', 'state'].includes(second) ? `renderer/${second}` : 'renderer/app';
    case 'src-main':
      return mainZone(path, parts);
    default:
      return null;
  }
}

function mainZone(path, [, second, third]) {
  if (path === 'src-main/core/dispatch/handler.ts') return 'handler';
  if (path === 'src-main/core/dispatch.ts' || third === 'dispatch') return 'dispatch';
  if (second === 'core') return `core/${third}`;
  if (third !== undefined) return second;
  const name = second.replace(/\.ts$/, '');
  if (['ports', 'workbench', 'handlers'].includes(name)) return name;
  return ['electron', 'campaign', 'babysitter', 'doctor'].includes(name) ? `entry/${name}` : 'entry';
}

function runner(never, packages = []) {
  return { ours: ['protocol', 'tfevents', 'durable', 'runner/*'], neverOurs: never.map((name) => `runner/${name}`), packages: ['zod', ...packages], node: 'all' };
}
