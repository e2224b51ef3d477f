// Numbers printed with as many digits as their uncertainty allows. Anyone in core may import it.

/**
 * `value` rounded where the second significant digit of `halfWidth` stands: 51.83 +- 3.2 is "51.8", 51.83 +- 32 is "52".
 * Both in the same unit. Without a usable half width (0, NaN, infinite): four significant digits.
 */
export function honestNumber(value: number, halfWidth: number): string {
  if (value === Infinity) return '+infinity';
  if (value === -Infinity) return '-infinity';
  if (Number.isNaN(value)) return 'not a number';
  if (!(halfWidth > 0 && halfWidth < Infinity)) return withoutMinusZero(String(Number(value.toPrecision(4))));
  const exponent = Math.floor(Math.log10(halfWidth)) - 1;
  if (exponent < -9) return withoutMinusZero(value.toPrecision(4));
  if (exponent >= 0) return withoutMinusZero((Math.round(value / 10 ** exponent) * 10 ** exponent).toFixed(0));
  return withoutMinusZero(value.toFixed(-exponent));
}

/** A share as a percentage: "45 %", and "0.4 %" below one percent. */
export function percent(share: number): string {
  const value = 100 * share;
  return `${value > 0 && value < 1 ? value.toPrecision(1) : value.toFixed(0)} %`;
}

function withoutMinusZero(text: string): string {
  return /^-[0.]+$/.test(text) ? text.slice(1) : text;
}
