// `npm run build`: the engine always, the window when its sources are there.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.mjs';
import { runChild } from './child.mjs';
import { buildEngine } from './ensure-ready.mjs';
import { home } from './sources.mjs';

mkdirSync(join(home, 'out'), { recursive: true });
await withBuildLock(join(home, 'out/.lock'), buildEngine);
if (existsSync(join(home, 'src-main/electron.ts'))) {
  const electronVite = join(home, 'node_modules/electron-vite/bin/electron-vite.js');
  const { code } = await runChild(process.execPath, [electronVite, 'build'], { cwd: home });
  process.exitCode = code;
}
