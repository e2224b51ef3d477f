// Fills the placeholders of adapter.yaml's commands from trial.json. Imported by launch-plan.ts only.
import path from 'node:path';
import { noNormalizer, type AdapterFile, type PlaceholderName } from '../../../src-protocol/files/adapter.ts';
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import { differences } from '../workspace/merge.ts';

export interface FillOptions {
  readonly trial: TrialFile;
  readonly folder: string;
  readonly adapter: Pick<AdapterFile, 'config' | 'normalizer'>;
  /** Folder of the scripts that this program ships for the user's interpreter. */
  readonly edges: string;
  /** The command's name in adapter.yaml, for messages. */
  readonly name: 'train' | 'evaluate' | 'resume';
}

/**
 * `{seed}` and its like are filled in place. An argument that is exactly `{settings}` becomes one argument per setting, in the form
 * that `config.via` says. Other braces are left as they are; an unknown `{name}` is refused.
 */
export function fillArguments(args: readonly string[], options: FillOptions): readonly string[] {
  const values = placeholderValues(options);
  return args.flatMap((arg) => {
    if (arg === '{settings}') return settingArguments(options);
    return [
      arg.replace(/\{([a-z_]+)\}/g, (whole, name: string) => {
        const value = values.get(name);
        if (value !== undefined) return value;
        return refuse('invalid_file', `The \`${options.name}\` command of adapter.yaml uses ${whole}, which is no placeholder: there are ${[...values.keys()].join(', ')} and settings.`);
      }),
    ];
  });
}

function placeholderValues({ trial, folder, adapter, edges }: FillOptions): ReadonlyMap<string, string> {
  const at = (name: string) => path.resolve(folder, name);
  return new Map<PlaceholderName, string>([
    ['trial_json', at('trial.json')],
    ['trial_folder', folder],
    ['logs', at(trial.logs)],
    ['checkpoints', at(trial.checkpoints)],
    ['checkpoint', trial.checkpoint === null ? '' : at(trial.checkpoint)],
    ['evaluation_file', at(trial.evaluation_file)],
    ['normalizer', adapter.normalizer ?? noNormalizer],
    ['code', trial.entry_root],
    ['edges', edges],
    ['entry', trial.entry],
    ['task', trial.task],
    ['candidate', trial.candidate],
    ['seed', String(trial.seed)],
    ['num_envs', String(trial.num_envs)],
    ['timesteps', String(trial.timesteps)],
    ['device', trial.device],
    ['eval_seed', String(trial.evaluation.seed)],
    ['eval_num_envs', String(trial.evaluation.num_envs)],
    ['eval_episodes_per_env', String(trial.evaluation.episodes_per_env)],
    ['eval_max_steps', String(trial.evaluation.max_steps)],
  ]);
}

/** Training takes the trial's own settings, evaluation the canonical ones. */
function settingArguments({ trial, adapter, name }: FillOptions): readonly string[] {
  const env: PlainMap = name === 'evaluate' ? trial.evaluation.env_cfg : trial.env_cfg;
  const settings = [...differences({}, env), ...differences({}, trial.agent_cfg)];
  const { via, booleans } = adapter.config;
  switch (via) {
    case 'flags':
      return settings.map(({ path: at, after }) => (booleans === 'switch' && typeof after === 'boolean' ? `--${after ? '' : 'no-'}${at}` : `--${at}=${shown(after)}`));
    case 'hydra':
      return settings.map(({ path: at, after }) => `${at}=${shown(after)}`);
    case 'trial_json':
    case 'yaml_merge':
    case 'env':
      return refuse('not_supported', `{settings} in adapter.yaml needs \`config: { via: flags }\` or \`hydra\`, not \`${via}\`.`);
  }
}

function shown(value: Plain | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
