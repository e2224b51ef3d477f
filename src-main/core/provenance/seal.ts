// Seals made with the machine key: what a seal covers cannot be changed by anybody who does not hold the key. Any room of the core may import it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * HMAC-SHA-256, in lowercase hex, of the canonical JSON of [domain, ...fields] under the machine key. The domain keeps a seal of one
 * kind from ever being read as one of another kind.
 */
export function makeSeal(machineKey: Uint8Array, domain: string, fields: readonly unknown[]): string {
  return createHmac('sha256', machineKey)
    .update(canonicalJson([domain, ...fields]), 'utf8')
    .digest('hex');
}

export function isSealOf(seal: string, machineKey: Uint8Array, domain: string, fields: readonly unknown[]): boolean {
  const expected = Buffer.from(makeSeal(machineKey, domain, fields), 'hex');
  const given = Buffer.from(seal, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** 16 hex digits that name the machine key without giving it away: they tell a foreign seal from a forged one. */
export function machineMark(machineKey: Uint8Array): string {
  return makeSeal(machineKey, 'rlxp machine mark v1', []).slice(0, 16);
}
