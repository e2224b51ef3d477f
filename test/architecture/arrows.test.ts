import { describe, expect, it } from 'vitest';
import { problemsIn } from '../../scripts/checks/arrows.mjs';
import { lockProblems, pinProblems } from '../../scripts/checks/packages.mjs';

/** What the check says about one import in one file. */
function judge(path: string, from: string, form: 'value' | 'type' = 'value'): readonly string[] {
  return problemsIn([{ path, text: `import ${form === 'type' ? 'type ' : ''}{ x } from '${from}';\n` }]);
}

describe('arrows', () => {
  it.each([
    ['src-protocol/study.ts', 'node:path'],
    ['src-protocol/study.ts', 'yaml'],
    ['src-protocol/study.ts', '../src-main/ports.ts'],
    ['src-main/ports.ts', './core/study/load-study.ts'],
    ['src-main/tfevents/reader.ts', '../durable/append-line.ts'],
    ['src-main/tfevents/reader.ts', '../../src-protocol/number.ts'],
    ['src-main/core/study/load.ts', 'node:fs'],
    ['src-main/core/study/load.ts', 'node:fs/promises'],
    ['src-main/core/study/load.ts', 'node:child_process'],
    ['src-main/core/study/load.ts', 'node-pty'],
    ['src-main/core/study/load.ts', 'electron'],
    ['src-main/core/study/load.ts', '../../adapters/disk-files.ts'],
    ['src-main/core/study/load.ts', '../../serve/in-process.ts'],
    ['src-main/core/study/load.ts', '../campaign/run-campaign.ts'],
    ['src-main/core/study/load.ts', '../dispatch.ts'],
    ['src-main/core/study/load.ts', '../dispatch/permission.ts'],
    ['src-main/core/workspace/layout.ts', '../ledger/ledger.ts'],
    ['src-main/core/kitchen/sink.ts', '../study/load.ts'],
    ['src-main/core/dispatch.ts', './study/load.ts'],
    ['src-main/adapters/disk-files.ts', '../core/study/load.ts'],
    ['src-main/serve/argv.ts', '../ports.ts'],
    ['src-main/serve/argv.ts', '../core/study/load.ts'],
    ['src-main/serve/argv.ts', '../adapters/disk-files.ts'],
    ['src-main/cli.ts', './core/study/load.ts'],
    ['src-main/cli.ts', './desktop/window.ts'],
    ['src-main/cli.ts', 'electron'],
    ['src-main/workbench.ts', './adapters/disk-files.ts'],
    ['src-preload/bridge.ts', '../src-protocol/index.ts'],
    ['src-renderer/features/study/table.tsx', '../campaign/live.tsx'],
    ['src-renderer/features/study/table.tsx', '../../../src-main/ports.ts'],
    ['src-renderer/ui/button.tsx', '../state/store.ts'],
    ['src-runner/envs/cartpole.ts', '../learners/ppo.ts'],
    ['src-runner/envs/cartpole.ts', '../harness/train-trial.ts'],
    ['src-runner/losses/value.ts', '../envs/cartpole.ts'],
    ['src-runner/train.ts', '../src-main/core/study/load.ts'],
    ['src-runner/train.ts', '../test/fakes/fake-clock.ts'],
    ['src-main/core/study/load.ts', './plan'],
  ])('%s may not import %s', (path, from) => {
    expect(judge(path, from)).toHaveLength(1);
  });

  it.each([
    ['src-protocol/study.ts', 'zod'],
    ['src-main/core/campaign/run.ts', '../study/load.ts'],
    ['src-main/core/study/load.ts', '../dispatch/handler.ts'],
    ['src-main/core/study/load.ts', '../../tfevents/reader.ts'],
    ['src-main/adapters/disk-files.ts', '../durable/append-line.ts'],
    ['src-main/serve/argv.ts', '../core/dispatch.ts'],
    ['src-main/handlers.ts', './core/ledger/handlers.ts'],
    ['src-main/electron.ts', './desktop/window.ts'],
    ['src-renderer/features/study/table.tsx', '../../charts/curve.ts'],
    ['src-runner/train.ts', '../src-main/durable/append-line.ts'],
    ['test/core/study.test.ts', '../../src-main/adapters/disk-files.ts'],
  ])('%s may import %s', (path, from) => {
    expect(judge(path, from)).toEqual([]);
  });

  it('lets the preload bridge take types', () => {
    expect(judge('src-preload/bridge.ts', '../src-protocol/index.ts', 'type')).toEqual([]);
  });

  it.each([
    ["import './a.ts';", 1],
    ["export * from './a.ts';", 1],
    ["const a = await import('./a.ts');", 1],
    ["import {\n  one,\n  two,\n} from './a.ts';", 1],
    ["// import { x } from './a.ts';", 0],
    ["/* import { x } from './a.ts'; */", 0],
  ])('sees %j', (text, expected) => {
    expect(problemsIn([{ path: 'src-main/core/study/a.ts', text: text.replace('./a.ts', '../../adapters/a.ts') }])).toHaveLength(expected);
  });

  it('finds circles of imports, and lets types refer to each other', () => {
    const circle = (form: string) => [
      { path: 'src-main/core/study/a.ts', text: `import ${form}{ b } from './b.ts';` },
      { path: 'src-main/core/study/b.ts', text: "import { a } from './a.ts';" },
    ];
    expect(problemsIn(circle(''))).toHaveLength(1);
    expect(problemsIn(circle('type '))).toEqual([]);
  });
});

describe('packages', () => {
  it.each(['^1.0.0', '~1.0.0', '*', 'latest', 'git+https://x/y.git', 'https://x/y.tgz', '1.x', 'file:../x'])('%s is not pinned', (version) => {
    expect(pinProblems({ dependencies: { x: version } })).toHaveLength(1);
  });

  it.each(['1.0.0', '1.0.0-rc.1', 'npm:@scope/name@1.2.3'])('%s is pinned', (version) => {
    expect(pinProblems({ dependencies: { x: version } })).toEqual([]);
  });

  it.each([
    [{ integrity: 'sha512-x', resolved: 'https://host/x.tgz' }, 'names the host'],
    [{ version: '1.0.0' }, 'no checksum'],
    [{ integrity: 'sha512-x', hasInstallScript: true }, 'run a script at install'],
    [{ integrity: 'sha512-x', version: 'git+ssh://x' }, 'not from the registry'],
    [{ integrity: 'sha512-x', link: true }, 'is a link'],
  ])('a lockfile entry %j is a problem', (entry, message) => {
    expect(lockProblems({ packages: { '': {}, 'node_modules/x': entry } }).join()).toContain(message);
  });
});
