// Numbers and durations as the report writes them. Imported by this room and by the campaign's sentences.

/** Four significant digits, thousands apart; `-` for a missing value; NaN and infinities by name. */
export function numberText(value: number | null): string {
  if (value === null) return '-';
  if (!Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(4));
  return Math.abs(rounded) >= 10_000 ? Math.round(rounded).toLocaleString('en-US') : String(rounded);
}

/** `42 s`, `3 min 05 s`, `2 h 07 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `812 B`, `35 KB`, `1.5 GB`: of 1024. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const place = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** place;
  return `${value < 10 && place > 0 ? Number(value.toFixed(1)) : Math.round(value)} ${units[place] ?? 'B'}`;
}
