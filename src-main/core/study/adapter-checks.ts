// Whether what a study varies reaches the trainer that the adapter starts. Imported by this room only. Rules: docs/specs/adapter.md, AD7 to AD13.
import { noNormalizer, placeholderNames, type AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { StudyFile } from '../../../src-protocol/files/study.ts';
import { nearestWord } from '../../../src-protocol/nearest.ts';
import { errorAt, warningAt, type Finding, type Source } from './finding.ts';
import type { ResolvedCandidate } from './loaded-study.ts';

type Adapter = Source<AdapterFile>;

/** All of it is about commands: the bundled runner brings its own. */
export function checkAdapter(adapter: Adapter, candidates: readonly ResolvedCandidate[]): readonly Finding[] {
  const own = [...checkRule(adapter)];
  if (adapter.value.framework === 'bundled') return own;
  return [
    ...own,
    ...checkCommands(adapter),
    ...checkPlaceholders(adapter),
    ...checkWay(adapter),
    ...checkReach(adapter, candidates),
    ...checkEvaluation(adapter),
    ...checkResume(adapter),
    ...lintLiveCode(adapter),
  ];
}

/** A logger that holds events back for longer than a study waits would get living trials ended as hung. */
export function lintFlush(study: Source<StudyFile>, adapter: Adapter): readonly Finding[] {
  const flushS = adapter.value.flush_s ?? 0;
  return (['screen', 'refine'] as const).flatMap((stage): Finding[] => {
    const { hang_s: hangS } = study.value.stages[stage].monitor;
    if (hangS > flushS) return [];
    const message = `${stage} takes a trainer for hung after ${hangS} s without an event, but this one may hold events back for ${flushS} s`;
    return [warningAt(study, ['stages', stage, 'monitor', 'hang_s'], { message, fix: `Write \`hang_s: ${Math.ceil(flushS * 1.5)}\` or more, unless the trainer prints its progress.` })];
  });
}

function checkRule(adapter: Adapter): readonly Finding[] {
  const { rule } = adapter.value.checkpoints;
  if (rule === 'final') return [];
  return [errorAt(adapter, ['checkpoints', 'rule'], { code: 'not_supported', message: `the checkpoint rule \`${rule}\` is not available yet`, fix: 'Write `rule: final`.' })];
}

function checkCommands(adapter: Adapter): readonly Finding[] {
  return (['train', 'evaluate'] as const).flatMap((name): Finding[] => {
    if (adapter.value[name] !== undefined) return [];
    const message = `\`${name}\` is missing, and ${adapter.value.framework} does not bring a command of its own`;
    return [errorAt(adapter, ['framework'], { atKey: true, message, fix: `Add \`${name}:\` with a list of arguments.` })];
  });
}

function checkPlaceholders(adapter: Adapter): readonly Finding[] {
  const known: readonly string[] = [...placeholderNames, 'settings'];
  return (['train', 'evaluate', 'resume'] as const).flatMap((command) =>
    (adapter.value[command] ?? []).flatMap((argument, index) =>
      placeholdersIn(argument).flatMap((name): Finding[] => {
        if (name === 'settings' && argument !== '{settings}') {
          return [errorAt(adapter, [command, index], { message: '`{settings}` stands for several arguments and has to be one of its own', fix: 'Write `"{settings}"` as an item of the list.' })];
        }
        if (name === 'normalizer' && adapter.value.normalizer === undefined) {
          return [errorAt(adapter, [command, index], { message: '`{normalizer}` is used, but the adapter has no `normalizer`', fix: `Add \`normalizer: ${noNormalizer}\`, or the glob of the file that holds the observation statistics.` })];
        }
        if (known.includes(name)) return [];
        const near = nearestWord(name, known);
        return [errorAt(adapter, [command, index], { message: `\`{${name}}\` is no placeholder`, fix: near === null ? `The placeholders are ${known.join(', ')}.` : `Did you mean \`{${near}}\`?` })];
      }),
    ),
  );
}

function checkWay(adapter: Adapter): readonly Finding[] {
  const { via } = adapter.value.config;
  if (via !== 'env' && via !== 'yaml_merge') return [];
  return [errorAt(adapter, ['config', 'via'], { code: 'not_supported', message: `settings cannot reach a trainer by \`${via}\` yet`, fix: 'Use `flags` or `hydra` with `{settings}`, or `trial_json` with `{trial_json}`.' })];
}

/** What does not reach the trainer is the same in every trial: the study would compare a thing with itself. */
function checkReach(adapter: Adapter, candidates: readonly ResolvedCandidate[]): readonly Finding[] {
  const { train, config } = adapter.value;
  if (train === undefined || getsTrialFile(train)) return [];
  const used = new Set(train.flatMap(placeholdersIn));
  const missing = (name: string, what: string): Finding =>
    errorAt(adapter, ['train'], { atKey: true, message: `${what} does not reach the trainer: \`train\` has no \`{${name}}\``, fix: `Add an argument with \`{${name}}\`, or pass \`{trial_json}\` to a trainer that reads it.` });
  const changed = candidates.flatMap((candidate) => candidate.changes.map(({ path }) => ({ path, candidate: candidate.name })));
  const setting = changed.find(({ path }) => path !== 'num_envs');
  const copies = changed.find(({ path }) => path === 'num_envs');
  const byArgument = config.via === 'flags' || config.via === 'hydra';
  return [
    ...(used.has('seed') ? [] : [missing('seed', 'the seed')]),
    ...(used.has('timesteps') ? [] : [missing('timesteps', 'the number of timesteps')]),
    ...(copies === undefined || used.has('num_envs') ? [] : [missing('num_envs', `\`num_envs\` of \`${copies.candidate}\``)]),
    ...(setting === undefined || (byArgument && used.has('settings')) ? [] : [missing(byArgument ? 'settings' : 'trial_json', `\`${setting.path}\` of \`${setting.candidate}\``)]),
  ];
}

function checkEvaluation(adapter: Adapter): readonly Finding[] {
  const { evaluate } = adapter.value;
  if (evaluate === undefined || getsTrialFile(evaluate) || evaluate.flatMap(placeholdersIn).includes('evaluation_file')) return [];
  return [errorAt(adapter, ['evaluate'], { atKey: true, message: '`evaluate` is not told where to write its episodes', fix: 'Pass `{evaluation_file}` or `{trial_json}`.' })];
}

function checkResume(adapter: Adapter): readonly Finding[] {
  const { resume } = adapter.value;
  if (resume === undefined || getsTrialFile(resume) || resume.flatMap(placeholdersIn).includes('checkpoint')) return [];
  return [errorAt(adapter, ['resume'], { atKey: true, message: '`resume` is not told which checkpoint to go on from', fix: 'Pass `{checkpoint}` or `{trial_json}`.' })];
}

/** What runs in the repository itself changes under a running campaign with every edit; the copy does not. */
function lintLiveCode(adapter: Adapter): readonly Finding[] {
  const { train } = adapter.value;
  if (train === undefined || train.flatMap(placeholdersIn).includes('code')) return [];
  const message = '`train` runs from the repository and not from the copy that is approved: an edit during a campaign reaches the trials that follow';
  return [warningAt(adapter, ['train'], { message, fix: 'Write the script as `{code}/<path in the repository>`.' })];
}

function getsTrialFile(command: readonly string[]): boolean {
  return command.flatMap(placeholdersIn).some((name) => name === 'trial_json' || name === 'trial_folder');
}

function placeholdersIn(argument: string): readonly string[] {
  return [...argument.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name ?? '');
}
