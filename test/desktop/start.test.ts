import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { background } from '../../src-main/desktop/main-window.ts';
import { repositoryArgument } from '../../src-main/desktop/repository-argument.ts';
import type { FakeWindow } from './fake-electron.ts';
import { startFake } from './started.ts';
import type { Started } from './started.ts';

const placePath = '/electron/userData/window.json';

function windowOf({ electron }: Started): FakeWindow {
  const [window] = electron.windows;
  if (window === undefined || electron.windows.length !== 1) throw new Error(`${electron.windows.length} windows`);
  return window;
}

describe('instances', () => {
  it('W22: a second start hands its repository over and ends', async () => {
    const { electron } = await startFake({ isFirst: false, argv: ['electron', 'out/main/electron.js', 'cartpole'] });
    expect(electron.only('app.requestSingleInstanceLock')).toEqual({ open: '/home/ada/cartpole' });
    expect(electron.order).toEqual(['app.requestSingleInstanceLock', 'app.quit']);
    expect(electron.windows).toEqual([]);
  });

  it('W22: the first comes to the front with what it is handed', async () => {
    const started = await startFake();
    const window = windowOf(started);
    window.minimized = true;
    started.electron.app.emit('second-instance', {}, [], '/', { open: '/home/ada/cartpole' });
    expect(window).toMatchObject({ minimized: false, focused: 1, addresses: ['app://ui/', 'app://ui/#open=%2Fhome%2Fada%2Fcartpole'] });
  });

  it.each([undefined, null, 'text', {}, { open: 7 }, { open: null }])('W22: it only comes to the front when it is handed %j', async (given) => {
    const started = await startFake();
    started.electron.app.emit('second-instance', {}, [], '/', given);
    expect(windowOf(started)).toMatchObject({ focused: 1, addresses: ['app://ui/'] });
  });

  it('W22: two calls for a window make one', async () => {
    const started = await startFake({ platform: 'darwin' });
    windowOf(started).emit('closed');
    started.electron.app.emit('activate');
    started.electron.app.emit('second-instance', {}, [], '/', { open: '/r' });
    await vi.waitFor(() => expect(started.electron.windows).toHaveLength(2));
    await vi.waitFor(() => expect(started.electron.windows[1]).toMatchObject({ addresses: ['app://ui/', 'app://ui/#open=%2Fr'] }));
  });

  it.each([
    [['electron', 'main.js'], false, null],
    [['electron', 'main.js', 'cartpole'], false, '/home/ada/cartpole'],
    [['electron', 'main.js', '--inspect', '/r'], false, '/r'],
    [['rlxp-workbench', '/r'], true, '/r'],
    [['rlxp-workbench', ''], true, null],
  ])('W22: %j asks for a repository', (argv, isPackaged, expected) => {
    expect(repositoryArgument(argv, { isPackaged, cwd: '/home/ada' })).toBe(expected);
  });

  it('says that the page is not built, and ends', async () => {
    const { electron } = await startFake({ isBuilt: false });
    expect(electron.given('dialog.showErrorBox')).toEqual([['The window is not built', 'Run `npm run build` first.']]);
    expect(electron.given('app.exit')).toEqual([[1]]);
    expect(electron.windows).toEqual([]);
  });
});

describe('the place of the window', () => {
  const kept = { schema: 1, x: 100, y: 50, width: 1300, height: 900, isMaximized: true };

  it('W23: is kept when the window is moved, and before it closes', async () => {
    const started = await startFake();
    const window = windowOf(started);
    window.bounds = { x: 5, y: 6, width: 1111, height: 777 };
    window.emit('move');
    window.emit('close');
    await vi.waitFor(() => expect(JSON.parse(started.scene.ports.files.contents()[placePath] ?? 'null')).toEqual({ schema: 1, x: 5, y: 6, width: 1111, height: 777, isMaximized: false }));
  });

  it('W23: is taken up again', async () => {
    const started = await startFake({ prepare: ({ scene }) => scene.ports.files.plant(placePath, JSON.stringify(kept)) });
    expect(windowOf(started).options).toMatchObject({ x: 100, y: 50, width: 1300, height: 900 });
    expect(windowOf(started).maximized).toBe(true);
  });

  it.each([
    ['left of every screen', { ...kept, x: -5000 }],
    ['below every screen', { ...kept, y: 1070 }],
    ['above every screen', { ...kept, y: -200 }],
    ['right of every screen', { ...kept, x: 1900 }],
  ])('W23: %s, the system chooses', async (_where, place) => {
    const started = await startFake({ prepare: ({ scene }) => scene.ports.files.plant(placePath, JSON.stringify(place)) });
    expect(windowOf(started).options).not.toHaveProperty('x');
    expect(windowOf(started).options).toMatchObject({ width: 1300, height: 900 });
  });

  it('W23: is never smaller than a person can work in', async () => {
    const started = await startFake({ prepare: ({ scene }) => scene.ports.files.plant(placePath, JSON.stringify({ ...kept, width: 3, height: -1 })) });
    expect(windowOf(started).options).toMatchObject({ width: 1024, height: 700 });
  });

  it.each(['', '{', '[]', '{"schema":2}', '{"schema":1,"x":"a"}', `${' '.repeat(20_000)}{}`])('W23: a file with %j is no place', async (text) => {
    const started = await startFake({ prepare: ({ scene }) => scene.ports.files.plant(placePath, text) });
    expect(windowOf(started).options).toMatchObject({ width: 1280, height: 840 });
  });

  it('W23: a full disk costs only the place', async () => {
    const started = await startFake();
    started.scene.ports.files.failNth('replaceFile', 1, 'ENOSPC', { again: true });
    windowOf(started).emit('close');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(started.scene.ports.files.contents()[placePath]).toBeUndefined();
  });

  it('W47: the window has the colour of the page before the page is there', async () => {
    expect(windowOf(await startFake()).options).toMatchObject({ backgroundColor: background.light, show: false });
  });
});

