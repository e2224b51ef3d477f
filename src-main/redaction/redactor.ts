// Leaf library: blots secrets out of what is about to be written: manifests, reports, logs. Core and adapters import it; it imports
// src-protocol only.
// Rules: docs/specs/files.md, F24 and F25.
import type { Plain, PlainMap } from '../../src-protocol/files/plain.ts';

export const blot = '[redacted]';

/** Shorter values are words that occur anywhere. */
const shortestSecret = 8;
/** Names that hold secrets, and not their false friends (`num_memory_tokens`): the word must end the name or stand before `_`. */
const secretName = /(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PASSWD|PASSPHRASE|CRED|CREDENTIALS?)(?:_|$)/i;

const shapes: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bgh[opusr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
];
/** In what is no text, any byte may stand before a key; a word such as `risk-averse-...` has no digit. */
const shapesAnywhere = shapes.map((shape) => new RegExp(shape.source.replace(/^\\b/, ''), 'g'));
const credentialsInUrl = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:]{0,200}:[^\s/@]{1,200}@/gi;
const authorization = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}/gi;
/** `--api-key=...`, `WANDB_API_KEY: ...`; a number or a truth value is no secret. */
const assignment = /\b([A-Za-z0-9_-]*(?:api[_-]?key|access[_-]?key|secret[_-]?key|token|secret|password|passwd))(["']?\s*[=:]\s*["']?)([^\s"',;&]{8,})/gi;
const falseFriend = /(?:^|[_-])(?:cls|bos|eos|pad|sep|mask|unk|special)[_-]?token$/i;

export interface Redactor {
  readonly text: (text: string) => string;
  /** Every text in a value, and texts under a key that names a secret; numbers and truth values stay. */
  readonly plain: (value: Plain) => Plain;
  /** Whether a text holds a secret of ours or a known shape of one; for what is no text and cannot be blotted. */
  readonly holds: (text: string) => boolean;
}

/** Our own environment, as the Machine port gives it. */
export interface Environment {
  env(name: string): string | undefined;
  envNames(): readonly string[];
}

/** Values of our own environment that must never be written. */
export function findSecrets(machine: Environment): readonly string[] {
  const values = machine.envNames().filter((name) => secretName.test(name)).map((name) => machine.env(name) ?? '');
  return [...new Set(values.filter((value) => value.length >= shortestSecret && !/^[\d.]+$/.test(value)))];
}

export function makeRedactor(secrets: readonly string[]): Redactor {
  // The longest first, so that no part of one is left over.
  const forms = [...new Set(secrets.filter((secret) => secret.length >= shortestSecret).flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const text = (value: string): string => {
    let clean = value;
    for (const form of forms) clean = clean.replaceAll(form, blot);
    for (const shape of shapes) clean = clean.replace(shape, blot);
    return clean
      .replace(credentialsInUrl, `$1${blot}@`)
      .replace(authorization, `$1 ${blot}`)
      .replace(assignment, (whole: string, name: string, sign: string, held: string) => (isSecretText(name, held) ? `${name}${sign}${blot}` : whole));
  };
  const plain = (value: Plain, key = ''): Plain => {
    if (typeof value === 'string') return isSecretKey(key) && isSecretText(key, value) ? blot : text(value);
    if (Array.isArray(value)) return value.map((item: Plain) => plain(item, key));
    if (!isPlainMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item, name)]));
  };
  const holds = (value: string): boolean => forms.some((form) => value.includes(form)) || shapesAnywhere.some((shape) => (value.match(shape) ?? []).some((found) => /\d|PRIVATE KEY/.test(found)));
  return { text, plain: (value) => plain(value), holds };
}

/** As it is, URL-encoded, in base64 (with and without padding, both alphabets), and as JSON escapes it. */
function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret, 'utf8').toString('base64');
  const bare = base64.replace(/=+$/, '');
  return [secret, encodeURIComponent(secret), base64, bare, bare.replaceAll('+', '-').replaceAll('/', '_'), JSON.stringify(secret).slice(1, -1)];
}

function isSecretKey(key: string): boolean {
  return /(?:api_?key|access_?key|secret_?key|private_?key|token|secret|password|passwd|credentials?)$/i.test(key.replaceAll('-', '_'));
}

function isSecretText(name: string, value: string): boolean {
  return value.length >= shortestSecret && value !== blot && !falseFriend.test(name) && !/^(?:[\d.eE+-]+|true|false|null|none)$/i.test(value);
}

function isPlainMap(value: Plain): value is PlainMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
