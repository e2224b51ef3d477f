// The parts of Electron that the window uses, as one object that electron.ts hands in; tests hand in a recorded fake. Imported by this folder, electron.ts and tests.
import type * as Electron from 'electron';

export interface ElectronParts {
  readonly app: Electron.App;
  readonly BrowserWindow: typeof Electron.BrowserWindow;
  readonly dialog: Electron.Dialog;
  readonly ipcMain: Electron.IpcMain;
  readonly Menu: typeof Electron.Menu;
  readonly nativeTheme: Electron.NativeTheme;
  readonly protocol: Electron.Protocol;
  readonly screen: Electron.Screen;
  readonly session: typeof Electron.session;
}
