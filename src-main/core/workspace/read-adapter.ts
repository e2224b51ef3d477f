// Reading adapter.yaml with the profile it names laid under it. Any room of the core may import it. Rules: docs/specs/adapter.md, AD1 to AD6.
import { countText } from '../../../src-protocol/count-text.ts';
import path from 'node:path';
import { adapterFile, type AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';
import { profileFile, type ProfileFile } from '../../../src-protocol/files/profile.ts';
import { nearestWord } from '../../../src-protocol/nearest.ts';
import { makeRefusal, RefusalError, type Problem } from '../../../src-protocol/refusal.ts';
import type { Files, NodeRuntime } from '../../ports.ts';
import { projectPaths, shownPath } from './layout.ts';
import { isPlainMap, mergeSettings } from './merge.ts';
import { readText, tryYamlFile, type FileReading, type YamlFile } from './read-file.ts';
import { profilesFolder } from './resources.ts';
import { schemaProblems } from './schema-problems.ts';
import { maxYamlBytes, parseYaml, type PathKey, type YamlDocument } from './yaml-document.ts';

export interface AdapterPlace {
  readonly files: Pick<Files, 'readText' | 'list'>;
  readonly node: Pick<NodeRuntime, 'engineFolder'>;
  readonly root: string;
}

/** The adapter with its profile merged in. Throws RefusalError: not_found, invalid_file. */
export async function readAdapter(place: AdapterPlace): Promise<YamlFile<AdapterFile>> {
  const reading = await tryAdapter(place);
  if (!reading.ok) throw new RefusalError(reading.refusal);
  return reading.file;
}

/** As readAdapter, but gives the refusal back. Lines are those of adapter.yaml. */
export async function tryAdapter(place: AdapterPlace): Promise<FileReading<YamlFile<AdapterFile>>> {
  const file = projectPaths(place.root).adapter;
  const shownAs = shownPath(place.root, file);
  const text = await readText(place.files, file, shownAs, maxYamlBytes);
  if (!text.ok) return text;
  const parsed = parseYaml(text.file, shownAs);
  if (!parsed.ok) return invalid(shownAs, parsed.problems);
  const { document } = parsed;
  const named = namedProfile(document.value);
  const profile = named === null ? null : await readProfile(place, named, { document, shownAs });
  if (profile !== null && !profile.ok) return profile;
  return checkAdapter(document, profile === null ? null : profile.file, shownAs);
}

/** Names of the profiles this program ships, sorted. */
export async function listProfiles({ files, node }: Pick<AdapterPlace, 'files' | 'node'>): Promise<readonly string[]> {
  const names = await files.list(profilesFolder(node));
  return names.filter((name) => name.endsWith('.yaml')).map((name) => path.basename(name, '.yaml')).sort();
}

/** A shipped profile; its problems name `resources/profiles/<name>.yaml`. */
export async function tryProfile({ files, node }: Pick<AdapterPlace, 'files' | 'node'>, name: string): Promise<FileReading<ProfileFile>> {
  const reading = await tryYamlFile(files, path.join(profilesFolder(node), `${name}.yaml`), profileFile, { shownAs: profileShownAs(name) });
  return reading.ok ? { ok: true, file: reading.file.value } : reading;
}

export function profileShownAs(name: string): string {
  return `resources/profiles/${name}.yaml`;
}

interface Named {
  readonly document: YamlDocument;
  readonly shownAs: string;
}

async function readProfile(place: AdapterPlace, name: string, { document, shownAs }: Named): Promise<FileReading<ProfileFile>> {
  const known = await listProfiles(place);
  if (!known.includes(name)) {
    const near = nearestWord(name, known);
    const fix = near === null ? `The profiles are ${known.join(', ')}; without one, write the keys yourself.` : `Did you mean \`${near}\`?`;
    return invalid(shownAs, [problemAt({ document, shownAs }, ['profile'], { message: `there is no profile \`${name}\``, fix })]);
  }
  return tryProfile(place, name);
}

function checkAdapter(document: YamlDocument, profile: ProfileFile | null, shownAs: string): FileReading<YamlFile<AdapterFile>> {
  const value = profile === null ? document.value : mergeProfile(profile, document.value as PlainMap);
  const checked = adapterFile.safeParse(value);
  const unsaid = profile === null ? [] : unsaidKeys(profile, { document, shownAs });
  if (checked.success && unsaid.length === 0) return { ok: true, file: { value: checked.data, document } };
  const wrong = checked.success ? [] : schemaProblems(checked.error, { file: shownAs, schema: adapterFile, value, places: document });
  return { ...invalid(shownAs, [...wrong, ...unsaid]), document };
}

/** The adapter's own keys win and stand first: of several tags that mean reward, the project's own is *the* reward. */
export function mergeProfile(profile: Pick<ProfileFile, 'adapter'>, own: PlainMap): PlainMap {
  const merged = mergeSettings(profile.adapter, own);
  const tags = merged['metrics'];
  const ownTags = own['metrics'];
  if (!isPlainMap(tags) || !isPlainMap(ownTags)) return merged;
  const first = Object.fromEntries(Object.keys(ownTags).map((tag) => [tag, tags[tag] as Plain]));
  return { ...merged, metrics: { ...first, ...Object.fromEntries(Object.entries(tags).filter(([tag]) => !(tag in first))) } };
}

function unsaidKeys({ profile, asks }: ProfileFile, named: Named): readonly Problem[] {
  const own = named.document.value as PlainMap;
  return Object.entries(asks).flatMap(([key, fix]) => {
    if (key in own) return [];
    return [problemAt(named, ['profile'], { message: `with the profile \`${profile}\` this file has to say \`${key}\` itself`, fix })];
  });
}

function namedProfile(value: Plain): string | null {
  if (!isPlainMap(value)) return null;
  const name = value['profile'];
  return typeof name === 'string' ? name : null;
}

function problemAt({ document, shownAs }: Named, at: readonly PathKey[], words: { readonly message: string; readonly fix: string }): Problem {
  return { file: shownAs, ...document.valueAt(at), ...words };
}

function invalid(shownAs: string, problems: readonly Problem[]): { readonly ok: false; readonly refusal: ReturnType<typeof makeRefusal> } {
  const count = countText(problems.length, 'problem');
  return { ok: false, refusal: makeRefusal('invalid_file', `${shownAs} has ${count}.`, { problems }) };
}
