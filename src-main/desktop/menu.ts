// The menu, as small as it can be: open a repository, and what every program has. Imported by start-desktop.ts and tests.
import type { MenuItemConstructorOptions } from 'electron';
import type { ElectronParts } from './electron-parts.ts';

export interface MenuOptions {
  readonly isMac: boolean;
  /** Developer tools stay out of the packaged program's menu. */
  readonly isPackaged: boolean;
  onOpenRepository(): void;
}

export function setMenu({ Menu }: Pick<ElectronParts, 'Menu'>, options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}

export function menuTemplate({ isMac, isPackaged, onOpenRepository }: MenuOptions): MenuItemConstructorOptions[] {
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'Open Repository…', accelerator: 'CmdOrCtrl+O', click: () => onOpenRepository() },
        { type: 'separator' },
        { role: isMac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(isPackaged ? [] : [{ type: 'separator' } as const, { role: 'reload' } as const, { role: 'toggleDevTools' } as const]),
      ],
    },
    { role: 'windowMenu' },
  ];
}
