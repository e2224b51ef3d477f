// Canonical JSON against the examples of RFC 8785 and against every kind of value it must refuse.
import { describe, expect, it } from 'vitest';
import { canonicalJson, digest, digestBytes, digestText, NotCanonicalError } from '../../../src-main/core/provenance/canonical-json.ts';

describe('canonical JSON', () => {
  it('PV1 prints the example of RFC 8785 section 3.2.2', () => {
    const value = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\\"\/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('PV1 orders keys by UTF-16 code units (RFC 8785 section 3.2.3)', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    const order = [...canonicalJson(value).matchAll(/:(\d)/g)].map((match) => match[1]);
    expect(order.join('')).toBe('2467153');
  });

  it('PV1 prints the number samples of RFC 8785 appendix B', () => {
    const samples: readonly (readonly [string, string])[] = [
      ['0000000000000000', '0'], ['8000000000000000', '0'], ['0000000000000001', '5e-324'], ['8000000000000001', '-5e-324'],
      ['7fefffffffffffff', '1.7976931348623157e+308'], ['4340000000000000', '9007199254740992'], ['4430000000000000', '295147905179352830000'],
      ['44b52d02c7e14af5', '9.999999999999997e+22'], ['44b52d02c7e14af6', '1e+23'], ['444b1ae4d6e2ef4e', '999999999999999700000'],
      ['444b1ae4d6e2ef50', '1e+21'], ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'], ['3eb0c6f7a0b5ed8d', '0.000001'], ['41b3de4355555557', '333333333.33333343'],
    ];
    for (const [bits, text] of samples) expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE(0))).toBe(text);
  });

  it.each([
    ['NaN', { a: [1, Number.NaN] }, '$.a[1]'],
    ['Infinity', { a: Number.POSITIVE_INFINITY }, '$.a'],
    ['undefined', { a: undefined }, '$.a'],
    ['a hole of an array', new Array<number>(1), '$[0]'],
    ['a function', { a: () => 1 }, '$.a'],
    ['a bigint', [1n], '$[0]'],
    ['a date', { at: new Date(0) }, '$.at'],
    ['a map', new Map(), '$'],
    ['a lone surrogate', ['\ud800'], '$[0]'],
    ['a lone surrogate in a key', { '\udc00': 1 }, '$'],
  ])('PV2 refuses %s and says where', (_name, value, at) => {
    expect(() => canonicalJson(value)).toThrow(NotCanonicalError);
    try {
      canonicalJson(value);
    } catch (error) {
      expect((error as NotCanonicalError).at).toBe(at);
    }
  });

  it('PV2 refuses a cycle, and prints the same object twice when it is none', () => {
    const shared = { x: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]');
    const ring: Record<string, unknown> = {};
    ring['self'] = ring;
    expect(() => canonicalJson(ring)).toThrow(/cycle at \$\.self/);
  });

  it('PV1 gives one digest to equal values whatever their key order', () => {
    expect(digest({ a: 1, b: [2] })).toBe(digest(Object.fromEntries([['b', [2]], ['a', 1]])));
    expect(digest({ a: 1 })).not.toBe(digest({ a: '1' }));
    expect(digestText('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(digestBytes(new TextEncoder().encode('ö'))).toBe(digestText('ö'));
  });
});
