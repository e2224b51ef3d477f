// The known word that a mistyped one was probably meant to be. Anyone may import it.

/** The closest of `known` by edits (insert, delete, replace, swap neighbours), or null when none is close enough to suggest. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = isSameWords(word, candidate) ? 0 : editDistance(word.slice(0, 80), candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Optimal string alignment distance; the plain table, since words are short. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(rows, i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, at(rows, i - 2, j - 2) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}

/** `maxParallel`, `max-parallel` and `MAX_PARALLEL` all mean `max_parallel`. */
function isSameWords(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}
