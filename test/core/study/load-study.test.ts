// Loading a study: what is resolved, and everything that is refused, with file, line and fix.
import { describe, expect, test } from 'vitest';
import { goodProject, goodStudy } from './project.ts';

const project = goodProject();

describe('a good study', () => {
  test('S4 aliases and defaults are resolved', async () => {
    const study = await project.load();
    expect(study.eval).toEqual({ num_envs: 10, max_steps: 500, episodes_per_env: 2, seed: 7, deterministic: true });
    expect(study.base).toMatchObject({ task: 'cartpole', devices: ['cpu'], max_trial_s: 60 });
    expect(study.stages.noise).toEqual({ seeds: [42, 43, 44], timesteps: 8192 });
    expect(study.stages.verify).toMatchObject({ looks: [5, 8, 10], timesteps: 16384, max_parallel: 2, collapse_below: null });
    expect(study.stages.verify.monitor).toEqual(study.stages.refine.monitor);
    expect(study.warnings).toEqual([]);
    const aliased = await project.with('quick.yaml', 'looks:', 'fresh_seeds:').with('quick.yaml', 'min_episodes: 20', 'min_episodes: 11').load();
    expect(aliased.stages.verify.looks).toEqual([5, 8, 10]);
    expect(aliased.eval.episodes_per_env).toBe(2);
    const limited = await project.with('contract.yaml', 'per_trial_s: 60', 'per_trial_s: 30').load();
    expect(limited.base.max_trial_s).toBe(30);
    const quiet = await project.with('quick.yaml', 'stages:', 'stages:\n  noise: off').load();
    expect(quiet.stages.noise).toBeNull();
  });

  test('S9 candidates carry their whole settings, what they changed, and the canonical evaluation', async () => {
    const { candidates, baseline } = await project.load();
    const named = (name: string) => candidates.find((candidate) => candidate.name === name);
    expect(baseline.changes).toEqual([]);
    expect(baseline.agent_cfg).toMatchObject({ agent: { rollouts: 64, learning_epochs: 10, discount_factor: 0.99 }, models: { hidden: [64, 64] } });
    expect(named('epochs4')?.changes).toEqual([{ path: 'agent_cfg.agent.learning_epochs', before: 10, after: 4 }]);
    expect(named('envs16')?.changes).toEqual([{ path: 'num_envs', before: 8, after: 16 }]);
    expect(named('shaped')).toMatchObject({ env_cfg: { shaping: { angle: 0.5 } }, canonical_env_cfg: { shaping: { angle: 0 } }, at: { file: '.rlxp/studies/quick.yaml', line: 19 } });
  });

  test('S1 BOM and CRLF change nothing', async () => {
    const study = await project.set('quick.yaml', `\uFEFF${goodStudy.replaceAll('\n', '\r\n')}`).load();
    expect(study.file).toEqual((await project.load()).file);
  });

  test('S2 the frozen copy is read on request', async () => {
    const frozen = project.set('.rlxp/runs/quick/study.yaml', goodStudy.replace('top_k: 3', 'top_k: 2'));
    expect((await frozen.load('quick', true)).stages.refine.top_k).toBe(2);
    expect((await frozen.load('quick')).stages.refine.top_k).toBe(3);
    expect((await frozen.load('quick', true)).source).toEqual({ path: '/repo/.rlxp/runs/quick/study.yaml', file: '.rlxp/runs/quick/study.yaml', isFrozen: true });
  });
});

