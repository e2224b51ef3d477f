// A recorded stand-in for the parts of Electron that the window uses: it notes what is called, in order, and lets a test play the browser.
import { EventEmitter } from 'node:events';
import type { BrowserWindow, WebContents } from 'electron';
import type { ElectronParts } from '../../src-main/desktop/electron-parts.ts';

type Listener = (...given: never[]) => unknown;

export interface FakeOptions {
  readonly isPackaged?: boolean;
  readonly isFirst?: boolean;
  readonly displays?: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[];
  /** What the person picks in the folder dialog. */
  readonly picks?: readonly string[];
}

export class FakeContents extends EventEmitter {
  readonly id: number;
  readonly mainFrame: FakeFrame;
  reloads = 0;
  openHandler: (() => { readonly action: string }) | null = null;

  constructor(id: number) {
    super();
    this.id = id;
    this.mainFrame = new FakeFrame();
  }

  setWindowOpenHandler(handler: () => { readonly action: string }): void {
    this.openHandler = handler;
  }

  reload(): void {
    this.reloads += 1;
  }

  /** What the page's listeners did with an attempt to go somewhere: whether it was prevented. */
  tries(event: string, url: string): boolean {
    let isPrevented = false;
    this.emit(event, { url, preventDefault: () => (isPrevented = true) });
    return isPrevented;
  }
}

export class FakeFrame {
  origin = 'app://ui';
  parent: FakeFrame | null = null;
  detached = false;
  isGone = false;

  isDestroyed(): boolean {
    return this.isGone;
  }
}

export class FakeWindow extends EventEmitter {
  readonly options: Readonly<Record<string, unknown>>;
  readonly webContents: FakeContents;
  readonly addresses: string[] = [];
  bounds = { x: 10, y: 20, width: 1200, height: 800 };
  isShown = false;
  focused = 0;
  maximized = false;
  minimized = false;

  constructor(options: Readonly<Record<string, unknown>>, contents: FakeContents) {
    super();
    this.options = options;
    this.webContents = contents;
  }

  loadURL(address: string): Promise<void> {
    this.addresses.push(address);
    return Promise.resolve();
  }

  show(): void {
    this.isShown = true;
  }

  focus(): void {
    this.focused += 1;
  }

  maximize(): void {
    this.maximized = true;
  }

  restore(): void {
    this.minimized = false;
  }

  isMinimized = (): boolean => this.minimized;
  isMaximized = (): boolean => this.maximized;
  isDestroyed = (): boolean => false;
  getNormalBounds = (): FakeWindow['bounds'] => this.bounds;
}

export interface FakeElectron {
  readonly parts: ElectronParts;
  readonly app: EventEmitter;
  readonly windows: readonly FakeWindow[];
  /** Calls whose order matters, as `app.enableSandbox`. */
  readonly order: readonly string[];
  /** What was handed to calls of one name, in order. */
  given(name: string): readonly (readonly unknown[])[];
  /** The one argument of the one call of a name. */
  only(name: string): unknown;
  ready(): Promise<void>;
  makeContents(): FakeContents & WebContents;
  /** Sends a message to the handlers of ipcMain as Electron does: by structured copies. */
  send(contents: FakeContents, message: unknown, frame?: FakeFrame | null): Promise<unknown>;
}

export function makeFakeElectron(options: FakeOptions = {}): FakeElectron {
  const calls: { readonly name: string; readonly given: readonly unknown[] }[] = [];
  const windows: FakeWindow[] = [];
  const handlers = new Map<string, (event: unknown, message: unknown) => unknown>();
  const app = new EventEmitter();
  let makeReady = (): void => undefined;
  const isReady = new Promise<void>((resolve) => (makeReady = resolve));
  let lastId = 0;

  const note =
    <Result>(name: string, result: Result) =>
    (...given: readonly unknown[]): Result => {
      calls.push({ name, given });
      return result;
    };

  function makeContents(): FakeContents & WebContents {
    const contents = new FakeContents((lastId += 1));
    app.emit('web-contents-created', {}, contents);
    return contents as unknown as FakeContents & WebContents;
  }

  class RecordedWindow extends FakeWindow {
    constructor(given: Readonly<Record<string, unknown>>) {
      super(given, makeContents());
      calls.push({ name: 'new BrowserWindow', given: [given] });
      windows.push(this);
    }
  }

  const parts = {
    app: Object.assign(app, {
      isPackaged: options.isPackaged ?? false,
      enableSandbox: note('app.enableSandbox', undefined),
      requestSingleInstanceLock: note('app.requestSingleInstanceLock', options.isFirst ?? true),
      whenReady() {
        calls.push({ name: 'app.whenReady', given: [] });
        return isReady;
      },
      quit: note('app.quit', undefined),
      exit: note('app.exit', undefined),
      getPath: (name: string) => `/electron/${name}`,
    }),
    BrowserWindow: RecordedWindow as unknown as typeof BrowserWindow,
    dialog: {
      showErrorBox: note('dialog.showErrorBox', undefined),
      showOpenDialog: note('dialog.showOpenDialog', Promise.resolve({ canceled: options.picks === undefined, filePaths: options.picks ?? [] })),
    },
    ipcMain: {
      handle: (channel: string, handler: (event: unknown, message: unknown) => unknown) => void handlers.set(channel, handler),
      removeHandler: (channel: string) => void handlers.delete(channel),
    },
    Menu: { buildFromTemplate: (template: unknown) => template, setApplicationMenu: note('Menu.setApplicationMenu', undefined) },
    nativeTheme: { shouldUseDarkColors: false },
    protocol: { registerSchemesAsPrivileged: note('protocol.registerSchemesAsPrivileged', undefined) },
    screen: { getAllDisplays: () => (options.displays ?? [{ x: 0, y: 0, width: 1920, height: 1080 }]).map((workArea) => ({ workArea })) },
    session: {
      defaultSession: {
        protocol: { handle: note('protocol.handle', undefined) },
        setPermissionRequestHandler: note('setPermissionRequestHandler', undefined),
        setPermissionCheckHandler: note('setPermissionCheckHandler', undefined),
        setDevicePermissionHandler: note('setDevicePermissionHandler', undefined),
        setDisplayMediaRequestHandler: note('setDisplayMediaRequestHandler', undefined),
        webRequest: { onBeforeRequest: note('onBeforeRequest', undefined) },
        on: (event: string, listener: Listener) => void calls.push({ name: `session.on ${event}`, given: [listener] }),
      },
    },
  } as unknown as ElectronParts;

  const given = (name: string): readonly (readonly unknown[])[] => calls.filter((call) => call.name === name).map((call) => call.given);

  return {
    parts,
    app,
    windows,
    get order() {
      return calls.map((call) => call.name);
    },
    given,
    only(name) {
      const all = given(name);
      if (all.length !== 1) throw new Error(`${name} was called ${all.length} times`);
      return all[0]?.at(-1);
    },
    async ready() {
      makeReady();
      await new Promise((resolve) => setTimeout(resolve, 20));
    },
    makeContents,
    async send(contents, message, frame = contents.mainFrame) {
      const handler = handlers.get('rlxp:door');
      if (handler === undefined) throw new Error('no handler');
      return structuredClone(await handler({ sender: contents, senderFrame: frame }, structuredClone(message)));
    },
  };
}
