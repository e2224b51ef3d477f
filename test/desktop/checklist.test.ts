// Electron's security checklist, item by item, on a recorded stand-in and on the sources.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { respond } from '../../src-main/desktop/app-protocol.ts';
import { listBuiltFiles } from '../../src-main/desktop/built-files.ts';
import type { BuiltFiles } from '../../src-main/desktop/built-files.ts';
import { contentPolicy } from '../../src-main/desktop/content-policy.ts';
import { readFuses, wantedFuses } from '../../src-main/desktop/fuses.ts';
import { isOurs } from '../../src-main/desktop/origin.ts';
import { findAll, home, readShellSources } from './sources.ts';
import { startFake } from './started.ts';
import type { Started } from './started.ts';

const sources = readShellSources();
const shell = sources.filter(({ path }) => /^src-(main\/(desktop|electron)|preload|renderer)/.test(path));
let started: Started;

beforeAll(async () => {
  started = await startFake();
});

/** Addresses that are not ours, however much they look like it. */
const foreign = [
  'app://ui.evil/',
  'app://ui@evil/',
  'app://x@ui/',
  'app://ui:80/',
  'app://evil/',
  'app://UI.evil/',
  'app:ui',
  'apps://ui/',
  'https://ui/',
  'https://example.com/',
  'http://127.0.0.1:8080/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:app://ui/1',
  'about:blank',
  'view-source:app://ui/',
  'ms-msdt:/id',
  'smb://server/share',
  '\\\\server\\share',
  '',
];

