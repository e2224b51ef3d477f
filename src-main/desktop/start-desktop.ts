// Starts the window: what must come before Electron is ready, the window, and the end. Imported by electron.ts and tests.
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import type { Ports } from '../ports.ts';
import { makeInProcessDoor } from '../serve/in-process.ts';
import type { Workbench } from '../workbench.ts';
import { declareScheme, serveApp } from './app-protocol.ts';
import { listBuiltFiles } from './built-files.ts';
import { guardContents } from './contents-guards.ts';
import type { ElectronParts } from './electron-parts.ts';
import { openIpcDoor } from './ipc-door.ts';
import type { IpcDoor } from './ipc-door.ts';
import { openWindow, showRepository } from './main-window.ts';
import { setMenu } from './menu.ts';
import { repositoryArgument } from './repository-argument.ts';
import { guardSession } from './session-guards.ts';
import { keepWindowPlace } from './window-place.ts';
import type { WindowPlaces } from './window-place.ts';

export interface DesktopOptions {
  readonly electron: ElectronParts;
  readonly workbench: Workbench;
  readonly ports: Pick<Ports, 'files' | 'log' | 'machine' | 'clock'>;
  /** Folder of the built page, and the built preload script; absolute. */
  readonly pageFolder: string;
  readonly preload: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

export function startDesktop(options: DesktopOptions): void {
  const { electron, ports } = options;
  const { app } = electron;
  const asked = repositoryArgument(options.argv, { isPackaged: app.isPackaged, cwd: options.cwd });
  // The one instance that runs opens what this start was asked to open.
  if (!app.requestSingleInstanceLock({ open: asked })) {
    app.quit();
    return;
  }
  app.enableSandbox();
  declareScheme(electron);
  guardContents(electron);
  app
    .whenReady()
    .then(() => run(options, asked))
    .catch((error: unknown) => {
      const id = ports.log.fault(error);
      electron.dialog.showErrorBox('rlxp Workbench could not start', `Something went wrong; the log holds the details under ${id}.`);
      app.exit(1);
    });
}

async function run(options: DesktopOptions, asked: string | null): Promise<void> {
  const { electron, workbench, ports } = options;
  const { app } = electron;
  const files = listBuiltFiles(options.pageFolder);
  if (!files.has('/')) {
    electron.dialog.showErrorBox('The window is not built', 'Run `npm run build` first.');
    app.exit(1);
    return;
  }
  serveApp(electron, files);
  guardSession(electron);
  const door = openIpcDoor(electron, makeInProcessDoor(workbench.dispatch, { kind: 'window', by: ports.machine.userName(), typed: null }), ports.log);
  const places = keepWindowPlace({ electron, files: ports.files, log: ports.log, path: join(app.getPath('userData'), 'window.json') });
  const shell = makeShell(options, door, places);
  setMenu(electron, { isMac: options.platform === 'darwin', isPackaged: app.isPackaged, onOpenRepository: () => void shell.choose() });
  app.on('second-instance', (_event, _argv, _cwd, given) => void shell.show(openOf(given)));
  app.on('activate', () => void shell.show(null));
  app.on('window-all-closed', () => void (options.platform === 'darwin' ? undefined : app.quit()));
  endInOrder(app, places, () => {
    door.close();
    workbench.shutdown();
  });
  await shell.show(asked);
}

interface Shell {
  /** Brings the window to the front, making it when there is none, and opens a repository if one is named. */
  show(repository: string | null): Promise<void>;
  /** Asks the person for a folder. */
  choose(): Promise<void>;
}

function makeShell({ electron, ports, preload }: DesktopOptions, door: IpcDoor, places: WindowPlaces): Shell {
  let window: BrowserWindow | null = null;
  let opening: Promise<void> | null = null;

  async function make(repository: string | null): Promise<void> {
    const place = await places.read();
    const made = openWindow({ electron, door, log: ports.log, preload, place, repository, nowMs: () => ports.clock.monotonicMs() });
    places.follow(made);
    made.on('closed', () => {
      if (window === made) window = null;
    });
    window = made;
  }

  async function show(repository: string | null): Promise<void> {
    while (opening !== null) await opening;
    if (window === null) {
      opening = make(repository).finally(() => {
        opening = null;
      });
      await opening;
      return;
    }
    if (window.isMinimized()) window.restore();
    window.focus();
    if (repository !== null) showRepository(window, repository, ports.log);
  }

  return {
    show,
    async choose() {
      const { canceled, filePaths } = await electron.dialog.showOpenDialog({ title: 'Open a repository', properties: ['openDirectory'] });
      const [folder] = filePaths;
      if (!canceled && folder !== undefined) await show(folder);
    },
  };
}

/** Nothing is lost by quitting: the place of the window is on disk first, and campaigns run in processes of their own. */
function endInOrder(app: ElectronParts['app'], places: WindowPlaces, end: () => void): void {
  let isSettled = false;
  app.on('will-quit', (event) => {
    if (isSettled) return;
    event.preventDefault();
    end();
    void places.settled().finally(() => {
      isSettled = true;
      app.quit();
    });
  });
}

/** What another start hands over; it may be another version of us. */
function openOf(given: unknown): string | null {
  return typeof given === 'object' && given !== null && 'open' in given && typeof given.open === 'string' ? given.open : null;
}
