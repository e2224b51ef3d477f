// `npm run test:examples [name...]`: runs every example from a copy and compares it with its expect.yaml. Ends with "N passed, N failed".
//
// expect.yaml:  study: quick            the study to run
//               verdict: [better]       words it may end with
//               winner: [fast, wide]    candidates that may win (optional)
//               ended: { wild: nan }    candidate -> reason code of one of its trials (optional)
//               within_s: 240           wall seconds it may take (optional)
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ensureReady } from './ensure-ready.mjs';
import { home } from './sources.mjs';

await ensureReady();
const { parse } = await import('yaml');
const rlxp = join(home, 'out/engine/cli.js');
const wanted = process.argv.slice(2);
const names = readdirSync(join(home, 'examples')).filter((name) => existsSync(join(home, 'examples', name, 'expect.yaml')) && (wanted.length === 0 || wanted.includes(name)));
let failed = 0;
for (const name of names) {
  const startedMs = Date.now();
  const problems = await runExample(name);
  const took = `${((Date.now() - startedMs) / 1000).toFixed(1)} s`;
  if (problems.length > 0) failed += 1;
  process.stdout.write(`${problems.length === 0 ? 'passed' : 'FAILED'}  ${name}  ${took}\n${problems.map((problem) => `        ${problem}\n`).join('')}`);
}
if (names.length === 0) process.stdout.write('no example has an expect.yaml\n');
process.stdout.write(`${names.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || names.length === 0 ? 1 : 0;

/** A copy, so that nothing is left in the checkout and an earlier run changes nothing. */
async function runExample(name) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `rlxp-${name}-`)));
  const root = join(folder, name);
  try {
    cpSync(join(home, 'examples', name), root, { recursive: true, filter: isShipped });
    const expected = parse(readFileSync(join(root, 'expect.yaml'), 'utf8'));
    const startedMs = Date.now();
    const run = await call(['campaign', 'run', expected.study, '--root', root, '--json']);
    const seconds = (Date.now() - startedMs) / 1000;
    if (run.code !== 0) return [`campaign run ended with exit code ${run.code}: ${run.text.slice(0, 2000)}`];
    const trials = await call(['trial', 'list', expected.study, '--root', root, '--json']);
    return compare(expected, { report: run.value.output.report, trials: trials.value.output.trials, seconds });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(expected, { report, trials, seconds }) {
  const problems = [];
  const { word, winner } = report.verdict;
  if (!expected.verdict.includes(word)) problems.push(`the verdict is ${word}, expected ${expected.verdict.join(' or ')}: ${report.verdict.headline}`);
  if (expected.winner !== undefined && !expected.winner.includes(winner)) problems.push(`the winner is ${winner}, expected ${expected.winner.join(' or ')}`);
  for (const [candidate, code] of Object.entries(expected.ended ?? {})) {
    const codes = trials.filter((trial) => trial.candidate === candidate).map((trial) => trial.reason.code);
    if (!codes.includes(code)) problems.push(`${candidate} ended by ${codes.join(', ') || 'nothing'}, expected ${code}`);
  }
  if (expected.within_s !== undefined && seconds > expected.within_s) problems.push(`it took ${seconds.toFixed(0)} s, expected at most ${expected.within_s} s`);
  return problems;
}

async function call(args) {
  const { code, text } = await runChild(process.execPath, [rlxp, ...args], { cwd: home, output: 'collect' });
  return { code, text, value: code === 0 ? JSON.parse(text) : null };
}

/** What git would not ship stays out of the copy. */
function isShipped(path) {
  return !/[\\/]\.rlxp[\\/](runs|locks|report\.md|ledger\.jsonl|ledger\.head\.json)([\\/]|$)/.test(path);
}
