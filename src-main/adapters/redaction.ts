// Takes secrets out of text that is about to be logged. Only adapters import it.

const hidden = '[redacted]';
/** Names that hold secrets, and not their false friends (`num_memory_tokens`): the word must end the name or stand before `_`. */
const secretName = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS?)(_|$)/i;
/** Shorter values are words that occur anywhere. */
const shortestSecret = 8;
const shapes = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const userInUrl = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;

/** A function that hides the values of secret variables of `env`, plain or encoded, and everything shaped like a known kind of key. */
export function makeRedaction(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length < shortestSecret || !secretName.test(name)) continue;
    for (const form of [value, encodeURIComponent(value), Buffer.from(value).toString('base64'), JSON.stringify(value).slice(1, -1)]) values.add(form);
  }
  // The longest first, so that no part of one is left over.
  const known = [...values].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const value of known) clean = clean.replaceAll(value, hidden);
    for (const shape of shapes) clean = clean.replace(shape, hidden);
    return clean.replace(userInUrl, `$1${hidden}@`);
  };
}
