// The page in a real browser, under the policy of the window. RLXP_SCREENSHOTS names a folder for pictures of every state in both themes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSystemPorts } from '../../src-main/adapters/system-ports.ts';
import { makeInProcessDoor } from '../../src-main/serve/in-process.ts';
import { makeWorkbench } from '../../src-main/workbench.ts';
import { makeRefusal } from '../../src-protocol/refusal.ts';
import { findBrowser, makeStage } from './browser.ts';
import type { Stage } from './browser.ts';
import { makeFixtureDoor, readRecorded } from './fixture.ts';

const browser = findBrowser();
if (browser === null) console.log('W40 to W48 in a browser: not run, there is no Chromium here (RLXP_BROWSER names one)');

const running = readRecorded('running');
const completed = readRecorded('completed');
const { root } = running.shown;
const neverRan = { ...running, shown: { ...running.shown, studies: [{ study: 'quick', why: '', readable: true, approval: 'none', campaign: 'none', verdict: null }] }, snapshot: { ...running.snapshot, events: [] } };

describe.skipIf(browser === null)('the page in a browser', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await makeStage(browser ?? '');
  });
  afterAll(async () => stage?.close());

  it('W40, W41: draws under the policy, asks nobody else for anything, and shows how to begin', async () => {
    const { page, complaints, foreign } = await stage.open(makeFixtureDoor(running));
    await page.getByRole('heading', { name: 'Open a repository' }).waitFor();
    expect(await page.getByText('rlxp init --root DIR --project NAME').count()).toBe(1);
    await picture(page, 'start');
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('W7: the policy stops what somebody puts into the page', async () => {
    const { page, complaints } = await stage.open(makeFixtureDoor(running));
    await page.getByRole('heading', { name: 'Open a repository' }).waitFor();
    await page.evaluate(`(() => {
      globalThis.hits = [];
      const attempts = [
        () => { document.body.innerHTML = '<img src=x onerror="hits.push(1)">'; },
        () => { const script = document.createElement('script'); script.textContent = 'hits.push(2)'; document.body.append(script); },
        () => { const script = document.createElement('script'); script.setAttribute('src', 'https://example.com/a.js'); document.body.append(script); },
        () => { setTimeout(() => (0, eval)('hits.push(3)')); }, // what evaluate() runs itself may use eval
        () => { new Worker('data:text/javascript,0').onmessage = () => hits.push(4); },
        () => { const frame = document.createElement('iframe'); frame.setAttribute('srcdoc', '<p>'); document.body.append(frame); },
        () => { const style = document.createElement('style'); style.textContent = 'body{display:none}'; document.body.append(style); },
      ];
      for (const attempt of attempts) { try { attempt(); } catch {} }
      return fetch('https://example.com/').then(() => hits.push(5), () => new Promise((resolve) => setTimeout(resolve, 50)));
    })()`);
    expect(await page.evaluate('hits')).toEqual([]);
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('block');
    const stopped = complaints.filter((line) => line.startsWith('policy')).map((line) => line.split(' ')[1]);
    expect([...new Set(stopped)]).toEqual(expect.arrayContaining(['require-trusted-types-for', 'style-src-elem', 'connect-src']));
  });

  it('W42, W43, W44: follows a campaign live to its verdict', async () => {
    const door = makeFixtureDoor(running);
    const { page, complaints } = await stage.open(door, { repository: root });
    await page.getByRole('heading', { name: 'CartPole, balanced' }).waitFor();
    expect(await page.getByText('8 of 8 gates confirmed').count()).toBe(1);
    await page.getByRole('row', { name: /epochs-10/ }).getByText('141.7').waitFor();
    await picture(page, 'running');
    const [status, event] = running.changes ?? [];
    door.tell(status);
    await page.getByRole('row', { name: /epochs-10/ }).getByText('151.2').waitFor();
    door.tell(event);
    await page.getByRole('listitem').getByText('epochs-10 (screen, seed 42) done, score 256').waitFor();
    expect(await page.getByRole('status').innerText()).toBe('epochs-10 (screen, seed 42) done, score 256');
    door.recorded = completed;
    for (const line of completed.snapshot.events.slice(24)) door.tell({ kind: 'event', line });
    door.tell({ kind: 'status', status: completed.snapshot.status });
    door.tell(null);
    await page.getByRole('heading', { name: 'Verdict: better' }).waitFor();
    expect(await page.getByText('lr-high raised score by 280').first().isVisible()).toBe(true);
    await page.getByRole('button', { name: /quick/ }).getByText('completed').waitFor();
    await picture(page, 'completed');
    expect(complaints).toEqual([]);
  });

  it('W45, W47: a campaign that never ran says what will be there and how to start it, dark and light as the system is', async () => {
    const { page } = await stage.open(makeFixtureDoor(neverRan), { repository: root, colorScheme: 'dark', size: { width: 1024, height: 700 } });
    await page.getByText('rlxp campaign run quick').waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 23, 28)');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(246, 247, 249)');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1024);
    await picture(page, 'never-ran');
  });

  it('W45: a refusal shows its message, its next step and its problems', async () => {
    const door = makeFixtureDoor(running);
    door.next.push({
      ok: false,
      refusal: makeRefusal('invalid_file', 'contract.yaml has a problem', { problems: [{ file: '.rlxp/contract.yaml', line: 12, column: 3, message: 'unknown key "wal_hours"', fix: 'Did you mean "wall_hours"?' }] }),
    });
    const { page } = await stage.open(door, { repository: root });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const text = await alert.innerText();
    for (const part of ['cannot be opened', 'contract.yaml has a problem', 'Correct the lines named above', '.rlxp/contract.yaml:12', 'Did you mean "wall_hours"?']) expect(text).toContain(part);
    await picture(page, 'refused');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'CartPole, balanced' }).waitFor();
  });

  it('W45: without a bridge the page says where it belongs', async () => {
    const { page } = await stage.open(makeFixtureDoor(running), { hasBridge: false });
    await page.getByText('This page belongs to the rlxp Workbench window').waitFor();
  });

  it('W48: opens a folder, retries and chooses a study by keyboard alone, with a focus to be seen', async () => {
    const studies = (running.shown as unknown as { readonly studies: readonly object[] }).studies;
    const door = makeFixtureDoor({ ...running, shown: { ...running.shown, studies: [...studies, { ...studies[0], study: 'second', campaign: 'none' }] } });
    const { page } = await stage.open(door);
    await page.getByRole('textbox').waitFor();
    await page.keyboard.type('/nowhere');
    await page.keyboard.press('Enter');
    await page.getByText('/nowhere holds no .rlxp folder').waitFor();
    await page.getByRole('textbox').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(root);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'CartPole, balanced' }).waitFor();
    await page.getByRole('button', { name: 'Open another' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('second');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: /second/ }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Open another' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox').waitFor();
  });

  it('W42: shows a real repository through the real dispatch, and follows what changes in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rlxp-window-'));
    const workbench = makeWorkbench(makeSystemPorts({ entryUrl: import.meta.url }));
    try {
      const door = makeInProcessDoor(workbench.dispatch, { kind: 'window', by: 'ada', typed: null });
      const { page, complaints } = await stage.open(door, { repository: folder });
      await page.getByText('cannot be opened').waitFor();
      expect(await door.call('repository_init', { root: folder, project: 'A new project' })).toMatchObject({ ok: true });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'A new project' }).waitFor();
      expect(await page.getByText('0 of 8 gates confirmed').count()).toBe(1);
      expect(await page.getByText('Studies will be listed here').count()).toBe(1);
      await picture(page, 'empty');
      expect(complaints).toEqual([]);
    } finally {
      workbench.shutdown();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['RLXP_SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
}
