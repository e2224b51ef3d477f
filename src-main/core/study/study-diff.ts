// What changed in a study since it was approved, in words, and whether the change is one of search or only of budget.
// Rooms that may import study may import it. Rules: docs/specs/study.md, S32.
import type { Plain } from '../../../src-protocol/files/plain.ts';
import type { StudyFile } from '../../../src-protocol/files/study.ts';
import type { Difference } from '../../../src-protocol/refusal.ts';
import { canonicalJson } from '../provenance/canonical-json.ts';
import { differences, type SettingChange } from '../workspace/merge.ts';
import { budgetForm, searchForm } from './study-digest.ts';

export interface StudyDifference extends Difference {
  /** `search`: a new study to approve. `budget`: an amendment. `text`: a note; it changes nothing. */
  readonly kind: 'search' | 'budget' | 'text';
}

type Study = Readonly<StudyFile>;

/** Empty exactly when both mean the same. */
export function studyDifferences(approved: Study, now: Study): readonly StudyDifference[] {
  const [before, after] = [candidateNames(approved), candidateNames(now)];
  const common = after.filter((name) => before.includes(name));
  const search = differences(searchForm(only(approved, common)), searchForm(only(now, common)));
  return [
    ...after.filter((name) => !before.includes(name)).map((name) => row('search', `candidate ${name}`, null, settingsText(now, name))),
    ...before.filter((name) => !after.includes(name)).map((name) => row('search', `candidate ${name}`, settingsText(approved, name), null)),
    ...search.map((change) => changeRow('search', change)),
    ...differences(budgetForm(approved), budgetForm(now)).map((change) => changeRow('budget', change)),
    ...common.flatMap((name) => noteRow(name, noteOf(approved, name), noteOf(now, name))),
  ];
}

function candidateNames(study: Study): readonly string[] {
  return study.candidates.map((candidate) => candidate.name);
}

function only(study: Study, names: readonly string[]): Study {
  return { ...study, candidates: study.candidates.filter((candidate) => names.includes(candidate.name)) };
}

function settingsText(study: Study, name: string): string {
  const found = study.candidates.find((candidate) => candidate.name === name);
  const { env_cfg, agent_cfg, num_envs } = found ?? {};
  const written = Object.entries({ env_cfg, agent_cfg, num_envs }).filter(([, value]) => value !== undefined);
  return written.length === 0 ? 'no settings of its own' : shorten(written.map(([key, value]) => `${key} ${canonicalJson(value)}`).join(', '));
}

function changeRow(kind: StudyDifference['kind'], change: SettingChange): StudyDifference {
  return row(kind, change.path.replace(/^candidates\./, 'candidate '), textOf(change.before), textOf(change.after));
}

function noteOf(study: Study, name: string): string | null {
  return study.candidates.find((candidate) => candidate.name === name)?.note ?? null;
}

function noteRow(name: string, approved: string | null, now: string | null): readonly StudyDifference[] {
  return approved === now ? [] : [row('text', `note of ${name}`, approved, now)];
}

function row(kind: StudyDifference['kind'], what: string, approved: string | null, now: string | null): StudyDifference {
  return { kind, what, approved, now };
}

function textOf(value: Plain | undefined): string | null {
  return value === undefined ? null : shorten(typeof value === 'string' ? value : canonicalJson(value));
}

function shorten(text: string): string {
  return text.length <= 160 ? text : `${text.slice(0, 157)}...`;
}
