// What a schema found wrong, in words a person can act on.
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { contractFile } from '../../../src-protocol/files/contract.ts';
import { studyFile } from '../../../src-protocol/files/study.ts';
import { checkYaml } from '../../../src-main/core/workspace/read-file.ts';

const good = [
  'study: mystudy',
  'base: { task: mytask, seed: 42, num_envs: 64 }',
  'eval: { num_envs: 8, max_steps: 500, min_episodes: 20 }',
  'stages:',
  '  screen: { timesteps: 8000 }',
  '  refine: { timesteps: 24000 }',
  'candidates:',
  '  - { name: baseline }',
];

/** Problems of the good study with line `line` (1-based) replaced. */
function withLine(line: number, text: string): readonly string[] {
  const lines = [...good];
  lines[line - 1] = text;
  return said(lines.join('\n'), studyFile);
}

function said(text: string, schema: z.ZodType): readonly string[] {
  const reading = checkYaml(text, schema, 'f.yaml');
  if (reading.ok) return [];
  return (reading.refusal.problems ?? []).map(({ line, column, message, fix }) => `${line}:${column} ${message} | ${fix}`);
}

test('the good study is good', () => {
  expect(said(good.join('\n'), studyFile)).toEqual([]);
});

describe('unknown keys', () => {
  test('F10 an unknown key is named with its line and the nearest known key', () => {
    expect(withLine(2, 'base: { task: mytask, seed: 42, num_env: 64, num_envs: 4 }')).toEqual([
      '2:33 `num_env` is not a known key of `base` | Did you mean `num_envs`?',
    ]);
    expect(withLine(1, 'studdy: x')[0]).toMatch(/^1:1 `study` is missing/);
    expect(withLine(1, 'studdy: x')[1]).toBe('1:1 `studdy` is not a known key of this file | Did you mean `study`?');
    expect(withLine(5, '  screen: { timesteps: 8000, maxParallel: 2 }')).toEqual([
      '5:30 `maxParallel` is not a known key of `stages.screen` | Did you mean `max_parallel`?',
    ]);
  });

  test('F10 inside a choice the keys of the option that fits are the known ones', () => {
    expect(withLine(4, 'stages:\n  noise: { seed: 3 }')).toEqual(['5:12 `seed` is not a known key of `stages.noise` | Did you mean `seeds`?']);
  });

  test('F10 without a near key the known ones are listed', () => {
    expect(withLine(8, '  - { name: baseline, zzz: 1 }')).toEqual([
      '8:23 `zzz` is not a known key of `candidates[0]` | Remove it; the keys known here are `name`, `agent_cfg`, `env_cfg`, `num_envs`, `note`.',
    ]);
  });
});

describe('wrong and missing values', () => {
  test.each([
    [2, 'base: { task: mytask, num_envs: lots }', '2:33 `base.num_envs` must be a whole number above 0; it is the text "lots" | Write a whole number above 0.'],
    [2, 'base: { task: mytask, num_envs: 1.5 }', '2:33 `base.num_envs` must be a whole number above 0; it is 1.5 | Write a whole number above 0.'],
    [2, 'base: { task: mytask, num_envs: -4 }', '2:33 `base.num_envs` must be a whole number above 0; it is -4 | Write a whole number above 0.'],
    [2, 'base: { task: mytask, num_envs: 4, max_trial_s: -1 }', '2:49 `base.max_trial_s` must be a number above 0; it is -1 | Write a number above 0.'],
    [2, 'base: { task: mytask, num_envs: 4, backend: gpu }', '2:45 `base.backend` must be one of `plain`, `simd`, `simd-relaxed`, `auto`; it is the text "gpu" | Write one of `plain`, `simd`, `simd-relaxed`, `auto`.'],
    [2, 'base: { task: mytask, num_envs: 4, device: 3 }', '2:44 `base.device` must be text or a list of at least 1 item, each text; it is 3 | Write text or a list of at least 1 item, each text.'],
    [2, 'base: { task: mytask, num_envs: 4, max_trial_s: .nan }', '2:49 `base.max_trial_s` must be a finite number; it is `.nan` | Write a finite number.'],
    [1, 'study: My Study', '1:8 `study` must be a name in lowercase letters, digits, `-` and `_` (at most 64, starting with a letter or digit); it is the text "My Study" | Write a name in lowercase letters, digits, `-` and `_` (at most 64, starting with a letter or digit).'],
    [6, '  refine: {}', '6:3 `stages.refine.timesteps` is missing | Add `timesteps:` with a whole number above 0.'],
    [6, '', '4:1 `stages.refine` is missing | Add `refine:` with a map with `timesteps`.'],
    [3, 'eval: { num_envs: 8, max_steps: 500 }', '3:1 `eval`: give exactly one of episodes_per_env and min_episodes | Give exactly one of episodes_per_env and min_episodes.'],
    [4, 'stages:\n  noise: maybe', '5:10 `stages.noise` must be `off` or a map; it is the text "maybe" | Write `off` or a map.'],
    [4, 'stages:\n  noise: { seeds: 1 }', '5:19 `stages.noise.seeds` must be a whole number of at least 2; it is 1 | Write a whole number of at least 2.'],
  ])('F11 line %i as %j', (line, text, message) => {
    expect(withLine(line, text)).toEqual([message]);
  });

  test('F11 an empty file and a list in place of a map', () => {
    expect(said('', studyFile)).toEqual(['1:1 the file is empty | Write a map with `study`, `base`, `eval`, `stages`, `candidates`.']);
    expect(said('- a', studyFile)[0]).toMatch(/^1:1 the file must be a map with .*; it is a list/);
  });

  test('F11 a negative budget is named in the contract', () => {
    const gates = ['task', 'metric', 'scope', 'hardware', 'baseline', 'evaluation', 'experiment'].map((gate) => `  ${gate}: { status: missing, value: null }`);
    const text = `schema: 1\nproject: p\ngates:\n${gates.join('\n')}\n  budget: { status: draft, value: { wall_hours: -1, per_trial_s: 0 } }\n`;
    expect(said(text, contractFile)).toEqual([
      '11:49 `gates.budget.value.wall_hours` must be a number above 0; it is -1 | Write a number above 0.',
      '11:66 `gates.budget.value.per_trial_s` must be a number above 0; it is 0 | Write a number above 0.',
    ]);
  });

  test('F12 all problems of a file come together', () => {
    const text = 'study: A\nbase: { task: t, num_envs: x, extra: 1 }\neval: 3\nstages: { screen: { timesteps: 0 }, refine: { timesteps: 1 } }\ncandidates: []\n';
    expect(said(text, studyFile)).toHaveLength(6);
  });
});

test('F14 a file of a newer schema is not judged by ours', () => {
  const reading = checkYaml('schema: 2\nproject: p\nprogram: { name: rlxp-workbench, version: 9.1.0 }\nnew_things: []\n', contractFile, 'f.yaml');
  expect(reading).toMatchObject({ ok: false, refusal: { code: 'newer_schema', message: 'f.yaml has schema 2, made by rlxp-workbench 9.1.0; this program reads schema 1 at most.' } });
});
