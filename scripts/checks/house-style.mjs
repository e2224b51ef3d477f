// Checks what the house asks of every file: its size, its name, its first line. Imported by all.mjs.
import { readSources } from './source-files.mjs';

const mostLines = 400;

/** Files that may be longer, each with its reason. */
export const longFiles = {};

const bannedWords = ['util', 'utils', 'helper', 'helpers', 'manager', 'common', 'misc', 'data', 'info'];

export function sizeProblems(home) {
  const lengths = readSources(home).map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  const tooLong = lengths.filter(({ path, lines }) => lines > mostLines && !(path in longFiles));
  const unneeded = Object.keys(longFiles).filter((path) => !lengths.some((one) => one.path === path && one.lines > mostLines));
  return [
    ...tooLong.map(({ path, lines }) => `${path} has ${lines} lines; over ${mostLines} needs a reason in scripts/checks/house-style.mjs`),
    ...unneeded.map((path) => `${path} is in the list of long files and is not long`),
  ];
}

/** For people: how long files are. */
export function sizeSummary(home) {
  const lengths = readSources(home).filter(({ path }) => path.startsWith('src-')).map(({ text }) => text.split('\n').length - 1).sort((a, b) => a - b);
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const long = Object.entries(longFiles).map(([path, reason]) => `${path} (${reason})`);
  return `${lengths.length} source files, median ${median} lines, ${lengths.filter((one) => one > 250).length} over 250, longest ${lengths.at(-1) ?? 0}; over ${mostLines} with a reason: ${long.join(', ') || 'none'}`;
}

export function nameProblems(home) {
  return readSources(home).flatMap(({ path }) => {
    const name = path.split('/').at(-1).replace(/\.(test|d|config)?\.?(ts|tsx|mjs|js)$/, '');
    const banned = name.split(/[-.]/).find((word) => bannedWords.includes(word));
    if (banned !== undefined) return [`${path}: "${banned}" says nothing about what is inside`];
    return /^[a-z0-9]+([-.][a-z0-9]+)*$/.test(name) ? [] : [`${path}: file names are kebab-case`];
  });
}

export function firstLineProblems(home) {
  // Nobody imports a test; its name says what it tests.
  const sources = readSources(home).filter(({ path }) => !path.endsWith('.test.ts'));
  return sources.flatMap(({ path, text }) => {
    const first = text.replace(/^#!.*\n/, '').split('\n')[0];
    return /^(\/\/|\/\*\*?) \S/.test(first) ? [] : [`${path}: starts without the sentence that says what it is`];
  });
}