describe('the menu', () => {
  type Item = MenuItemConstructorOptions;
  const templateOf = ({ electron }: Started): readonly Item[] => electron.only('Menu.setApplicationMenu') as readonly Item[];
  const itemsOf = (template: readonly Item[]): readonly Item[] => template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu as Item[]) : [])]);

  it('W24: opens the folder that a person picks', async () => {
    const started = await startFake({ picks: ['/home/ada/cartpole'] });
    const item = itemsOf(templateOf(started)).find((one) => one.accelerator === 'CmdOrCtrl+O');
    (item?.click as (() => void) | undefined)?.();
    await vi.waitFor(() => expect(windowOf(started).addresses.at(-1)).toBe('app://ui/#open=%2Fhome%2Fada%2Fcartpole'));
  });

  it('W24: a person who cancels opens nothing', async () => {
    const started = await startFake();
    const item = itemsOf(templateOf(started)).find((one) => one.accelerator === 'CmdOrCtrl+O');
    (item?.click as (() => void) | undefined)?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(windowOf(started).addresses).toEqual(['app://ui/']);
  });

  it('W24: has developer tools in a checkout and not when packaged', async () => {
    const roles = async (isPackaged: boolean): Promise<readonly unknown[]> => itemsOf(templateOf(await startFake({ isPackaged, argv: ['rlxp-workbench'] }))).map((item) => item.role);
    expect(await roles(false)).toContain('toggleDevTools');
    expect(await roles(true)).not.toContain('toggleDevTools');
    expect(await roles(true)).toContain('quit');
  });
});

describe('the end', () => {
  it('W25: a page that crashes is loaded again, and not when it keeps crashing', async () => {
    const started = await startFake();
    const { webContents } = windowOf(started);
    webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    expect(webContents.reloads).toBe(1);
    webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    expect(webContents.reloads).toBe(1);
    expect(started.electron.given('dialog.showErrorBox')).toHaveLength(1);
  });

  it('W25: a page that ends by itself is left alone', async () => {
    const { webContents } = windowOf(await startFake());
    webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 });
    expect(webContents.reloads).toBe(0);
  });

  it('W26: closing the last window quits, but not on a Mac', async () => {
    const linux = await startFake();
    linux.electron.app.emit('window-all-closed');
    expect(linux.electron.given('app.quit')).toHaveLength(1);
    const mac = await startFake({ platform: 'darwin' });
    mac.electron.app.emit('window-all-closed');
    expect(mac.electron.given('app.quit')).toHaveLength(0);
  });

  it('W26: quitting ends what was open, waits for the place of the window, and starts nothing', async () => {
    const started = await startFake();
    const { electron, scene } = started;
    const window = windowOf(started);
    await electron.send(window.webContents, { do: 'open', id: 'f', name: 'campaign_watch', input: { root: '/r', study: 'quick' } });
    window.emit('close');
    let prevented = 0;
    electron.app.emit('will-quit', { preventDefault: () => (prevented += 1) });
    expect(scene.stopped).toBe(1);
    expect(started.shutdowns()).toBe(1);
    await vi.waitFor(() => expect(electron.given('app.quit')).toHaveLength(1));
    expect(scene.ports.files.contents()[placePath]).toBeDefined();
    electron.app.emit('will-quit', { preventDefault: () => (prevented += 1) });
    expect(prevented).toBe(1);
    expect(scene.runs.map((run) => run.name)).toEqual(['campaign_watch']);
  });
});
