// Numbers and durations as people read them. Imported by features and tests.

/** Four significant digits: 187.3, 0.0123; thousands get a thin gap. Non-finite numbers are named. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-3)) return value.toExponential(2).replace('-', '−');
  const decimals = size === 0 ? 0 : Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(size))));
  const [whole = '', part] = Math.abs(Number(value.toFixed(decimals))).toString().split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return `${value < 0 ? '−' : ''}${grouped}${part === undefined ? '' : `.${part}`}`;
}

/** 45 s, 2 min 10 s, 3 h 05 min. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** 0:05, 12:40, 1:02:03. */
export function clockText(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
