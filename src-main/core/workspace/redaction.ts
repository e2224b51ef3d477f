// Blots secrets out of what is about to be written: manifests, reports, logs. Any room of the core may import it.
// Rules: docs/specs/files.md, F24 and F25.
import type { Plain } from '../../../src-protocol/files/plain.ts';
import type { Machine } from '../../ports.ts';
import { isPlainMap } from './settings-path.ts';

export const blot = '[redacted]';

/** Shorter values are words that occur anywhere. */
const shortestSecret = 8;
const secretName = /KEY|TOKEN|SECRET|PASS|CRED/i;

const shapes: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bgh[opusr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
];
const credentialsInUrl = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:]{0,200}:[^\s/@]{1,200}@/gi;
const authorization = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}/gi;
/** `--api-key=...`, `WANDB_API_KEY: ...`; a number or a truth value is no secret. */
const assignment = /\b([A-Za-z0-9_-]*(?:api[_-]?key|access[_-]?key|secret[_-]?key|token|secret|password|passwd))(["']?\s*[=:]\s*["']?)([^\s"',;&]{8,})/gi;
const falseFriend = /(?:^|[_-])(?:cls|bos|eos|pad|sep|mask|unk|special)[_-]?token$/i;

export interface Redactor {
  readonly text: (text: string) => string;
  /** Every text in a value, and texts under a key that names a secret; numbers and truth values stay. */
  readonly plain: (value: Plain) => Plain;
}

/** Values of our own environment that must never be written. */
export function findSecrets(machine: Pick<Machine, 'env' | 'envNames'>): readonly string[] {
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
  return { text, plain: (value) => plain(value) };
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
