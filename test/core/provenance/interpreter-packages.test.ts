import { describe, expect, it } from 'vitest';
import { makeFakeClock } from '../../fakes/fake-clock.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';
import { readInterpreterPackages } from '../../../src-main/core/provenance/interpreter-packages.ts';

async function disk(paths: readonly string[], config = 'home = /usr/bin\nversion = 3.11.7\n') {
  const files = makeFakeFiles(makeFakeClock());
  for (const path of paths) {
    await files.makeFolder(path.slice(0, path.lastIndexOf('/')));
    await files.replaceFile(path, path.endsWith('pyvenv.cfg') ? config : 'x');
  }
  return files;
}

const site = '/repo/.venv/lib/python3.11/site-packages';
const venv = ['/repo/.venv/bin/python', '/repo/.venv/pyvenv.cfg', `${site}/torch-2.13.0+cpu.dist-info/METADATA`, `${site}/stable_baselines3-2.9.2.dist-info/METADATA`, `${site}/torch/__init__.py`, `${site}/Old.Name-1.0.egg-info/PKG-INFO`];

describe('what is installed for an interpreter', () => {
  it('AD14: AD15: names and versions, from the folders of a virtual environment', async () => {
    const read = await readInterpreterPackages(await disk(venv), '/repo', ['.venv/bin/python']);
    expect(read).toEqual({ version: '3.11.7', packages: { 'old-name': '1.0', 'stable-baselines3': '2.9.2', torch: '2.13.0+cpu' } });
  });

  it('AD14: a conda environment by its own list', async () => {
    const files = await disk(['/envs/rl/bin/python', '/envs/rl/conda-meta/python-3.12.1-h1_0.json', '/envs/rl/conda-meta/ca-certificates-2026.1-h0_0.json', '/envs/rl/lib/python3.12/site-packages/gymnasium-1.2.3.dist-info/METADATA']);
    expect(await readInterpreterPackages(files, '/repo', ['/envs/rl/bin/python'])).toEqual({ version: '3.12.1', packages: { 'ca-certificates': '2026.1', python: '3.12.1', gymnasium: '1.2.3' } });
  });

  it('AD15: nothing is known of what would have to be run', async () => {
    const files = await disk(venv);
    for (const python of [undefined, ['python3'], ['uv', 'run', 'python'], ['conda', 'run', '-n', 'x', 'python'], ['./isaaclab.sh', '-p'], ['tools/python']]) {
      expect(await readInterpreterPackages(files, '/repo', python), String(python)).toBeNull();
    }
  });
});
