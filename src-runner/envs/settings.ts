// Reads numeric environment settings against their defaults, so that a misspelt one is an error and not a default.
// Imported by envs/registry.ts and the toolkit.

type Settings = Readonly<Record<string, unknown>>;

/**
 * `defaults` with the numbers of `given` over them. Throws an Error naming the setting when `given` holds a key that
 * `defaults` lacks or a value that is not a finite number.
 */
export function readSettings<T extends { readonly [K in keyof T]: number }>(given: Settings, defaults: T): T {
  const known = Object.keys(defaults);
  const settings: Record<string, number> = { ...defaults };
  for (const [key, value] of Object.entries(given)) {
    if (!known.includes(key)) throw new Error(`unknown environment setting "${key}"; known: ${known.join(', ')}`);
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new Error(`environment setting "${key}" must be a finite number, not ${JSON.stringify(value)}`);
    }
    settings[key] = value;
  }
  return settings as unknown as T;
}
