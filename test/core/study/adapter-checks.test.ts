import { describe, expect, it } from 'vitest';
import { goodAdapter, goodProject, type Project } from './project.ts';

const command = `framework: command
train: ['{code}/train.py', --seed, '{seed}', --steps, '{timesteps}', --envs, '{num_envs}', '{settings}']
evaluate: [play.py, '{trial_json}']
config: { via: flags }
metrics:
  rollout/ep_rew_mean: { meaning: reward }
`;

const withAdapter = (from: string, to: string, text = command): Project => {
  expect(text).toContain(from);
  return goodProject().set('.rlxp/adapter.yaml', text.replace(from, () => to));
};

describe('an adapter of a trainer of one\'s own', () => {
  it('AD7: AD8: AD9: is loaded when everything reaches the trainer', async () => {
    await expect(withAdapter('', '').load()).resolves.toMatchObject({ adapter: { framework: 'command' } });
    await expect(withAdapter("train: ['{code}/train.py', --seed, '{seed}', --steps, '{timesteps}', --envs, '{num_envs}', '{settings}']", "train: ['{code}/train.py', '{trial_json}']").load()).resolves.toBeTruthy();
    await expect(goodProject().set('.rlxp/adapter.yaml', goodAdapter).load()).resolves.toBeTruthy();
  });

  it('AD7: needs both commands, and placeholders that exist', async () => {
    expect(await withAdapter("evaluate: [play.py, '{trial_json}']\n", '').said()).toEqual(['adapter.yaml:1 `evaluate` is missing, and command does not bring a command of its own | Add `evaluate:` with a list of arguments.']);
    expect(await withAdapter('{seed}', '{sed}').said()).toContain('adapter.yaml:2 `{sed}` is no placeholder | Did you mean `{seed}`?');
    expect(await withAdapter("'{settings}'", "'x{settings}'").said()).toContain('adapter.yaml:2 `{settings}` stands for several arguments and has to be one of its own | Write `"{settings}"` as an item of the list.');
    expect((await withAdapter("'{trial_json}'", "'{trial_json}', '{normalizer}'").said())[0]).toContain('adapter.yaml:3 `{normalizer}` is used, but the adapter has no `normalizer`');
  });

  it.each([
    ["--seed, '{seed}', ", 'the seed does not reach the trainer: `train` has no `{seed}`'],
    ["--steps, '{timesteps}', ", 'the number of timesteps does not reach the trainer: `train` has no `{timesteps}`'],
    ["--envs, '{num_envs}', ", '`num_envs` of `envs16` does not reach the trainer: `train` has no `{num_envs}`'],
    [", '{settings}'", '`agent_cfg.agent.learning_epochs` of `epochs4` does not reach the trainer: `train` has no `{settings}`'],
  ])('AD8: is refused without %s', async (gone, message) => {
    const problems = await withAdapter(gone, '').said();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`adapter.yaml:2 ${message}`);
  });

  it('AD8: with trial_json as the way, flags carry no settings', async () => {
    expect((await withAdapter('config: { via: flags }\n', '').said())[0]).toContain('does not reach the trainer: `train` has no `{trial_json}`');
  });

  it('AD9: tells the evaluation where its episodes go', async () => {
    expect(await withAdapter("'{trial_json}'", "'{checkpoint}'").said()).toEqual(['adapter.yaml:3 `evaluate` is not told where to write its episodes | Pass `{evaluation_file}` or `{trial_json}`.']);
    await expect(withAdapter("'{trial_json}'", "'{checkpoint}', '{evaluation_file}'").load()).resolves.toBeTruthy();
  });

  it('AD9: tells a resume which checkpoint to go on from', async () => {
    expect(await withAdapter('metrics:', "resume: [train.py, '{seed}']\nmetrics:").said()).toEqual(['adapter.yaml:5 `resume` is not told which checkpoint to go on from | Pass `{checkpoint}` or `{trial_json}`.']);
    expect(await withAdapter('metrics:', "resume: [train.py, '{checkpont}', '{trial_json}']\nmetrics:").said()).toEqual(['adapter.yaml:5 `{checkpont}` is no placeholder | Did you mean `{checkpoint}`?']);
    await expect(withAdapter('metrics:', "resume: [train.py, '{checkpoint}']\nmetrics:").load()).resolves.toBeTruthy();
  });

  it('AD10: refuses ways that are not there', async () => {
    for (const via of ['env', 'yaml_merge']) {
      const refusal = await withAdapter('via: flags', `via: ${via}`).refusal();
      expect(refusal.problems?.map((one) => `${one.line} ${one.message}`)).toContain(`4 settings cannot reach a trainer by \`${via}\` yet`);
    }
    expect((await withAdapter('metrics:', 'checkpoints: { rule: best_by_canonical_eval }\nmetrics:').said())[0]).toContain('adapter.yaml:5');
  });

  it('AD12: warns when the trainer runs from the repository', async () => {
    expect((await withAdapter('{code}/', '').warned()).join('\n')).toContain('adapter.yaml:2 `train` runs from the repository and not from the copy that is approved');
    expect((await withAdapter('', '').warned()).join('\n')).not.toContain('runs from the repository');
  });

  it('AD13: warns when a living trial could be taken for hung', async () => {
    const slow = withAdapter('metrics:', 'flush_s: 120\nmetrics:');
    expect((await slow.warned()).join('\n')).toContain('screen takes a trainer for hung after 5 s without an event, but this one may hold events back for 120 s | Write `hang_s: 180` or more');
    expect((await withAdapter('', '').warned()).join('\n')).not.toContain('taken for hung');
    expect((await slow.with('studies/quick.yaml', 'hang_s: 5', 'hang_s: 121').warned()).join('\n')).not.toContain('hold events back');
  });
});