describe('files', () => {
  test('S2 a study that does not exist is refused with the nearest name', async () => {
    expect(await project.refusal('quik')).toMatchObject({ code: 'not_found', message: 'There is no study quik: .rlxp/studies/quik.yaml does not exist.', next: 'Did you mean `quick`?' });
    expect(await project.refusal('../../etc/passwd')).toMatchObject({ code: 'not_found' });
  });

  test('S2 file and study have one name', async () => {
    expect(await project.with('quick.yaml', 'study: quick', 'study: slow').said()).toEqual(['studies/quick.yaml:1 the file is called quick, but its study is `slow` | Give the file and the study the same name.']);
  });

  test('S3 a missing task, adapter or contract is named', async () => {
    const task = project.with('quick.yaml', 'task: cartpole', 'task: cartpol');
    expect((await task.said())[0]).toBe('studies/quick.yaml:2 there is no task `cartpol` in .rlxp/tasks | Did you mean `cartpole`?');
    expect(await project.set('adapter.yaml', null).said()).toEqual(['adapter.yaml:- the file does not exist | Create it, or check the name.']);
    expect(await project.set('contract.yaml', null).refusal()).toMatchObject({ code: 'not_found' });
  });

  test('S1 everything wrong in all four files is reported at once, in order', async () => {
    const broken = project
      .with('quick.yaml', 'num_envs: 8,', 'num_envs: -8, num_env: 8,')
      .with('cartpole.yaml', 'score_scale: 100', 'score_scale: 0')
      .with('adapter.yaml', 'meaning: reward', 'meaning: rewards')
      .with('contract.yaml', 'wall_hours: 2', 'wall_hours: .nan');
    const lines = (await broken.said()).map((line) => line.split(' ')[0]);
    expect(lines).toEqual(['studies/quick.yaml:2', 'studies/quick.yaml:2', 'tasks/cartpole.yaml:7', 'adapter.yaml:3', 'contract.yaml:11']);
    expect((await broken.refusal()).message).toBe('The study quick has 5 problems.');
  });

  test('S15 NaN and negative budgets are refused with their line', async () => {
    expect(await project.with('contract.yaml', 'wall_hours: 2', 'wall_hours: .nan').said()).toEqual(['contract.yaml:11 `gates.budget.value.wall_hours` must be a finite number; it is `.nan` | Write a finite number.']);
    expect(await project.with('contract.yaml', 'wall_hours: 2', 'wall_hours: -1').said()).toEqual(['contract.yaml:11 `gates.budget.value.wall_hours` must be a number above 0; it is -1 | Write a number above 0.']);
    expect(await project.with('quick.yaml', 'max_trial_s: 60', 'max_trial_s: .inf').said()).toEqual(['studies/quick.yaml:2 `base.max_trial_s` must be a finite number; it is `.inf` | Write a finite number.']);
    expect(await project.with('quick.yaml', 'timesteps: 8192', 'timesteps: 0').said()).toEqual(['studies/quick.yaml:6 `stages.screen.timesteps` must be a whole number above 0; it is 0 | Write a whole number above 0.']);
    for (const wait of ['startup_s', 'hang_s']) {
      const noWait = project.with('quick.yaml', 'hang_s: 5', `${wait}: 0`);
      expect((await noWait.said()).join()).toContain(`\`stages.screen.monitor.${wait}\` must be a number above 0; it is 0`);
    }
  });
});

