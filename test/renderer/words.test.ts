import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { background } from '../../src-main/desktop/main-window.ts';
import { campaignEvent } from '../../src-protocol/files/event.ts';
import { studyToShow } from '../../src-renderer/features/overview/words.ts';
import { eventText } from '../../src-renderer/features/overview/event-text.ts';
import { clockText, durationText, numberText } from '../../src-renderer/ui/numbers.ts';
import { readRecorded } from './fixture.ts';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.5, '0.5'],
    [187.349, '187.3'],
    [-12.5, '−12.5'],
    [0.0123456, '0.01235'],
    [24576, '24\u202f576'],
    [1234567, '1\u202f234\u202f567'],
    [12345678, '1.23e+7'],
    [0.00001, '1.00e−5'],
    [NaN, 'NaN'],
    [Infinity, '∞'],
    [-Infinity, '−∞'],
  ])('W49: %d reads %s', (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  it('W49: durations have units', () => {
    expect([0, 45.4, 60, 130, 3600, 11_100].map(durationText)).toEqual(['0 s', '45 s', '1 min', '2 min 10 s', '1 h 00 min', '3 h 05 min']);
    expect([0, 760_000, 3_723_000].map(clockText)).toEqual(['0:00', '12:40', '1:02:03']);
  });
});

describe('states and events', () => {
  it('W42: the study that runs is shown first, unless a person chose another', () => {
    const study = (name: string, campaign: 'none' | 'running' | 'completed') => ({ study: name, why: '', readable: true, approval: 'valid' as const, campaign, verdict: null });
    const studies = [study('a', 'none'), study('b', 'completed'), study('c', 'running')];
    expect(studyToShow(studies, null)?.study).toBe('c');
    expect(studyToShow(studies, 'a')?.study).toBe('a');
    expect(studyToShow(studies, 'gone')?.study).toBe('c');
    expect(studyToShow(studies.slice(0, 2), null)?.study).toBe('b');
    expect(studyToShow(studies.slice(0, 1), null)?.study).toBe('a');
    expect(studyToShow([], null)).toBeNull();
  });

  it('W43: every event of a recorded campaign is one line of words', () => {
    const lines = (readRecorded('completed').snapshot.events as readonly { readonly event: unknown }[]).map((line) => eventText(campaignEvent.parse(line.event)));
    for (const line of lines) expect(line).toMatch(/^\S[^\n_]*\S$/);
    for (const line of [
      'Started: 26 trials planned, 2 at a time',
      'baseline (noise, seed 42, repeat 1) done, score 199.6',
      'hangs (screen, seed 42) failed: no event for 5.1 s',
      'Ranking after refine: lr-high, small-net, discount-95, baseline',
      'lr-high goes into verification',
      'Verdict: Better: lr-high raised score by 280 against baseline (95 % over the plan: 30 to 540; 5 fresh seeds each).',
      'Campaign completed',
    ]) {
      expect(lines).toContain(line);
    }
  });
});

describe('colours', () => {
  const css = readFileSync(new URL('../../src-renderer/ui/tokens.css', import.meta.url), 'utf8');
  const [light = '', dark = ''] = css.split('@media');
  const read = (text: string): Readonly<Record<string, string>> => Object.fromEntries([...text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map((found) => [found[1] ?? '', found[2] ?? '']));
  const themes = { light: read(light), dark: read(dark) };
  const surfaces = ['background', 'surface', 'surface-low'];
  /** Text on ground. */
  const texts = [
    ...['text', 'text-quiet', 'accent'].flatMap((text) => surfaces.map((ground) => [text, ground] as const)),
    ...['good', 'warn', 'bad'].flatMap((tone) => [[tone, 'surface'], [tone, `${tone}-surface`]] as const),
    ['accent-text', 'accent'],
  ] as const;

  it.each(['light', 'dark'] as const)('W47: %s text has a contrast of 4.5, and borders of controls 3', (theme) => {
    for (const [text, ground] of texts) expect(contrast(themes[theme][text], themes[theme][ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    for (const ground of ['background', 'surface']) expect(contrast(themes[theme]['line-strong'], themes[theme][ground])).toBeGreaterThanOrEqual(3);
  });

  it('W47: both themes name the same colours, and the window has the same background', () => {
    expect(Object.keys(themes.dark).sort()).toEqual(Object.keys(themes.light).sort());
    expect(background).toEqual({ light: themes.light['background'], dark: themes.dark['background'] });
  });
});

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(one = '', other = ''): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
