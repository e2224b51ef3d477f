// Names the inputs of a refusal the way they are typed: `trial` becomes `<trial>`, `agents_may_start` becomes `--agents-may-start`. Imported by run-tool.ts.
import type { Problem, Result } from '../../../src-protocol/refusal.ts';
import { flagsOf } from './flags.ts';
import type { Declared, Flag } from './flags.ts';

export function withTypedNames<Output>(result: Result<Output>, declared: Declared): Result<Output> {
  if (result.ok || !('refusal' in result) || result.refusal.code !== 'bad_input') return result;
  const { refusal } = result;
  const flags = flagsOf(declared);
  const problems = (refusal.problems ?? []).map((one) => rename(one, flags));
  const first = problems[0];
  const next = `See \`rlxp ${declared.cli.path.join(' ')} --help\`.`;
  return { ok: false, refusal: { ...refusal, problems, next, message: first === undefined ? refusal.message : `${first.file}: ${first.message}` } };
}

function rename(problem: Problem, flags: readonly Flag[]): Problem {
  const [key = '', ...rest] = problem.file.split('.');
  if (key === 'root') return { ...problem, file: '--root' };
  const flag = flags.find((one) => one.key === key);
  if (flag === undefined) return problem;
  const name = flag.position === null ? `--${flag.name}` : `<${flag.name}>`;
  return { ...problem, file: [name, ...rest].join('.') };
}
