// `npm run test:gpu`: says honestly that there is nothing to run on, or runs test/gpu.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ensureReady } from './ensure-ready.mjs';
import { home } from './sources.mjs';

const gpus = await listGpus();
if (gpus === '') {
  process.stdout.write('not run: no GPU on this machine (nvidia-smi lists none)\n');
} else if (!existsSync(join(home, 'test/gpu'))) {
  process.stdout.write(`not run: there are no GPU tests yet (this machine has: ${gpus})\n`);
} else {
  await ensureReady();
  const { code } = await runChild(process.execPath, [join(home, 'node_modules/vitest/vitest.mjs'), 'run', 'test/gpu/'], { cwd: home });
  process.exitCode = code;
}

async function listGpus() {
  try {
    const { code, text } = await runChild('nvidia-smi', ['--query-gpu=name', '--format=csv,noheader'], { output: 'collect' });
    return code === 0 ? text.trim().split('\n').join(', ') : '';
  } catch {
    return ''; // no nvidia-smi
  }
}
