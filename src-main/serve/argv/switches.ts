// The switches of the door itself, on every command or on those they make sense for. Imported by the argv door.
import { hasRoot } from './flags.ts';
import type { Declared } from './flags.ts';

/** A switch of the door itself, on every command or on those it makes sense for. */
export interface Switch {
  readonly name: 'root' | 'json' | 'jsonl' | 'detach' | 'yes' | 'help' | 'instead';
  /** As it is typed; the name when absent. */
  readonly typed?: string;
  readonly word: string;
  readonly description: string;
}

export function switchesOf(declared: Declared): readonly Switch[] {
  const switches: Switch[] = [];
  if (hasRoot(declared)) {
    const fallback = declared.cli.root === 'here' ? 'the current folder' : 'the nearest folder upwards that has .rlxp';
    switches.push({ name: 'root', word: 'DIR', description: `The repository [${fallback}]` });
  }
  const { instead } = declared.cli;
  if (instead !== undefined) switches.push({ name: 'instead', typed: instead.switch, word: '', description: `The same as \`rlxp ${instead.switch}\`: ${instead.does}` });
  switches.push({ name: 'json', word: '', description: 'Print exactly one JSON value on standard output, refusals included' });
  if (declared.kind === 'feed') switches.push({ name: 'jsonl', word: '', description: 'Print each frame as one line of JSON' });
  if (declared.cli.then !== undefined) switches.push({ name: 'detach', word: '', description: 'Only start it; do not watch' });
  if (declared.kind === 'tool' && declared.effect === 'destroy') {
    switches.push({ name: 'yes', word: 'NAME', description: 'Confirm without being asked, by giving the exact name' });
  }
  switches.push({ name: 'help', word: '', description: 'Show this help' });
  return switches;
}

/** How a switch is typed, without its dashes. */
export function switchWord({ name, typed }: Switch): string {
  return typed ?? name;
}
