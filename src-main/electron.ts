// The desktop program: ports, workbench, window. Nothing here waits: Electron is not ready yet.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, protocol, screen, session } from 'electron';
import { makeSystemPorts } from './adapters/system-ports.ts';
import { startDesktop } from './desktop/start-desktop.ts';
import { makeWorkbench } from './workbench.ts';

/** out/main: the page and the preload script are built beside it. */
const here = dirname(fileURLToPath(import.meta.url));
const ports = makeSystemPorts({ entryUrl: import.meta.url });

startDesktop({
  electron: { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, protocol, screen, session },
  workbench: makeWorkbench(ports),
  ports,
  pageFolder: join(here, '../renderer'),
  preload: join(here, '../preload/bridge.cjs'),
  argv: process.argv,
  cwd: process.cwd(),
  platform: process.platform,
});
