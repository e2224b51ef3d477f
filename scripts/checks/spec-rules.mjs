// Checks that each numbered rule of docs/specs is cited by a test, and that tests cite no rule that does not exist. Imported by all.mjs.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { filesBelow } from '../sources.mjs';

/** A rule starts its line: `**T1** ...`, `- **T1** ...`, `| **T1** | ...` or `T1. ...`. */
const definition = /^\s*(?:[-*|]\s*)?(?:\*\*([A-Z]{1,3}\d+[a-z]?)\.?\*\*|([A-Z]{1,3}\d+[a-z]?)\.)(?=[\s:|]|$)/gm;

export function specRuleProblems(home) {
  const defined = new Map();
  const problems = [];
  for (const path of filesBelow(join(home, 'docs/specs')).filter((one) => one.endsWith('.md'))) {
    const name = relative(home, path).split(sep).join('/');
    for (const match of readFileSync(path, 'utf8').matchAll(definition)) {
      const rule = match[1] ?? match[2];
      if (defined.has(rule)) problems.push(`${name}: rule ${rule} is already defined in ${defined.get(rule)}`);
      else defined.set(rule, name);
    }
  }
  const cited = readCited(home);
  const prefixes = new Set([...defined.keys()].map((rule) => rule.replace(/\d.*$/, '')));
  for (const [rule, name] of defined) if (!cited.has(rule)) problems.push(`${name}: no test title cites rule ${rule}`);
  for (const [rule, name] of cited) {
    if (prefixes.has(rule.replace(/\d.*$/, '')) && !defined.has(rule)) problems.push(`${name}: cites rule ${rule}, which no specification defines`);
  }
  return problems;
}

/** rule -> test file, from the strings of test files that name a test or a group of tests. */
function readCited(home) {
  const cited = new Map();
  for (const path of filesBelow(join(home, 'test')).filter((one) => /\.(ts|mjs)$/.test(one))) {
    const text = readFileSync(path, 'utf8');
    for (const title of text.matchAll(/(['"`])((?:[A-Z]{1,3}\d+[a-z]?(?:, | and |: | ))+)/g)) {
      for (const rule of title[2].match(/[A-Z]{1,3}\d+[a-z]?/g)) cited.set(rule, relative(home, path).split(sep).join('/'));
    }
    for (const title of text.matchAll(/\b(?:it|test|describe)(?:\.\w+)*\s*\(\s*(['"`])(.*?)\1\s*,/gs)) {
      for (const rule of title[2].match(/\b[A-Z]{1,3}\d+[a-z]?\b/g) ?? []) if (!cited.has(rule)) cited.set(rule, relative(home, path).split(sep).join('/'));
    }
  }
  return cited;
}
