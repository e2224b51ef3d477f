import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeFakeNode } from '../../fakes/fake-small-ports.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';
import { makeFakeClock } from '../../fakes/fake-clock.ts';
import { adapterFile, placeholderNames } from '../../../src-protocol/files/adapter.ts';
import { profileFile, type ProfileFile } from '../../../src-protocol/files/profile.ts';
import { primaryRewardKey } from '../../../src-main/core/metrics/tag-match.ts';
import { readAdapter, tryAdapter } from '../../../src-main/core/workspace/read-adapter.ts';
import { readYamlFile } from '../../../src-main/core/workspace/read-file.ts';
import { profilesFolder } from '../../../src-main/core/workspace/resources.ts';

const shipped = fileURLToPath(new URL('../../../resources', import.meta.url));
const node = makeFakeNode();
const names = readdirSync(join(shipped, 'profiles')).map((name) => name.replace(/\.yaml$/, ''));

const made = `profile: made-up
about: for the tests
asks: { train: 'Write a command.' }
adapter:
  framework: command
  evaluate: [play.py, '{trial_json}']
  config: { via: flags }
  metrics: { their/return: { meaning: reward }, their/loss: { meaning: loss } }
  logs: ['runs/**']
  flush_s: 30
`;

async function project(adapter: string) {
  const files = makeFakeFiles(makeFakeClock());
  const folder = profilesFolder(node);
  await files.makeFolder(folder);
  await files.makeFolder('/repo/.rlxp');
  for (const name of names) await files.replaceFile(join(folder, `${name}.yaml`), readFileSync(join(shipped, 'profiles', `${name}.yaml`), 'utf8'));
  await files.replaceFile(join(folder, 'made-up.yaml'), made);
  await files.replaceFile('/repo/.rlxp/adapter.yaml', adapter);
  return { files, node, root: '/repo' };
}

async function said(adapter: string): Promise<readonly string[]> {
  const reading = await tryAdapter(await project(adapter));
  if (reading.ok) throw new Error('the adapter was read');
  return (reading.refusal.problems ?? []).map((one) => `${one.file}:${one.line} ${one.message} | ${one.fix}`);
}

describe('an adapter with a profile', () => {
  it('AD1: has the keys of both, its own winning, maps merged key by key', async () => {
    const { value } = await readAdapter(await project('profile: made-up\ntrain: [go.py]\nlogs: [out/*]\nconfig: { booleans: switch }\nmetrics: { their/loss: { meaning: other } }\n'));
    expect(value).toEqual(
      adapterFile.parse({
        profile: 'made-up',
        framework: 'command',
        train: ['go.py'],
        evaluate: ['play.py', '{trial_json}'],
        config: { via: 'flags', booleans: 'switch' },
        metrics: { 'their/return': { meaning: 'reward' }, 'their/loss': { meaning: 'other' } },
        logs: ['out/*'],
        flush_s: 30,
      }),
    );
    const alone = await readAdapter(await project('framework: bundled\nmetrics: {}\n'));
    expect(alone.value).toEqual(adapterFile.parse({ framework: 'bundled', metrics: {} }));
  });

  it('AD2: takes its own tag for the reward', async () => {
    const own = await readAdapter(await project('profile: made-up\ntrain: [go.py]\nmetrics: { mine/score: { meaning: reward } }\n'));
    expect([Object.keys(own.value.metrics), primaryRewardKey(own.value)]).toEqual([['mine/score', 'their/return', 'their/loss'], 'mine/score']);
    const theirs = await readAdapter(await project('profile: made-up\ntrain: [go.py]\n'));
    expect(primaryRewardKey(theirs.value)).toBe('their/return');
  });

  it('AD3: names a profile that exists', async () => {
    expect(await said('# mine\nprofile: made-upp\n')).toEqual(['.rlxp/adapter.yaml:2 there is no profile `made-upp` | Did you mean `made-up`?']);
    expect(await said('profile: zzz\n')).toEqual([`.rlxp/adapter.yaml:1 there is no profile \`zzz\` | The profiles are ${[...names, 'made-up'].sort().join(', ')}; without one, write the keys yourself.`]);
  });

  it('AD4: says itself what the profile asks for', async () => {
    expect(await said('python: [python3]\nprofile: made-up\n')).toEqual(['.rlxp/adapter.yaml:2 with the profile `made-up` this file has to say `train` itself | Write a command.']);
  });

  it('AD5: is told what is wrong by its own lines, all at once', async () => {
    const problems = await said('profile: made-up\nlogss: [a]\nconfig:\n  via: letters\n');
    expect(problems.map((one) => one.replace(/ .*/, ''))).toEqual(['.rlxp/adapter.yaml:4', '.rlxp/adapter.yaml:2', '.rlxp/adapter.yaml:1']);
    expect(problems.join('\n')).toContain('Did you mean `logs`?');
    expect(await said('- profile: made-up\n')).toHaveLength(1);
    expect(await said('a: [\n')).toHaveLength(1);
  });
});

describe('the profiles that are shipped', () => {
  it.each(names)('AD6: %s fits its schema and is whole once what it asks for is said', async (name) => {
    const place = await project('');
    const { value: profile } = await readYamlFile(place.files, join(profilesFolder(node), `${name}.yaml`), profileFile);
    expect(profile.profile).toBe(name);
    for (const key of Object.keys(profile.asks)) expect(Object.keys(adapterFile.shape), key).toContain(key);
    const { value } = await readAdapter(await project(`profile: ${name}\npython: [python3]\n${answers(profile)}`));
    expect(primaryRewardKey(value), 'a reward on the axis of timesteps').not.toBeNull();
    const known: readonly string[] = [...placeholderNames, 'settings'];
    for (const argument of [...(value.train ?? []), ...(value.evaluate ?? [])]) {
      for (const [, word = ''] of argument.matchAll(/\{([a-z_]+)\}/g)) expect(known, argument).toContain(word);
      const edge = /^\{edges\}\/(.+)$/.exec(argument)?.[1];
      if (edge !== undefined) expect(readdirSync(join(shipped, 'edges'))).toContain(edge);
    }
  });
});

/** What the profile's own words propose. */
function answers(profile: ProfileFile): string {
  return Object.entries(profile.asks)
    .map(([key, words]) => {
      const list = /`(\[.*?\])`/.exec(words)?.[1];
      return `${key}: ${list ?? 'none'}\n`;
    })
    .join('');
}
