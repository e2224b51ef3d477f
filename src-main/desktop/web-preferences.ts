// What the page may do: nothing beyond a plain web page and the bridge. Imported by main-window.ts and tests.
// webSecurity, allowRunningInsecureContent, experimentalFeatures and the blink switches keep their safe defaults by not being named.

export interface PagePreferences {
  readonly preload: string;
  readonly contextIsolation: true;
  readonly sandbox: true;
  readonly nodeIntegration: false;
  readonly nodeIntegrationInWorker: false;
  readonly nodeIntegrationInSubFrames: false;
  readonly webviewTag: false;
  readonly navigateOnDragDrop: false;
  readonly spellcheck: false;
}

export function makePreferences(preload: string): PagePreferences {
  return Object.freeze({
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    /** Its dictionaries would come over the network. */
    spellcheck: false,
  });
}
