import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConsoleFile } from '../../src-main/adapters/console-file.ts';
import { makeLaunches } from './support/launches.ts';
import { scratchFolder } from './support/scratch.ts';
import { until } from './support/wait.ts';

const folder = scratchFolder();
const { processes, shell } = makeLaunches(folder);

test('P7 the tail is the last 8 KB of all that was written, in whole characters, however it came', () => {
  let number = 0;
  const piece = fc.oneof(fc.nat(200), fc.nat(9_000), fc.nat(40_000)).chain((length) => fc.constantFrom('a', 'ä', '€', '😀').map((letter) => letter.repeat(Math.ceil(length / 2))));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const path = join(folder, `console-${(number += 1)}`);
      const console = new ConsoleFile(path);
      let whole = Buffer.alloc(0);
      for (const text of pieces) {
        console.write(Buffer.from(text));
        whole = Buffer.concat([whole, Buffer.from(text)]);
        const last = whole.subarray(Math.max(0, whole.length - 8 * 1024));
        // The plain way: cut characters' remains off the front.
        expect(console.tail()).toBe(new TextDecoder().decode(last).replace(whole.length > 8 * 1024 ? /^\uFFFD+/ : /^$/, ''));
      }
      console.close();
      expect(readFileSync(path).equals(whole)).toBe(true);
    }),
    { numRuns: 40, seed: 20_301 },
  );
});

test('P17 a process is found by its tag behind an environment of any size', async () => {
  const leader = await shell('exec sleep 1000', { tag: 'rlxp-large', env: { PATH: process.env['PATH'] ?? '', LARGE: 'x'.repeat(100_000) } });
  // While it begins its program a process has no environment for a moment.
  const found = await until('the process by its tag', async () => (await processes.findTagged('rlxp-large'))[0]);
  expect(found.identity.pid).toBe(leader.identity.pid);
  await processes.end(leader, { graceMs: 500 });
});