describe('candidates', () => {
  test('S5 a study without a baseline is refused', async () => {
    expect(await project.with('quick.yaml', '{ name: baseline }', '{ name: base-line }').said()).toContain(
      'studies/quick.yaml:11 there is no candidate `baseline`: nothing could be compared with the task as it is | Rename `base-line` to `baseline` if it is the unmodified task, or add `- { name: baseline }`.',
    );
    expect(await project.with('quick.yaml', '  - { name: baseline }\n', '').said()).toEqual([
      'studies/quick.yaml:11 there is no candidate `baseline`: nothing could be compared with the task as it is | Add `- { name: baseline }` to the candidates.',
    ]);
  });

  test('S6 the baseline changes nothing; writing a default out is no change', async () => {
    expect(await project.with('quick.yaml', '{ name: baseline }', '{ name: baseline, agent_cfg: { agent: { learning_rate: 1e-4 } } }').said()).toEqual([
      'studies/quick.yaml:12 the baseline changes `agent_cfg.agent.learning_rate`: it must be the task as it is | Move these settings into a candidate of their own, or into the task file.',
    ]);
    await project.with('quick.yaml', '{ name: baseline }', '{ name: baseline, agent_cfg: { agent: { learning_rate: 3e-4 } } }').load();
  });

  test('S7 names are unique', async () => {
    expect(await project.with('quick.yaml', 'name: epochs20', 'name: epochs4').said()).toEqual([
      'studies/quick.yaml:14 the candidate name `epochs4` is used a second time (first on line 13) | Give each candidate a name of its own.',
    ]);
  });

  test('S8 two candidates with the same settings are refused by content, not by how they are written', async () => {
    expect(await project.with('quick.yaml', 'learning_epochs: 20 }', 'discount_factor: 0.99, learning_epochs: 4 }').said()).toEqual([
      'studies/quick.yaml:14 the candidates `epochs4` (line 13) and `epochs20` (line 14) have the same settings once defaults are filled in | Remove one of them, or let them differ in a setting.',
    ]);
    expect(await project.with('quick.yaml', 'num_envs: 16 }', 'num_envs: 8 }').said()).toEqual([
      'studies/quick.yaml:18 the candidates `baseline` (line 12) and `envs16` (line 18) have the same settings once defaults are filled in | Remove `envs16`, or let it change a setting.',
    ]);
  });

  test('S12 an unknown or wrong agent setting is named where it stands', async () => {
    expect(await project.with('quick.yaml', 'learning_epochs: 4', 'lerning_epochs: 4').said()).toEqual([
      'studies/quick.yaml:13 `lerning_epochs` is not a known key of `candidates[1].agent_cfg.agent` | Did you mean `learning_epochs`?',
    ]);
    expect(await project.with('quick.yaml', 'learning_epochs: 4', 'learning_epochs: 4.5').said()).toEqual([
      'studies/quick.yaml:13 `candidates[1].agent_cfg.agent.learning_epochs` must be a whole number above 0; it is 4.5 | Write a whole number above 0.',
    ]);
    expect(await project.with('cartpole.yaml', 'rollouts: 64', 'rollout: 64').said()).toEqual([
      'tasks/cartpole.yaml:4 `rollout` is not a known key of `agent.agent` | Did you mean `rollouts`?',
    ]);
  });

  test('S12 another framework may have any agent setting', async () => {
    const other = project.with('adapter.yaml', 'framework: bundled', "framework: command\ntrain: [go, '{trial_json}']\nevaluate: [play, '{trial_json}']").with('quick.yaml', 'learning_epochs: 4', 'lerning_epochs: 4');
    expect((await other.load()).candidates[1]?.agent_cfg).toEqual({ agent: { rollouts: 64, learning_epochs: 10, mini_batches: 4, lerning_epochs: 4 } });
  });

  test('S12 minibatches divide the samples of an update', async () => {
    expect(await project.with('quick.yaml', 'num_envs: 16 }', 'num_envs: 16, agent_cfg: { agent: { mini_batches: 3 } } }').said()).toEqual([
      'studies/quick.yaml:18 `envs16`: rollouts * num_envs = 64 * 16 = 1024 samples cannot be cut into 3 equal minibatches | Choose `mini_batches` so that it divides 1024.',
    ]);
    expect(await project.with('cartpole.yaml', 'mini_batches: 4', 'mini_batches: 7').said()).toEqual([
      'tasks/cartpole.yaml:4 `baseline`: rollouts * num_envs = 64 * 8 = 512 samples cannot be cut into 7 equal minibatches | Choose `mini_batches` so that it divides 512.',
      'studies/quick.yaml:18 `envs16`: rollouts * num_envs = 64 * 16 = 1024 samples cannot be cut into 7 equal minibatches | Choose `mini_batches` so that it divides 1024.',
    ]);
  });
});

describe('stages', () => {
  test('S10 a gate beyond the timesteps of its stage is refused', async () => {
    expect(await project.with('quick.yaml', 'step: 4096', 'step: 8193').said()).toEqual([
      'studies/quick.yaml:8 the reward gate at step 8193 lies beyond the 8192 timesteps of screen | Move the gate to step 8192 or earlier, or train longer.',
    ]);
    await project.with('quick.yaml', 'step: 4096', 'step: 8192').load();
  });

  test('S11 a gate on another axis than the timesteps is refused', async () => {
    const said = await project.with('adapter.yaml', '{ meaning: reward }', '{ meaning: reward, axis: iteration }').said();
    expect(said).toEqual([
      'studies/quick.yaml:8 screen has a rule on the axis `step` of timesteps, but the reward tag `rollout/ep_rew_mean` is logged on the axis `iteration` | Log the reward against step, correct `axis` in .rlxp/adapter.yaml, or remove the rule.',
      'studies/quick.yaml:9 refine has a rule on the axis `step` of timesteps, but the reward tag `rollout/ep_rew_mean` is logged on the axis `iteration` | Log the reward against step, correct `axis` in .rlxp/adapter.yaml, or remove the rule.',
    ]);
    expect((await project.with('adapter.yaml', 'meaning: reward', 'meaning: loss').said())[0]).toBe(
      "studies/quick.yaml:8 screen watches the reward, but .rlxp/adapter.yaml maps no tag as reward | Map the reward's tag under `metrics` in .rlxp/adapter.yaml, or remove the rule.",
    );
  });

  test('S13 looks rise and stay within reason', async () => {
    expect(await project.with('quick.yaml', '[5, 8, 10]', '[5, 8, 8]').said()).toEqual([
      'studies/quick.yaml:10 `looks` must rise: 8 comes after 8 | List the counts of seeds in rising order, for example [5, 8, 10].',
    ]);
    const many = project.with('quick.yaml', 'looks: [5, 8, 10]', 'fresh_seeds: [5, 1001]').with('contract.yaml', 'wall_hours: 2', 'wall_hours: 1000');
    expect(await many.said()).toEqual(['studies/quick.yaml:10 a look at 1001 seeds is beyond the most that is supported, 1000 | Use at most 1000 seeds; ten are usually enough.']);
    expect((await project.with('quick.yaml', '[5, 8, 10]', '[5], fresh_seeds: [5]').said())[0]).toMatch(/looks and fresh_seeds are the same thing: keep one/);
  });

  test('S4 noise seeds that a record could not keep exactly are refused', async () => {
    const last = project.with('quick.yaml', 'seed: 42', `seed: ${Number.MAX_SAFE_INTEGER}`);
    expect((await last.said())[0]).toMatch(/^studies\/quick\.yaml:2 the seeds of the noise stage count up from 9007199254740991 /);
    await project.with('quick.yaml', 'seed: 42', `seed: ${Number.MAX_SAFE_INTEGER - 2}`).load();
  });

  test('S14 the bundled runner refuses a device it cannot use', async () => {
    const cuda = project.with('quick.yaml', 'device: cpu', 'device: "cuda:0"').with('contract.yaml', 'devices: [cpu]', 'devices: [cpu, "cuda:0"]');
    expect(await cuda.refusal()).toMatchObject({ code: 'device_unsupported' });
    expect(await cuda.said()).toEqual(['studies/quick.yaml:2 the bundled runner of this version trains on `cpu` only, not on `cuda:0` | Write `device: cpu`.']);
  });
});

