// Whether the programs and scripts that an adapter's commands name, and the file of the task's entry, are on this machine. Nothing is
// run. Rooms that may import study may import it. Rules: docs/specs/adapter.md, AD23 to AD25.
import path from 'node:path';
import { trialFolderCwd, type AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { TaskFile } from '../../../src-protocol/files/task.ts';
import { nearestWord } from '../../../src-protocol/nearest.ts';
import type { Files, NodeRuntime } from '../../ports.ts';
import { whyNotRunnable, type ProgramPorts } from '../workspace/find-program.ts';
import { edgesFolder } from '../workspace/resources.ts';
import type { PathKey } from '../workspace/yaml-document.ts';
import { errorAt, type Finding, type Source } from './finding.ts';

export interface ProgramPlace {
  readonly ports: ProgramPorts & { readonly files: Pick<Files, 'realPath' | 'stat' | 'list'>; readonly node: Pick<NodeRuntime, 'engineFolder'> };
  readonly root: string;
}

type Adapter = Source<AdapterFile>;
const commands = ['train', 'evaluate', 'resume'] as const;

export async function checkPrograms(place: ProgramPlace, adapter: Adapter | null, task: Source<TaskFile> | null): Promise<readonly Finding[]> {
  const ofTask = task === null ? [] : [...(await checkEntry(place, task)), ...(await checkListed(place, task, 'snapshot', task.value.snapshot))];
  if (adapter === null) return ofTask;
  const copied = await checkListed(place, adapter, 'stub_roots', adapter.value.stub_roots);
  if (adapter.value.framework === 'bundled') return [...ofTask, ...copied];
  return [...ofTask, ...copied, ...(await checkInterpreter(place, adapter)), ...(await checkArguments(place, adapter))];
}

/** With `python`, it stands before every command; without it each command names a program of its own. */
async function checkInterpreter({ ports, root }: ProgramPlace, adapter: Adapter): Promise<readonly Finding[]> {
  const { python } = adapter.value;
  const named: readonly (readonly [PathKey, string | undefined])[] = python === undefined ? commands.map((command) => [command, adapter.value[command]?.[0]]) : [['python', python[0]]];
  const findings = await Promise.all(
    named.map(async ([key, program]): Promise<readonly Finding[]> => {
      if (program === undefined || program.includes('{')) return [];
      const why = await whyNotRunnable(ports, program, root);
      if (why === null) return [];
      const help = key === 'python' ? 'Make the environment it belongs to, install it, or correct `python`.' : `Install it, or correct \`${key}\`.`;
      return [errorAt(adapter, [key, 0], { message: `the program \`${program}\` ${why.what}`, fix: why.fix ?? help })];
    }),
  );
  return findings.flat();
}

async function checkArguments(place: ProgramPlace, adapter: Adapter): Promise<readonly Finding[]> {
  const { root, ports } = place;
  const findings: Finding[] = [];
  for (const command of commands) {
    const given = adapter.value[command] ?? [];
    for (const [index, argument] of given.entries()) {
      const [, base, at] = /\{(code|edges)\}\/([^#{}]+)/.exec(argument) ?? [];
      if (base === undefined || at === undefined) continue;
      const folder = base === 'code' ? root : edgesFolder(ports.node);
      if (await isThere(ports.files, path.resolve(folder, at))) continue;
      const message = base === 'code' ? `\`${command}\` runs ${at}, and the repository has no such file` : `\`${command}\` runs ${at}, and this program ships no such script`;
      findings.push(errorAt(adapter, [command, index], { message, fix: await nearbyFix(ports.files, { folder, at, otherwise: base === 'code' ? 'Correct the path below `{code}`, which stands for the repository.' : '' }) }));
    }
    findings.push(...(await checkScript(place, adapter, command)));
  }
  return findings;
}

/** The script or module that the interpreter is given by a plain path. It is looked for where the command starts; a trial's own folder is empty. */
async function checkScript({ ports, root }: ProgramPlace, adapter: Adapter, command: (typeof commands)[number]): Promise<readonly Finding[]> {
  const { python, cwd, [command]: given } = adapter.value;
  if (given === undefined || cwd === trialFolderCwd) return [];
  const named = scriptIn(given, python === undefined ? 1 : 0);
  if (named === null) return [];
  const folder = path.resolve(root, cwd);
  const place = cwd === '.' ? 'the repository' : `the folder ${cwd}`;
  if (!named.isModule) {
    if (await isThere(ports.files, path.resolve(folder, named.name))) return [];
    const message = `\`${command}\` runs ${named.name}, and ${place} has no such file`;
    return [errorAt(adapter, [command, named.index], { message, fix: await nearbyFix(ports.files, { folder, at: named.name, otherwise: 'Correct the path, or `cwd`.' }) })];
  }
  // A package that is not in this folder may be installed; only running it could tell.
  const [top = '', ...below] = named.name.split('.');
  if (below.length === 0 || !(await isThere(ports.files, path.join(folder, top)))) return [];
  const file = path.join(folder, top, ...below);
  if ((await isThere(ports.files, `${file}.py`)) || (await isThere(ports.files, file))) return [];
  return [errorAt(adapter, [command, named.index], { message: `\`${command}\` runs the module ${named.name}, and ${place} has no ${[top, ...below].join('/')}.py`, fix: 'Correct the name of the module, or `cwd`.' })];
}

interface Named {
  readonly name: string;
  readonly index: number;
  readonly isModule: boolean;
}

/** `[-u, train.py, ...]`, `[-m, pkg.train, ...]`. Null where the first word that is no option is neither, or is filled in. */
function scriptIn(given: readonly string[], from: number): Named | null {
  for (let index = from; index < given.length; index += 1) {
    const word = given[index] ?? '';
    const next = given[index + 1] ?? '';
    if (word === '-c') return null;
    if (word === '-m') return /^[A-Za-z_][\w.]*$/.test(next) ? { name: next, index: index + 1, isModule: true } : null;
    // Python's own options that take a value.
    if (word === '-W' || word === '-X') index += 1;
    if (word.startsWith('-')) continue;
    return /^[^{}]+\.(?:py|mjs|cjs|js|ts|sh)$/.test(word) ? { name: word, index, isModule: false } : null;
  }
  return null;
}

async function checkEntry({ ports, root }: ProgramPlace, task: Source<TaskFile>): Promise<readonly Finding[]> {
  const { entry } = task.value;
  const [file = ''] = entry.split('#');
  const isFile = entry.includes('#') || /^(?:\.|[\\/]|[A-Za-z]:[\\/])/.test(entry);
  if (!isFile || (await isThere(ports.files, path.resolve(root, file)))) return [];
  return [errorAt(task, ['entry'], { message: `the entry's file ${file} is not there`, fix: await nearbyFix(ports.files, { folder: root, at: file, otherwise: fromRoot }) })];
}

/** What is copied for the campaign beside it. */
async function checkListed({ ports, root }: ProgramPlace, source: Source<unknown>, key: 'snapshot' | 'stub_roots', listed: readonly string[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [index, at] of listed.entries()) {
    if (await isThere(ports.files, path.resolve(root, at))) continue;
    findings.push(errorAt(source, [key, index], { message: `\`${key}\` names ${at}, which is not there`, fix: await nearbyFix(ports.files, { folder: root, at, otherwise: fromRoot }) }));
  }
  return findings;
}

const fromRoot = 'Correct the path, which starts at the repository.';

async function nearbyFix(files: Pick<Files, 'list'>, { folder, at, otherwise }: { readonly folder: string; readonly at: string; readonly otherwise: string }): Promise<string> {
  const around = await files.list(path.dirname(path.resolve(folder, at))).catch((): readonly string[] => []);
  const near = nearestWord(path.basename(at), around);
  return near === null ? otherwise : `Did you mean \`${path.posix.join(path.posix.dirname(at), near)}\`?`;
}

/** A link counts as what it leads to. */
async function isThere(files: Pick<Files, 'realPath' | 'stat'>, at: string): Promise<boolean> {
  try {
    return (await files.stat(await files.realPath(at))) !== null;
  } catch {
    return false; // a link to nothing, or a folder on the way that we may not enter
  }
}
