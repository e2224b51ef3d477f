// A short word about a state: a sign and a word, so that colour is never alone. Imported by features.
import type { Tone } from './tone.ts';

const signs: Readonly<Record<Tone, string>> = { quiet: '○', active: '◐', good: '✓', warn: '!', bad: '✕' };

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`badge ${tone}`}>
      <span aria-hidden="true">{signs[tone]}</span>
      {children}
    </span>
  );
}
