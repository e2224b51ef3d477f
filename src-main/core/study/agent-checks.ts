// Whether agent settings are ones the bundled runner knows. Imported by this room only. Rules: docs/specs/study.md, S12.
import { z } from 'zod';
import { bundledAgent } from '../../../src-protocol/files/agent.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { StudyFile } from '../../../src-protocol/files/study.ts';
import type { TaskFile } from '../../../src-protocol/files/task.ts';
import { mergeSettings } from '../workspace/merge.ts';
import { schemaProblems } from '../workspace/schema-problems.ts';
import type { PathKey } from '../workspace/yaml-document.ts';
import type { Finding, Source } from './finding.ts';

/** The task's own agent block once, then what each candidate itself adds to it. */
export function checkAgents(study: Source<StudyFile>, task: Source<TaskFile>): readonly Finding[] {
  const ofTask = problemsIn(task, task.value.agent, task.value.agent, ['agent']);
  const ofCandidates = study.value.candidates.flatMap((candidate, index) => {
    const own = candidate.agent_cfg ?? {};
    return problemsIn(study, mergeSettings(task.value.agent, own), own, ['candidates', index, 'agent_cfg']);
  });
  return [...ofTask, ...ofCandidates];
}

/** Problems of `agent` that lie inside `own`, the part of it that stands at `prefix` of `source`. */
function problemsIn(source: Source<unknown>, agent: PlainMap, own: PlainMap, prefix: readonly PathKey[]): readonly Finding[] {
  const parsed = bundledAgent.safeParse(agent);
  if (parsed.success) return [];
  const issues = parsed.error.issues.flatMap((issue): z.core.$ZodIssue[] => {
    if (issue.code !== 'unrecognized_keys') return holds(own, issue.path) ? [issue] : [];
    const keys = issue.keys.filter((key) => holds(own, [...issue.path, key]));
    return keys.length === 0 ? [] : [{ ...issue, keys }];
  });
  return schemaProblems(new z.ZodError(issues), { file: source.file, schema: bundledAgent, value: agent, places: source.document, prefix }).map(
    (problem): Finding => ({ weight: 'error', code: 'invalid_file', problem }),
  );
}

function holds(map: unknown, path: readonly PropertyKey[]): boolean {
  let current = map;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return false;
    current = (current as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return true;
}