describe('contract', () => {
  test('S16 a gate without a value is not checked against, with a warning', async () => {
    const open = project.with('contract.yaml', 'budget: { status: draft, value: { wall_hours: 2, per_trial_s: 60 } }', 'budget: { status: missing, value: null }');
    expect(await open.warned()).toEqual(['contract.yaml:11 the gate `budget` has no value yet: the study was not checked against it | Give it one with `rlxp contract set budget`, then confirm it.']);
    await open.load();
  });

  test('S17 a candidate outside the scope is refused, naming the path', async () => {
    const outside = project.with('contract.yaml', 'env_cfg.shaping]', 'env_cfg.shaping.speed]');
    expect(await outside.refusal()).toMatchObject({ code: 'out_of_scope' });
    expect(await outside.said()).toEqual([
      "studies/quick.yaml:19 `shaped` changes `env_cfg.shaping.angle`, which is outside the contract's scope | Remove the setting, or add `env_cfg.shaping.angle` to `may_change` of the scope gate and confirm it again.",
    ]);
    const numEnvs = project.with('contract.yaml', 'num_envs, env_cfg', 'env_cfg');
    expect((await numEnvs.said())[0]).toMatch(/^studies\/quick.yaml:18 `envs16` changes `num_envs`, which is outside/);
  });

  test('S17 what must never change wins over what may', async () => {
    const never = project.with('contract.yaml', 'agent_cfg.agent.stream_offset', 'agent_cfg.models.hidden');
    expect(await never.said()).toEqual([
      'studies/quick.yaml:16 `wide` changes `agent_cfg.models.hidden`, which the contract says never changes (`agent_cfg.models.hidden`) | Remove the setting.',
    ]);
    const around = project.with('contract.yaml', 'agent_cfg.agent.stream_offset', 'env_cfg.shaping.angle.inner');
    expect((await around.said())[0]).toMatch(/`shaped` changes `env_cfg.shaping.angle`, which the contract says never changes/);
  });

  test('S18 a scope path that can match nothing is refused', async () => {
    expect((await project.with('contract.yaml', '[agent_cfg, num_envs', '[agent_cfg, agent.lr, num_envs').said())[0]).toBe(
      'contract.yaml:9 the scope path `agent.lr` can match no setting: paths start with `env_cfg`, `agent_cfg` or `num_envs` | Write `agent_cfg.agent.lr` or `env_cfg.agent.lr`.',
    );
  });

  test('S19 a study over budget is refused with the sum', async () => {
    const over = project.with('contract.yaml', 'wall_hours: 2', 'wall_hours: 0.5');
    expect(await over.refusal()).toMatchObject({ code: 'over_budget' });
    expect(await over.said()).toEqual([
      'studies/quick.yaml:4 the study can take 0.55 h: 16 trials of at most 60 s in 2 slots (0.13 h) and 0.42 h kept back for verify; the contract allows 0.5 h | Take fewer candidates or looks, lower `base.max_trial_s`, or raise the budget gate and confirm it again.',
    ]);
  });

  test('S20 evaluation and checkpoint rule are those that were confirmed', async () => {
    expect(await project.with('quick.yaml', 'seed: 7 }', 'seed: 8, deterministic: false }').said()).toEqual([
      "studies/quick.yaml:3 `eval.seed` is 8, but the contract's evaluation gate says 7 | Make both the same: every score must come from the evaluation that was confirmed.",
      "studies/quick.yaml:3 `eval.deterministic` is false, but the contract's evaluation gate says true | Make both the same: every score must come from the evaluation that was confirmed.",
    ]);
    expect(await project.with('quick.yaml', 'min_episodes: 20', 'min_episodes: 21').said()).toEqual([
      "studies/quick.yaml:3 `eval.episodes_per_env` is 3, but the contract's evaluation gate says 2 | Make both the same: every score must come from the evaluation that was confirmed.",
    ]);
    expect(await project.with('adapter.yaml', 'metrics:', 'checkpoints: { rule: best_by_canonical_eval }\nmetrics:').said()).toEqual([
      "adapter.yaml:2 `checkpoints.rule` is `best_by_canonical_eval`, but the contract's evaluation gate says `final` | Make both the same.",
      'adapter.yaml:2 the checkpoint rule `best_by_canonical_eval` is not available yet | Write `rule: final`.',
    ]);
  });

  test('S21 task, device and slots are within the contract', async () => {
    const other = project.with('contract.yaml', 'task: cartpole', 'task: pendulum').with('contract.yaml', 'devices: [cpu], max_parallel: 2', 'devices: ["cuda:0"], max_parallel: 1');
    expect(await other.said()).toEqual([
      'studies/quick.yaml:2 the study is for the task `cartpole`, but the contract is about `pendulum` | Name the task of the contract.',
      'studies/quick.yaml:2 the device `cpu` is not among those of the hardware gate (cuda:0) | Use one of them, or change the hardware gate and confirm it again.',
      'studies/quick.yaml:7 screen runs 2 trials at once, but the hardware gate allows 1 | Write `max_parallel: 1`, or change the hardware gate and confirm it again.',
    ]);
  });
});

