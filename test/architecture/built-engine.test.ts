import { builtinModules } from 'node:module';
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureReady } from '../../scripts/ensure-ready.mjs';

const engine = fileURLToPath(new URL('../../out/engine/', import.meta.url));

describe('the built engine', () => {
  beforeAll(() => ensureReady(), 120_000);

  it('holds an entry for everything that runs outside the window', async () => {
    expect(await readdir(engine)).toEqual(expect.arrayContaining(['cli.js', 'babysitter.js', 'campaign.js', 'train.js', 'evaluate.js', 'cli.js.map']));
  });

  it('BK8: loads TensorFlow.js only when a backend of it is asked for', async () => {
    const holds = async (name: string): Promise<boolean> => (await readFile(engine + name, 'utf8')).includes('tfjs-backend-wasm-simd');
    const atStart = async (name: string, seen: Set<string>): Promise<ReadonlySet<string>> => {
      if (seen.has(name)) return seen;
      seen.add(name);
      for (const [, from = ''] of (await readFile(engine + name, 'utf8')).matchAll(/^(?:import|export)\b[^'"\n]*?["'](\.[^"']+)["'];?$/gm)) await atStart(posix.join(posix.dirname(name), from), seen);
      return seen;
    };
    for (const entry of ['train.js', 'evaluate.js', 'cli.js', 'campaign.js']) {
      const loaded = [...(await atStart(entry, new Set()))];
      expect(loaded.length).toBeGreaterThan(1);
      expect(await Promise.all(loaded.map(holds))).toEqual(loaded.map(() => false));
    }
    const chunks = (await readdir(`${engine}chunks`)).filter((name) => name.endsWith('.js'));
    expect((await Promise.all(chunks.map((name) => holds(`chunks/${name}`)))).filter(Boolean)).toHaveLength(1);
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
