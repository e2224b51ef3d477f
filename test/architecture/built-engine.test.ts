import { builtinModules } from 'node:module';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureReady } from '../../scripts/ensure-ready.mjs';

const engine = fileURLToPath(new URL('../../out/engine/', import.meta.url));

describe('the built engine', () => {
  beforeAll(() => ensureReady(), 120_000);

  it('holds an entry for everything that runs outside the window', async () => {
    expect(await readdir(engine)).toEqual(expect.arrayContaining(['cli.js', 'babysitter.js', 'campaign.js', 'train.js', 'evaluate.js', 'cli.js.map']));
  });

  it('imports nothing but Node, its own parts and node-pty', async () => {
    const names = (await readdir(engine, { recursive: true })).filter((name) => name.endsWith('.js'));
    const foreign = new Set<string>();
    for (const name of names) {
      const text = await readFile(engine + name, 'utf8');
      for (const [, from = ''] of text.matchAll(/^(?:import|export)\b[^'"\n]*?(?:from\s*)?["']([^"']+)["'];?$/gm)) {
        if (!from.startsWith('.') && !from.startsWith('node:') && !builtinModules.includes(from) && from !== 'node-pty') foreign.add(`${name}: ${from}`);
      }
    }
    expect([...foreign]).toEqual([]);
  });
});
