// A real browser in front of the built page, with a door behind it: what the window is without Electron. Imported by page.browser.test.ts.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { renderer } from '../../electron.vite.config.ts';
import { respond } from '../../src-main/desktop/app-protocol.ts';
import { listBuiltFiles } from '../../src-main/desktop/built-files.ts';
import { parseMessage } from '../../src-main/desktop/door-message.ts';
import { makeDoorSession } from '../../src-main/desktop/door-session.ts';
import type { DoorSession } from '../../src-main/desktop/door-session.ts';
import { pageAddress } from '../../src-main/desktop/origin.ts';
import type { Transport } from '../../src-protocol/client.ts';

const places = [process.env['RLXP_BROWSER'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** Where a Chromium is; null when there is none. RLXP_BROWSER names another. */
export function findBrowser(): string | null {
  return places.find((place) => place !== undefined && existsSync(place)) ?? null;
}

export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly repository?: string | null;
  readonly size?: { readonly width: number; readonly height: number };
  /** False leaves the page without a bridge. */
  readonly hasBridge?: boolean;
}

export interface OpenPage {
  readonly page: Page;
  /** What the page's policy stopped, and what was written to its console as an error. */
  readonly complaints: readonly string[];
  /** Addresses asked for anywhere but at our own server. */
  readonly foreign: readonly string[];
}

export interface Stage {
  open(door: Transport, options?: PageOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

/** Builds the page and the bridge into a folder of its own and serves them with the headers of app://. */
export async function makeStage(executablePath: string): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rlxp-browser-'));
  const profile = join(folder, 'profile');
  const bridge = await inProduction(async () => {
    await build({ ...renderer, configFile: false, logLevel: 'error', build: { ...renderer.build, outDir: join(folder, 'page') } });
    return buildBridge();
  });
  const files = listBuiltFiles(join(folder, 'page'));
  const server = createServer((request, response) => {
    const answer = respond({ method: request.method ?? '', url: `app://ui${request.url ?? ''}` }, files);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    void answer.arrayBuffer().then((bytes) => response.end(Buffer.from(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const isRoot = process.getuid?.() === 0;
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: [...quiet, ...(isRoot ? ['--no-sandbox'] : [])] });

  /** A new browser process for each page is what takes the time, so the pages with a bridge take turns in one. */
  let shared: Page | null = null;
  let session: DoorSession | null = null;
  let complaints: string[] = [];
  let foreign: string[] = [];

  async function makePage(hasBridge: boolean): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('request', (request) => void (!/^(data|about):/.test(request.url()) && !request.url().startsWith(home) && foreign.push(request.url())));
    await page.addInitScript({ content: `document.addEventListener('securitypolicyviolation', (event) => console.error('policy', event.violatedDirective, event.blockedURI));` });
    if (!hasBridge) return page;
    await page.exposeFunction('sendToDoor', (message: unknown) => {
      const parsed = parseMessage(message);
      if (parsed === null || session === null) throw new Error('refused');
      return session.answer(parsed);
    });
    await page.addInitScript({ content: `${bridge}; globalThis.rlxp = bridgeParts.makeBridge((message) => globalThis.sendToDoor(message));` });
    return page;
  }

  return {
    async open(door, options = {}) {
      const page = options.hasBridge === false ? await makePage(false) : (shared ??= await makePage(true));
      await page.goto('about:blank');
      session?.close();
      session = makeDoorSession(door);
      const told = { page, complaints: (complaints = []), foreign: (foreign = []) };
      await page.setViewportSize(options.size ?? { width: 1280, height: 840 });
      await page.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
      await page.goto(pageAddress(options.repository ?? null).replace('app://ui', home));
      return told;
    },
    async close() {
      await context.close();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** vite builds for the environment it finds, which under test is not the one people get. */
async function inProduction<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    return await work();
  } finally {
    process.env['NODE_ENV'] = before;
  }
}

/** The bridge as the preload script has it, as one script. */
async function buildBridge(): Promise<string> {
  const entry = fileURLToPath(new URL('../../src-preload/make-bridge.ts', import.meta.url));
  const built = await build({ configFile: false, publicDir: false, logLevel: 'error', build: { write: false, minify: false, lib: { entry, name: 'bridgeParts', formats: ['iife'] } } });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !('output' in output)) throw new Error('the bridge was not built');
  return output.output[0].code;
}
