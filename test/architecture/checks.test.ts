import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checks } from '../../scripts/checks/all.mjs';

const home = fileURLToPath(new URL('../..', import.meta.url));

describe('the checkout passes every check of `npm run check` that needs no compiler', () => {
  it.each(checks.map((check) => [check.name, check] as const))('%s', (_name, check) => {
    expect(check.run(home)).toEqual([]);
  });
});
