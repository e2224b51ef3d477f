// Whether a study check sees that programs, scripts and folders that the files name are not on this machine, with line and fix.
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkStudy } from '../../../src-main/core/study/load-study.ts';
import { makeFakeFiles, type FakeFiles } from '../../fakes/fake-files.ts';
import { makeFakeMachine, makeFakeNode } from '../../fakes/fake-small-ports.ts';
import { goodProject } from './project.ts';

const root = '/work/poles';
const node = makeFakeNode();

interface Repository {
  readonly adapter?: string;
  /** Replaces `from` by `to` in the task. */
  readonly task?: readonly [from: string, to: string];
  /** Files of the repository, or absolute ones; those that end with `!` may be executed. */
  readonly has: readonly string[];
  readonly links?: Readonly<Record<string, string>>;
}

const metrics = "config: { via: flags }\nmetrics:\n  reward/mean: { meaning: reward }\n";
const train = (...words: readonly string[]) => `train: [${words.join(', ')}, --seed, '{seed}', --steps, '{timesteps}', --envs, '{num_envs}', '{settings}']\n`;
const python = "framework: command\npython: [.venv/bin/python]\n";
const evaluate = "evaluate: ['{edges}/gym_evaluate.py', '{trial_json}']\n";
const whole = ['.venv/bin/python!', 'train.py', `${node.engineFolder}/resources/edges/gym_evaluate.py`, 'env.mjs'];

/** The problems of its check: `file:line message | fix`. */
async function said({ adapter, task, has, links = {} }: Repository): Promise<readonly string[]> {
  const files = makeFakeFiles();
  const texts = { ...goodProject().texts, ...(adapter === undefined ? {} : { '.rlxp/adapter.yaml': adapter }) };
  for (const [name, text] of Object.entries(texts)) files.plant(`${root}/${name}`, task !== undefined && name.includes('tasks/') ? text.replace(...task) : text);
  for (const name of has) await plant(files, name);
  for (const [name, target] of Object.entries(links)) {
    await files.makeFolder(path.dirname(`${root}/${name}`));
    files.addLink(`${root}/${name}`, target);
  }
  const { errors } = await checkStudy({ files, node, machine: makeFakeMachine({ env: { PATH: '/usr/bin:/opt/bin' } }), root, study: 'quick' });
  return errors.map(({ file, line, message, fix }) => `${file.replace('.rlxp/', '')}:${line ?? '-'} ${message} | ${fix}`);
}

async function plant(files: FakeFiles, name: string): Promise<void> {
  const at = name.replace(/!$/, '');
  const absolute = at.startsWith('/') ? at : `${root}/${at}`;
  files.plant(absolute, 'x');
  if (name.endsWith('!')) await files.setMode(absolute, 0o755);
}

