// A number with its noun, the one place where words are made plural. Anyone may import it.

/** `1 file`, `3 files`, `2 studies`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
