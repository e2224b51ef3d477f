// Numbers, durations and values as people read them. Imported by presenters.
import { countText } from '../../../src-protocol/count-text.ts';
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';

/** Four significant digits, and no exponent between a thousandth and ten millions: 187.3, 0.0123, 12000. */
export function numberText(value: number | null): string {
  if (value === null) return '-';
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-3) return value.toExponential(2);
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(size)));
  return value.toFixed(Math.min(decimals, 6));
}

export function percentText(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

export function intervalText(low: number | null, high: number | null): string {
  return low === null || high === null ? '-' : `${numberText(low)} to ${numberText(high)}`;
}

/** 45 s, 2 min 10 s, 3 h 05 min. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** 0:05, 12:40, 1:02:03 since the start. */
export function clockText(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** `26 trials planned (36 with every look of verify)`: the number a campaign counts to, and what it may come to. */
export function plannedText(planned: number, toLastLook: number | null): string {
  return `${countText(planned, 'trial')} planned${toLastLook === null || toLastLook === planned ? '' : ` (${toLastLook} with every look of verify)`}`;
}

/** `better: by 41 points`, without saying the word twice when the text begins with it. */
export function wordAndText(word: string, text: string): string {
  const spoken = word.replaceAll('_', ' ');
  return text.toLowerCase().startsWith(spoken.toLowerCase()) ? text : `${spoken}: ${text}`;
}

/** A configuration block as indented lines, the way it stands in YAML. */
export function plainLines(value: PlainMap, indent = '  '): readonly string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    if (isMap(item) && Object.keys(item).length > 0) return [`${indent}${key}:`, ...plainLines(item, `${indent}  `)];
    return [`${indent}${key}: ${scalarText(item)}`];
  });
}

function isMap(value: Plain): value is PlainMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function scalarText(value: Plain): string {
  if (Array.isArray(value)) return `[${value.map((item: Plain) => scalarText(item)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'string' && value !== '' && !/[:#\n]/.test(value) ? value : JSON.stringify(value);
}
