// Parses the input of a call, and says in words what is wrong with it. Imported by dispatch only.
import type { z } from 'zod';
import { nearestWord } from '../../../src-protocol/nearest.ts';
import { makeRefusal } from '../../../src-protocol/refusal.ts';
import type { Problem, Refusal } from '../../../src-protocol/refusal.ts';

export type ParsedInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly refusal: Refusal };

export function parseInput(schema: z.ZodObject, input: unknown): ParsedInput {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, input: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, Object.keys(schema.shape)));
  const first = problems[0];
  const message = first === undefined ? 'the input is not valid' : `${first.file}: ${first.message}`;
  return { ok: false, refusal: makeRefusal('bad_input', message, { problems }) };
}

function problemsOf(issue: z.core.$ZodIssue, known: readonly string[]): readonly Problem[] {
  const at = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near = at === '' ? nearestWord(key, known) : null;
      const fix = near === null ? 'Leave it out.' : `Did you mean "${near}"?`;
      return problemAt(at === '' ? key : `${at}.${key}`, 'there is no such input', fix);
    });
  }
  return [problemAt(at === '' ? 'input' : at, issue.message, 'Give a value of the form shown in the help.')];
}

function problemAt(file: string, message: string, fix: string): Problem {
  return { file, line: null, column: null, message, fix };
}
