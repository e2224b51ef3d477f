// Numbers for tags, and the two limits.
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src-main/tfevents/held-bytes.ts';
import { MAX_TAGS, REFUSED_TAG, TagTable } from '../../src-main/tfevents/tag-table.ts';

function indexOf(table: TagTable, tag: string | Uint8Array): number {
  const bytes = typeof tag === 'string' ? new TextEncoder().encode(`<${tag}>`) : new Uint8Array([60, ...tag, 62]);
  return table.index(viewOf(bytes), 1, bytes.length - 1);
}

describe('tag table', () => {
  it('TF9: numbers tags in order of appearance and keeps the numbers', () => {
    const table = new TagTable();
    const tags = Array.from({ length: 3000 }, (_, at) => `Loss / ${at}`);
    expect(tags.map((tag) => indexOf(table, tag))).toEqual(tags.map((_, at) => at));
    expect(tags.map((tag) => indexOf(table, tag))).toEqual(tags.map((_, at) => at));
    expect(table.names).toEqual(tags);
  });

  it('TF9: tells short and similar tags apart', () => {
    const table = new TagTable();
    const short = ['', 'a', 'b', 'ab', 'abc', 'abd', 'abcd', 'abce', 'abcde', 'xbcde'];
    const tags = [...short, 'abcdefgh', 'abcdXfgh', '日本/タグ', '\ufeffa'];
    expect(tags.map((tag) => indexOf(table, tag))).toEqual(tags.map((_, at) => at));
    expect(table.names).toEqual(tags);
  });

  it('TF9: gives one number to broken spellings of the same text', () => {
    const table = new TagTable();
    expect(indexOf(table, new Uint8Array([97, 0xff]))).toBe(0);
    expect(indexOf(table, new Uint8Array([97, 0xfe]))).toBe(0);
    expect(table.names).toEqual(['a\ufffd']);
  });

  it('TF16: refuses a tag over 1 KiB and a tag too many, and keeps the old ones', () => {
    const table = new TagTable();
    expect(indexOf(table, 'x'.repeat(1024))).toBe(0);
    expect(indexOf(table, 'x'.repeat(1025))).toBe(REFUSED_TAG);
    for (let at = 1; at < MAX_TAGS; at += 1) indexOf(table, String(at));
    expect(indexOf(table, 'one more')).toBe(REFUSED_TAG);
    expect(indexOf(table, '9999')).toBe(9999);
    expect(table.names).toHaveLength(MAX_TAGS);
  });
});
