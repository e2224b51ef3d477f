// Keeps every page where it is: no other address, no other window, no webview. Imported by start-desktop.ts and tests.
import type { ElectronParts } from './electron-parts.ts';
import { isOurs } from './origin.ts';

interface Navigation {
  readonly url: string;
  preventDefault(): void;
}

/** For every page there will ever be. Must run before the first window is made. */
export function guardContents({ app }: Pick<ElectronParts, 'app'>): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', stayHere);
    contents.on('will-redirect', stayHere);
    contents.on('will-frame-navigate', stayHere);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

function stayHere(navigation: Navigation): void {
  if (!isOurs(navigation.url)) navigation.preventDefault();
}