describe('lints', () => {
  test('S22 more than one changed setting per candidate', async () => {
    expect(await project.with('quick.yaml', 'num_envs: 16 }', 'num_envs: 16, agent_cfg: { agent: { rollouts: 32 } } }').warned()).toEqual([
      'studies/quick.yaml:18 `envs16` changes 2 settings (`agent_cfg.agent.rollouts`, `num_envs`): which of them helped will stay unknown | Make one candidate per setting.',
    ]);
  });

  test('S23 fewer than 8 or more than 12 candidates', async () => {
    expect(await project.with('quick.yaml', '  - { name: envs16, num_envs: 16 }\n', '').warned()).toEqual(['studies/quick.yaml:11 7 candidates are few | Search with 8 to 12 candidates, the baseline included.']);
    const more = Array.from({ length: 5 }, (_, i) => `  - { name: e${i}, num_envs: ${24 + 8 * i} }\n`).join('');
    expect((await project.set('quick.yaml', goodStudy + more).warned())[0]).toMatch(/^studies\/quick.yaml:11 13 candidates are many/);
  });

  test('S24 rules and numbers that do nothing', async () => {
    const odd = project.with('quick.yaml', 'hang_s: 5', 'plateau: {}').with('quick.yaml', 'top_k: 3, timesteps: 16384', 'top_k: 9, timesteps: 8000');
    expect((await odd.warned()).map((line) => line.split(' | ')[0])).toEqual([
      'studies/quick.yaml:8 the plateau rule does nothing in screen: it ends refine trials only',
      'studies/quick.yaml:9 top_k is 9, but beside the baseline there are only 7 candidates',
      'studies/quick.yaml:9 refine trains for fewer timesteps than screen',
    ]);
  });

  test('S25 no looks', async () => {
    expect(await project.with('quick.yaml', '  verify: { looks: [5, 8, 10] }\n', '').warned()).toEqual([
      'studies/quick.yaml:4 no fresh seeds: the verdict can only say whether the result repeats, never that it is better | Add `looks: [5, 8, 10]` to `verify` if the budget allows.',
    ]);
  });

  test('S26 a screen shorter than one update', async () => {
    expect((await project.with('quick.yaml', 'num_envs: 16 }', 'num_envs: 256 }').warned())[0]).toBe(
      'studies/quick.yaml:18 `envs16` collects 16384 steps for one update, more than the 8192 timesteps of screen | Train longer, or lower `rollouts` or `num_envs`.',
    );
  });
});