describe('programs and files on this machine', () => {
  it('AD23: says nothing of a repository that has them all', async () => {
    expect(await said({ has: ['env.mjs'] })).toEqual([]);
    expect(await said({ adapter: python + train("'{code}/train.py'") + evaluate + metrics, has: whole })).toEqual([]);
    expect(await said({ adapter: python + train('train.py') + evaluate + metrics, has: whole.filter((name) => !name.startsWith('.venv')).concat('/opt/python3!'), links: { '.venv/bin/python': '/opt/python3' } })).toEqual([]);
  });

  it('AD23: an interpreter that is not there, leads nowhere, or may not be executed', async () => {
    const adapter = python + train("'{code}/train.py'") + evaluate + metrics;
    const others = whole.slice(1);
    const missing = 'adapter.yaml:2 the program `.venv/bin/python` is not there | Make the environment it belongs to, install it, or correct `python`.';
    expect(await said({ adapter, has: others })).toEqual([missing]);
    expect(await said({ adapter, has: others, links: { '.venv/bin/python': '/usr/bin/python3.9' } })).toEqual([missing]);
    expect(await said({ adapter, has: [...others, '.venv/bin/python/x'] })).toEqual([missing]);
    expect(await said({ adapter, has: [...others, '.venv/bin/python'] })).toEqual(['adapter.yaml:2 the program `.venv/bin/python` is there, but may not be executed | Run `chmod +x .venv/bin/python`.']);
  });

  it('AD23: a bare name in no folder of PATH; without `python` each command names its own', async () => {
    const uv = `framework: command\npython: [uv, run, python]\n${train('train.py')}${evaluate}${metrics}`;
    expect(await said({ adapter: uv, has: whole })).toEqual(['adapter.yaml:2 the program `uv` is in no folder of PATH | Make the environment it belongs to, install it, or correct `python`.']);
    expect(await said({ adapter: uv, has: [...whole, '/usr/bin/uv'] })).toHaveLength(1);
    expect(await said({ adapter: uv, has: [...whole, '/opt/bin/uv!'] })).toEqual([]);
    const plain = `framework: command\n${train('node', 'train.mjs')}evaluate: [deno, play.ts, '{trial_json}']\n${metrics}`;
    expect(await said({ adapter: plain, has: ['env.mjs', 'train.mjs', 'play.ts', '/usr/bin/node!'] })).toEqual(['adapter.yaml:3 the program `deno` is in no folder of PATH | Install it, or correct `evaluate`.']);
  });

  it.each([
    ["'{code}/trian.py'", 'adapter.yaml:3 `train` runs trian.py, and the repository has no such file | Did you mean `train.py`?'],
    ["'{code}/src/learn.py'", 'adapter.yaml:3 `train` runs src/learn.py, and the repository has no such file | Correct the path below `{code}`, which stands for the repository.'],
    ["train.py, '--policy={code}/ploy.py#load'", 'adapter.yaml:3 `train` runs ploy.py, and the repository has no such file | Did you mean `play.py`?'],
    ['-u, -W, ignore, tran.py', 'adapter.yaml:3 `train` runs tran.py, and the repository has no such file | Did you mean `train.py`?'],
    ['-m, pkg.lern', 'adapter.yaml:3 `train` runs the module pkg.lern, and the repository has no pkg/lern.py | Correct the name of the module, or `cwd`.'],
  ])('AD24: a command with %s', async (words, problem) => {
    const has = [...whole, 'play.py', 'pkg/learn.py', 'pkg/tool/__main__.py'];
    expect(await said({ adapter: python + train(words) + evaluate + metrics, has })).toEqual([problem]);
  });

  it('AD24: leaves alone what only running could tell', async () => {
    const has = [...whole, 'pkg/learn.py', 'pkg/tool/__main__.py', 'code/inner.py'];
    for (const words of ['-m, pkg.learn', '-m, pkg.tool', '-m, installed.train', '-c, "import x"', 'launch', "'{trial_folder}/made.py'", '/work/poles/train.py']) {
      expect(await said({ adapter: python + train(words) + evaluate + metrics, has }), words).toEqual([]);
    }
    expect(await said({ adapter: `${python}cwd: code\n${train('inner.py')}${evaluate}${metrics}`, has })).toEqual([]);
    expect(await said({ adapter: `${python}cwd: '{trial_folder}'\n${train('train.py')}${evaluate}${metrics}`, has })).toEqual([]);
    expect(await said({ adapter: `${python}cwd: code\n${train('train.py')}${evaluate}${metrics}`, has })).toEqual(['adapter.yaml:4 `train` runs train.py, and the folder code has no such file | Correct the path, or `cwd`.']);
  });

  it('AD24: a script that this program does not ship', async () => {
    const adapter = python + train('train.py') + evaluate.replace('gym_evaluate', 'gym_evalute') + metrics;
    expect(await said({ adapter, has: whole })).toEqual(['adapter.yaml:4 `evaluate` runs gym_evalute.py, and this program ships no such script | Did you mean `gym_evaluate.py`?']);
  });

  it('AD25: the file of the entry and what is copied beside it, for the bundled runner too', async () => {
    const task = goodProject().texts['.rlxp/tasks/cartpole.yaml'] ?? '';
    const [entry = ''] = /^entry: .*$/m.exec(task) ?? [];
    expect(entry).not.toBe('');
    expect(await said({ task: [entry, 'entry: ./evn.mjs#makeEnv'], has: ['env.mjs'] })).toEqual(['tasks/cartpole.yaml:1 the entry\'s file ./evn.mjs is not there | Did you mean `env.mjs`?']);
    expect(await said({ task: [entry, 'entry: CartPole-v1'], has: [] })).toEqual([]);
    expect(await said({ task: [entry, `${entry}\nsnapshot: [lib]`], has: ['env.mjs', 'libs/a.py'] })).toEqual(['tasks/cartpole.yaml:2 `snapshot` names lib, which is not there | Did you mean `libs`?']);
  });
});
