// Makes the one window and loads the page into it. Imported by start-desktop.ts and tests.
import type { BrowserWindow } from 'electron';
import type { Log } from '../ports.ts';
import type { ElectronParts } from './electron-parts.ts';
import type { IpcDoor } from './ipc-door.ts';
import { pageAddress } from './origin.ts';
import { makePreferences } from './web-preferences.ts';
import { smallest } from './window-place.ts';
import type { WindowPlace } from './window-place.ts';

/** The page's own background (ui/tokens.css), so that nothing flashes before it is painted. */
export const background = { light: '#f6f7f9', dark: '#14171c' } as const;
/** A page that crashes twice within this time is not loaded a third time. */
const crashLoopMs = 10_000;

export interface WindowOptions {
  readonly electron: Pick<ElectronParts, 'BrowserWindow' | 'dialog' | 'nativeTheme'>;
  readonly door: IpcDoor;
  readonly log: Log;
  readonly preload: string;
  readonly place: WindowPlace;
  readonly repository: string | null;
  nowMs(): number;
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const { electron, door, place } = options;
  const { isMaximized, ...bounds } = place;
  const window = new electron.BrowserWindow({
    ...bounds,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    title: 'rlxp Workbench',
    backgroundColor: electron.nativeTheme.shouldUseDarkColors ? background.dark : background.light,
    webPreferences: makePreferences(options.preload),
  });
  door.admit(window.webContents);
  if (isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  reloadAfterCrash(window, options);
  showRepository(window, options.repository, options.log);
  return window;
}

/** Only the fragment changes for a page that is loaded, so it stays and opens the other repository. */
export function showRepository(window: BrowserWindow, repository: string | null, log: Log): void {
  window.loadURL(pageAddress(repository)).catch((error: unknown) => log.fault(error));
}

function reloadAfterCrash(window: BrowserWindow, { electron, log, nowMs }: WindowOptions): void {
  let crashedMs = -Infinity;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.warn('the page crashed', { reason, exitCode });
    const isLoop = nowMs() - crashedMs < crashLoopMs;
    crashedMs = nowMs();
    if (!isLoop) window.webContents.reload();
    else electron.dialog.showErrorBox('The window keeps crashing', 'Campaigns run in processes of their own and go on. `rlxp campaign status` shows them in a terminal.');
  });
}
