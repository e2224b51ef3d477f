// Secrets never reach a file, false friends do.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blot, findSecrets, makeRedactor } from '../../src-main/redaction/redactor.ts';

const env: Readonly<Record<string, string>> = {
  WANDB_API_KEY: 'w4ndb/canary+value "x"',
  PGPASSWORD: 'correct horse',
  AWS_SECRET_ACCESS_KEY: 'canary-secret-1234',
  NUM_TOKENS: '12345678',
  USE_TOKEN: 'true',
  PATH: '/usr/bin:/usr/local/bin',
};
const secrets = findSecrets({ envNames: () => Object.keys(env), env: (name) => env[name] });
const { text, plain } = makeRedactor(secrets);

describe('values of the environment', () => {
  test('F24 long values of variables that name a secret are found', () => {
    expect(secrets).toEqual(['w4ndb/canary+value "x"', 'correct horse', 'canary-secret-1234']);
  });

  test('F24 a secret is blotted out plain, URL-encoded, in base64 and JSON-escaped', () => {
    for (const secret of secrets) {
      const base64 = Buffer.from(secret).toString('base64');
      for (const form of [secret, encodeURIComponent(secret), base64, base64.replace(/=+$/, ''), JSON.stringify(secret).slice(1, -1)]) {
        expect(text(`before ${form} after`)).toBe(`before ${blot} after`);
      }
    }
  });

  test('F24 no part of a secret is left, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...secrets), fc.string(), (before, secret, after) => {
        const clean = text(before + secret + after);
        expect(clean.includes(secret)).toBe((before + after).includes(secret) && clean.includes(secret));
        expect(clean).toContain(blot);
      }),
    );
  });
});

describe('shapes', () => {
  test.each([
    ['key sk-' + 'a1'.repeat(12), `key ${blot}`],
    ['ghp_' + 'A'.repeat(36), blot],
    ['hf_' + 'b'.repeat(34), blot],
    ['id AKIAIOSFODNN7EXAMPLE!', `id ${blot}!`],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123_-', blot],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nrest', `${blot}\nrest`],
    ['-----BEGIN PRIVATE KEY-----\nMIIE', blot],
    ['git clone https://user:hunter2pass@host/x.git', `git clone https://${blot}@host/x.git`],
    ['Authorization: Bearer abcdef123456', `Authorization: Bearer ${blot}`],
    ['--api-key=abcdefgh123 --lr=3', `--api-key=${blot} --lr=3`],
    ['"password": "abcdefgh123"', `"password": "${blot}"`],
  ])('F24 %j', (dirty, clean) => {
    expect(text(dirty)).toBe(clean);
    expect(text(clean)).toBe(clean);
  });

  test('F24 texts under a key that names a secret', () => {
    expect(plain({ wandb: { api_key: 'abcdefghij', entity: 'me' }, argv: ['--x', 'canary-secret-1234'] })).toEqual({ wandb: { api_key: blot, entity: 'me' }, argv: ['--x', blot] });
  });
});

test('F25 false friends stay', () => {
  for (const kept of ['num_memory_tokens=12345678', 'use_cls_token=true', 'max_token: 100000000', 'the keyboard and the passage', 'https://host:8080/a@b', 'monkey=bananabanana', 'lr=0.0003', 'password=short', 'skip-connections']) {
    expect(text(kept)).toBe(kept);
  }
  const config = { num_memory_tokens: 12345678, use_cls_token: true, cls_token: '<|startoftext|>', tokens: ['abcdefghij'], key: 'observations' };
  expect(plain(config)).toEqual(config);
});

test('P25 the log keeps no secret, whatever form it comes in, and false friends stay', () => {
  const value = 's3cr+t/"väl=ue';
  const env: Readonly<Record<string, string>> = { MY_API_KEY: value, WANDB_API_KEY: 'short', num_memory_tokens: 'not-a-secret', PATH: '/usr/bin/long' };
  const redact = makeRedactor(findSecrets({ env: (name) => env[name], envNames: () => Object.keys(env) })).text;
  for (const form of [value, encodeURIComponent(value), Buffer.from(value).toString('base64'), JSON.stringify(value)]) {
    expect(redact(`a ${form} b`)).toMatch(/^a "?\[redacted\]"? b$/);
  }
  expect(redact('sk-abcdefghijklmnop1234 hf_abcdefghijklmnopqrst ghp_abcdefghijklmnopqrst AKIAABCDEFGHIJKLMNOP')).toBe('[redacted] [redacted] [redacted] [redacted]');
  expect(redact('https://user:pw@host/x')).toBe('https://[redacted]@host/x');
  expect(redact('num_memory_tokens=not-a-secret /usr/bin/long short')).toBe('num_memory_tokens=not-a-secret /usr/bin/long short');
});

describe('what is no text', () => {
  const key = `sk-${'a1b2'.repeat(6)}`;
  test.each([
    ['a key after any byte', `\u0000\u001aQ${key}\u00ff`, true],
    ['our own secret', `xx${'hunter2-hunter2'}yy`, true],
    ['our own secret in base64', Buffer.from('hunter2-hunter2').toString('base64'), true],
    ['a private key', '\u0007-----BEGIN RSA PRIVATE KEY-----abc', true],
    ['a word that looks like one', 'tag: risk-averse_reinforcement_learning', false],
    ['bytes', String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte)), false],
  ])('F24: EV5: %s', (_what, bytes, holds) => {
    expect(makeRedactor(['hunter2-hunter2']).holds(bytes)).toBe(holds);
  });
});
