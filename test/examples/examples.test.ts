// Runs every example that needs nothing installed, one after the other; test/edges runs those that need Python.
import { describe, expect, it } from 'vitest';
import { allExamples, examplesThat, runExample } from './run-example.ts';

describe('examples', () => {
  it('each example says what to expect of it', () => {
    expect([...examplesThat('nothing'), ...examplesThat('python')].sort()).toEqual(allExamples());
  });

  it.each(examplesThat('nothing'))('%s comes out as its expect.yaml says', { timeout: 600_000 }, (name) => {
    runExample(name);
  });
});
