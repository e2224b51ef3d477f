// The built window in a real Electron. Runs only where a binary, a display and a build are; says what is missing otherwise.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { home } from './sources.ts';

const missing = whatIsMissing();
if (missing !== null) console.log(`W2, W3, W4, W7, W18, W20 in Electron: not run, ${missing}`);

describe.skipIf(missing !== null)('the window in Electron', () => {
  it('W2, W3, W4, W18, W20: shows the page from app://ui, which has the bridge and nothing of Node', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rlxp-electron-'));
    const app = await _electron.launch({ executablePath: binary(), args: [join(home, 'out/main/electron.js'), `--user-data-dir=${folder}`], cwd: home });
    try {
      const page = await app.firstWindow();
      await page.getByRole('heading', { name: 'Open a repository' }).waitFor();
      expect(page.url()).toBe('app://ui/');
      expect(await page.evaluate('[typeof require, typeof process, typeof module, Object.keys(rlxp).join(), Object.isFrozen(rlxp)].join(" ")')).toBe('undefined undefined undefined call,open,cancel true');
      expect(await page.evaluate(`rlxp.call('1', 'repository_show', { root: '/nowhere' }).then((result) => result.refusal.code)`)).toBe('not_a_repository');
      expect(await page.evaluate(`fetch('https://example.com/').then(() => 'reached', () => 'stopped')`)).toBe('stopped');
    } finally {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Where npm's package keeps the binary after `npx install-electron`. */
function binary(): string {
  const packageFolder = join(home, 'node_modules/electron');
  const name = existsSync(join(packageFolder, 'path.txt')) ? readFileSync(join(packageFolder, 'path.txt'), 'utf8').trim() : 'electron';
  return join(packageFolder, 'dist', name);
}

function whatIsMissing(): string | null {
  if (!existsSync(binary())) return 'there is no Electron binary here (npx install-electron fetches it)';
  if (process.platform === 'linux' && process.env['DISPLAY'] === undefined && process.env['WAYLAND_DISPLAY'] === undefined) return 'there is no display here';
  return existsSync(join(home, 'out/main/electron.js')) ? null : 'the window is not built (npm run build)';
}
