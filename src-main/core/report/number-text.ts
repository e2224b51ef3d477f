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
