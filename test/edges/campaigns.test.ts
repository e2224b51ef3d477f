// Whole campaigns of real trainers through the command line: the examples that need Python.
import { describe, expect, it } from 'vitest';
import { examplesThat, runExample } from '../examples/run-example.ts';
import './edge-case.ts';

describe('campaigns of real trainers', () => {
  it('RT11: there is one for each profile that is shipped', () => {
    expect(examplesThat('python')).toEqual(['cleanrl-cartpole', 'sb3-cartpole']);
  });

  it.each(examplesThat('python'))('RT11: %s comes to its verdict as its expect.yaml says', { timeout: 1_200_000 }, (name) => {
    runExample(name);
  });
});
