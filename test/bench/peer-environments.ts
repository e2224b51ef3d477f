// Where other people's programs run: folders outside the repository, made once from pinned versions. Imported by bench.ts only.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { npmCommand } from '../../scripts/child.mjs';
import { madeOnce, must, pythonEnvironment, pythonIn } from '../../scripts/python-environment.mjs';
import { NotRun } from './bench-part.ts';
import type { Bench } from './bench-part.ts';

export interface PeerOptions {
  readonly home: string;
  /** Folder in which environments are kept from run to run. */
  readonly cache: string;
  readonly say: (text: string) => void;
}

export function makePeerEnvironments({ home, cache, say }: PeerOptions): Pick<Bench, 'python' | 'nodePackages'> {
  return {
    async python(requirements) {
      const path = join(home, requirements);
      const asked = process.env['RLXP_BENCH_PYTHON'];
      return pythonIn(await orNotRun(() => pythonEnvironment({ name: 'bench', requirements: path, cache, asked, asking: 'RLXP_BENCH_PYTHON', size: 'up to 2 GB', say })));
    },
    async nodePackages(folder) {
      const files = ['package.json', 'package-lock.json'];
      const hash = createHash('sha256');
      for (const file of files) hash.update(readFileSync(join(home, folder, file)));
      hash.update(`${process.versions.modules} ${process.platform} ${process.arch}`);
      const place = join(cache, `bench-${basename(folder)}-${hash.digest('hex').slice(0, 12)}`);
      return orNotRun(() =>
        madeOnce({ folder: place, say }, async (made) => {
          say(`making ${made} with npm ci, once`);
          mkdirSync(made, { recursive: true });
          for (const file of files) copyFileSync(join(home, folder, file), join(made, file));
          await must([npmCommand(), 'ci', '--loglevel=error'], `the packages of ${folder} could not be installed: is a package registry within reach?`, { cwd: made });
        }),
      );
    },
  };
}

async function orNotRun(make: () => Promise<string>): Promise<string> {
  try {
    return await make();
  } catch (error) {
    throw new NotRun(error instanceof Error ? error.message : String(error));
  }
}