describe('what is loaded', () => {
  it('W1: loads nothing but app://ui', () => {
    expect(started.electron.windows.map((window) => window.addresses)).toEqual([['app://ui/']]);
    expect(findAll(sources, /loadFile|setWindowOpenHandler\(\s*\(\)\s*=>\s*\(\{\s*action:\s*'allow'/)).toEqual([]);
    expect(findAll(shell, /https?:\/\//)).toEqual([]);
  });

  it('W1: cancels every request to elsewhere', () => {
    const filter = started.electron.only('onBeforeRequest') as (details: object, answer: (given: { cancel: boolean }) => void) => void;
    const isCancelled = (url: string, resourceType = 'xhr'): boolean => {
      let cancelled = false;
      filter({ url, resourceType }, (given) => (cancelled = given.cancel));
      return cancelled;
    };
    for (const url of foreign) expect(isCancelled(url), url).toBe(true);
    expect(isCancelled('wss://example.com/')).toBe(true);
    expect(isCancelled('data:image/png;base64,AAAA', 'script')).toBe(true);
    expect(isCancelled('data:image/png;base64,AAAA', 'image')).toBe(false);
    expect(isCancelled('app://ui/assets/index-1.js', 'script')).toBe(false);
  });

  it('W7: serves one exact policy', () => {
    expect(contentPolicy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    for (const path of ['/', '/nothing']) expect(respond({ method: 'GET', url: `app://ui${path}` }, new Map()).headers.get('Content-Security-Policy')).toBe(contentPolicy);
    expect(findAll(shell, /unsafe-inline|unsafe-eval|dangerouslySetInnerHTML|innerHTML|document\.write|executeJavaScript|insertCSS|bypassCSP/)).toEqual([]);
  });
});

describe('the closed list of files', () => {
  let folder: string;
  let files: BuiltFiles;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rlxp-files-'));
    mkdirSync(join(folder, 'page/assets'), { recursive: true });
    writeFileSync(join(folder, 'secret.html'), 'secret');
    writeFileSync(join(folder, 'page/index.html'), '<!doctype html>');
    writeFileSync(join(folder, 'page/assets/a.js'), 'export {};');
    writeFileSync(join(folder, 'page/assets/a.js.map'), '{}');
    symlinkSync(join(folder, 'secret.html'), join(folder, 'page/link.html'));
    files = listBuiltFiles(join(folder, 'page'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('W18: lists what was built, without maps and links', () => {
    expect([...files.keys()].sort()).toEqual(['/', '/assets/a.js', '/index.html']);
    expect(listBuiltFiles(join(folder, 'nothing')).size).toBe(0);
  });

  it('W18: serves a listed file with its type and nosniff', async () => {
    const response = respond({ method: 'GET', url: 'app://ui/assets/a.js#x' }, files);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(await response.text()).toBe('export {};');
    expect(await respond({ method: 'HEAD', url: 'app://ui/' }, files).text()).toBe('');
  });

  it.each([
    'app://ui/..%2f..%2fetc/passwd',
    'app://ui/..%2fsecret.html',
    'app://ui/%2e%2e/secret.html',
    'app://ui/../secret.html',
    'app://ui/..%5csecret.html',
    'app://ui/..\\secret.html',
    'app://ui/%252e%252e%252fsecret.html',
    'app://ui/index.html%00.js',
    'app://ui/index\u0000.html',
    'app://ui//index.html',
    'app://ui/INDEX.HTML',
    'app://ui/link.html',
    'app://ui/assets/a.js.map',
    'app://ui/assets',
    'app://ui/%61ssets/a.js',
    'app://ui/__proto__',
    ...foreign,
  ])('W18: answers 404 to %j', (url) => {
    expect(respond({ method: 'GET', url }, files).status).toBe(404);
  });

  it('W18: takes no other method, and nothing uses file: addresses', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect(respond({ method, url: 'app://ui/' }, files).status).toBe(405);
    expect(findAll(shell, /['"`]file:/)).toEqual([]);
    expect(started.electron.given('protocol.handle').map(([scheme]) => scheme)).toEqual(['app']);
    expect(started.electron.only('protocol.registerSchemesAsPrivileged')).toEqual([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }]);
  });
});

describe('what a page may be', () => {
  it('W2, W3, W4, W11: every window has these preferences and no others, frozen', () => {
    for (const [given] of started.electron.given('new BrowserWindow') as readonly (readonly [{ readonly webPreferences: object }])[]) {
      expect(given.webPreferences).toEqual({
        preload: '/app/out/preload/bridge.cjs',
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
      });
      expect(Object.isFrozen(given.webPreferences)).toBe(true);
    }
    expect(findAll(sources, /new (\w+\.)?(BrowserWindow|WebContentsView|BrowserView)\b/).map((place) => place.split(':')[0])).toEqual(['src-main/desktop/main-window.ts']);
  });

  it('W4: turns the sandbox on for all before Electron is ready, and off nowhere', () => {
    const { order } = started.electron;
    expect(order.indexOf('app.enableSandbox')).toBeGreaterThan(-1);
    expect(order.indexOf('app.enableSandbox')).toBeLessThan(order.indexOf('app.whenReady'));
    expect(findAll(sources, /no-sandbox|disable-setuid-sandbox|sandbox:\s*false|disable-web-security|remote-debugging|ELECTRON_DISABLE_SECURITY_WARNINGS|appendSwitch/)).toEqual([]);
  });

  it.each([
    ['W6: webSecurity', /webSecurity/],
    ['W8: allowRunningInsecureContent', /allowRunningInsecureContent/],
    ['W9: experimentalFeatures', /experimentalFeatures/],
    ['W10: Blink features', /enableBlinkFeatures|disableBlinkFeatures/],
  ])('%s is named nowhere', (_what, pattern) => {
    expect(findAll(sources, pattern)).toEqual([]);
  });

  it('W11: uses no webview', () => {
    expect(findAll(sources, /<webview|allowpopups|webviewTag:\s*true/)).toEqual([]);
  });

  it('W12: prevents a webview that is attached all the same', () => {
    expect(started.electron.makeContents().tries('will-attach-webview', '')).toBe(true);
  });

  it.each(['will-navigate', 'will-redirect', 'will-frame-navigate'])('W13: %s to elsewhere is prevented', (event) => {
    const contents = started.electron.makeContents();
    for (const url of foreign) expect(contents.tries(event, url), url).toBe(true);
    for (const url of ['app://ui/', 'app://ui/#open=%2Fr', 'app://ui/index.html']) expect(contents.tries(event, url), url).toBe(false);
  });

  it('W13: an address is ours only in every part', () => {
    for (const url of foreign) expect(isOurs(url), url).toBe(false);
    expect(isOurs('app://ui')).toBe(true);
    expect(new URL('app://ui/').origin).toBe('null');
  });

  it('W14: no page opens a window', () => {
    expect(started.electron.makeContents().openHandler?.()).toEqual({ action: 'deny' });
  });

  it('W15: nothing is handed to the system', () => {
    expect(findAll(sources, /openExternal\b|openPath\b|showItemInFolder\b/)).toEqual([]);
  });
});

describe('what a page may ask for', () => {
  const permissions = [
    'ar', 'automatic-fullscreen', 'background-fetch', 'background-sync', 'captured-surface-control', 'clipboard-read', 'clipboard-sanitized-write',
    'deprecated-sync-clipboard-read', 'display-capture', 'fileSystem', 'fullscreen', 'geolocation', 'geolocation-approximate', 'hand-tracking', 'hid',
    'idle-detection', 'keyboardLock', 'local-fonts', 'local-network', 'local-network-access', 'loopback-network', 'media', 'mediaKeySystem', 'midi',
    'midiSysex', 'nfc', 'notifications', 'openExternal', 'payment-handler', 'periodic-background-sync', 'persistent-storage', 'pointerLock',
    'screen-wake-lock', 'sensors', 'serial', 'smart-card', 'speaker-selection', 'storage-access', 'system-wake-lock', 'top-level-storage-access', 'usb',
    'vr', 'web-app-installation', 'web-printing', 'window-management', 'unknown',
  ];
  const granted = ['notifications', 'clipboard-sanitized-write'];

  it('W5: grants two permissions to our page and none to others', () => {
    const request = started.electron.only('setPermissionRequestHandler') as (contents: null, permission: string, answer: (is: boolean) => void, details: { requestingUrl: string }) => void;
    const check = started.electron.only('setPermissionCheckHandler') as (contents: null, permission: string, origin: string) => boolean;
    for (const permission of permissions) {
      for (const address of ['app://ui/', 'https://example.com/', 'app://ui.evil/', '']) {
        const expected = granted.includes(permission) && address === 'app://ui/';
        let answered: boolean | null = null;
        request(null, permission, (is) => (answered = is), { requestingUrl: address });
        expect(answered, `${permission} asked by ${address}`).toBe(expected);
        expect(check(null, permission, address), `${permission} checked by ${address}`).toBe(expected);
      }
    }
  });

  it('W5: denies devices, screen capture and downloads', () => {
    expect((started.electron.only('setDevicePermissionHandler') as () => boolean)()).toBe(false);
    expect(started.electron.only('setDisplayMediaRequestHandler')).toBeNull();
    let prevented = 0;
    (started.electron.only('session.on will-download') as (event: object) => void)({ preventDefault: () => (prevented += 1) });
    expect(prevented).toBe(1);
  });
});

describe('what Electron is', () => {
  const support = JSON.parse(readFileSync(join(home, 'src-main/desktop/electron-support.json'), 'utf8')) as { readonly oldestMajorWithFixes: number; readonly reviewed: string };

  it('W16: is pinned exactly, and its major still gets fixes', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { readonly devDependencies: Readonly<Record<string, string>> };
    const version = devDependencies['electron'] ?? '';
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Number(version.split('.')[0])).toBeGreaterThanOrEqual(support.oldestMajorWithFixes);
    const days = (Date.now() - Date.parse(support.reviewed)) / 86_400_000;
    if (days > 120) console.log(`W16: src-main/desktop/electron-support.json was reviewed ${Math.round(days)} days ago; look again which majors get fixes`);
  });

  it('W17: ipcMain is used in one file', () => {
    expect(new Set(findAll(sources, /ipcMain\.|MessageChannelMain/).map((place) => place.split(':')[0]))).toEqual(new Set(['src-main/desktop/ipc-door.ts']));
  });

  it('W19: its fuses are a written list', () => {
    expect(wantedFuses).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: true,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      LoadBrowserProcessSpecificV8Snapshot: false,
      GrantFileProtocolExtraPrivileges: false,
      WasmTrapHandlers: true,
    });
  });

  it('W19: its fuses are read from the wire in a binary', () => {
    const wire = (text: string): Uint8Array => Buffer.from(`ELF...dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009${text}...`, 'latin1');
    expect(readFuses(wire('010011001'))).toEqual(wantedFuses);
    expect(readFuses(wire('1r0011001'))).toMatchObject({ RunAsNode: true, EnableCookieEncryption: null });
    for (const bad of ['0100', '01001100x', '']) expect(() => readFuses(wire(bad))).toThrow('cannot be read');
    expect(() => readFuses(Buffer.from('ELF'))).toThrow('no fuse wire');
  });

  it('W20: the preload script imports two names of Electron and nothing else but its own file, and has one channel', () => {
    const preload = sources.filter(({ path }) => path.startsWith('src-preload/') && path.endsWith('.ts'));
    const imports = preload.flatMap(({ text }) => [...text.matchAll(/import\s+(.+?)\s+from\s+'([^']+)'/g)].map((found) => `${found[1] ?? ''} from ${found[2] ?? ''}`));
    expect(imports).toEqual(['{ contextBridge, ipcRenderer } from electron', '{ makeBridge } from ./make-bridge.ts']);
    expect(findAll(preload, /ipcRenderer\.(?!invoke\('rlxp:door', message\))/)).toEqual([]);
    expect(findAll(preload, /[a-z]+_[a-z]+/)).toEqual([]);
  });

  it('W21: only electron.ts takes the module; everything else names types', () => {
    const imports = sources.flatMap(({ path, text }) => [...text.matchAll(/import\s+(type\s+)?[^;]*?from\s+'electron'/g)].map((found) => ({ path, isType: found[1] !== undefined })));
    expect(imports.filter((one) => !one.isType).map((one) => one.path)).toEqual(['src-main/electron.ts', 'src-preload/bridge.ts']);
  });

  it('W27: the process of the window starts no Electron as Node and names no compute library', () => {
    expect(findAll(sources, /ELECTRON_RUN_AS_NODE|utilityProcess/)).toEqual([]);
    // Libraries of the runner's own process stand in package.json; a backend's name alone loads nothing.
    const beside = sources.filter(({ path }) => /^src-(main|preload|renderer|protocol)\//.test(path));
    expect(beside.length).toBeGreaterThan(100);
    expect(findAll(beside, /@tensorflow|onnxruntime/)).toEqual([]);
    const inWindow = sources.filter(({ path }) => path.startsWith('src-main/desktop/') || path === 'src-main/electron.ts');
    expect(findAll(inWindow, /child_process|src-runner/)).toEqual([]);
  });
});
