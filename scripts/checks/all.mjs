// The list of all checks that need no compiler: `npm run check` runs them, and so do the tests in test/architecture.
import { arrowProblems } from './arrows.mjs';
import { firstLineProblems, nameProblems, sizeProblems } from './house-style.mjs';
import { packageProblems } from './packages.mjs';
import { specRuleProblems } from './spec-rules.mjs';

/** Each gives the problems it finds below a checkout, one line each. */
export const checks = [
  { name: 'arrows', run: arrowProblems },
  { name: 'file sizes', run: sizeProblems },
  { name: 'file names', run: nameProblems },
  { name: 'first lines', run: firstLineProblems },
  { name: 'spec rules', run: specRuleProblems },
  { name: 'packages', run: packageProblems },
];
