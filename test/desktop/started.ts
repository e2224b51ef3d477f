// The desktop started on a recorded Electron, with a built page in a folder of its own. Imported by tests of this folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDesktop } from '../../src-main/desktop/start-desktop.ts';
import { makeScene } from '../conformance/doors/scene.ts';
import type { Scene } from '../conformance/doors/scene.ts';
import { makeFakeElectron } from './fake-electron.ts';
import type { FakeElectron, FakeOptions } from './fake-electron.ts';

export interface Started {
  readonly electron: FakeElectron;
  readonly scene: Scene;
  /** How often the workbench was shut down. */
  shutdowns(): number;
}

export interface StartOptions extends FakeOptions {
  readonly argv?: readonly string[];
  readonly isBuilt?: boolean;
  readonly platform?: NodeJS.Platform;
  /** Runs before Electron is ready. */
  readonly prepare?: (started: Started) => void;
}

export async function startFake(options: StartOptions = {}): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'rlxp-page-'));
  try {
    if (options.isBuilt !== false) {
      mkdirSync(join(folder, 'assets'));
      writeFileSync(join(folder, 'index.html'), '<!doctype html>');
      writeFileSync(join(folder, 'assets/index-1.js'), 'export {};');
      writeFileSync(join(folder, 'assets/index-1.js.map'), '{}');
    }
    const electron = makeFakeElectron(options);
    const scene = makeScene();
    let shutdowns = 0;
    const started: Started = { electron, scene, shutdowns: () => shutdowns };
    options.prepare?.(started);
    startDesktop({
      electron: electron.parts,
      workbench: { dispatch: scene.dispatch, shutdown: () => void (shutdowns += 1) },
      ports: scene.ports,
      pageFolder: folder,
      preload: '/app/out/preload/bridge.cjs',
      argv: options.argv ?? ['electron', 'out/main/electron.js'],
      cwd: '/home/ada',
      platform: options.platform ?? 'linux',
    });
    await electron.ready();
    return started;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
