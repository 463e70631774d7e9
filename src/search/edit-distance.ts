/** Code points of the longest text that typos are looked for in. */
export const MAX_TYPO_LENGTH = 64;

const WIDTH = MAX_TYPO_LENGTH + 1;
/** Three rows of the table, shared because nothing runs in between. */
const rows = [new Uint8Array(WIDTH), new Uint8Array(WIDTH), new Uint8Array(WIDTH)] as const;

/**
 * Edits that make one text of the other, `most` + 1 when it takes more than `most`. An edit puts a character in, takes
 * one out, replaces one, or swaps two neighbours. Both are code points, {@link MAX_TYPO_LENGTH} at most; `lengthOfA`:
 * how many of the first count.
 */
export function editDistance(a: Uint32Array, b: Uint32Array, most: number, lengthOfA = a.length): number {
  const tooMany = most + 1;
  const { length } = b;
  if (Math.abs(lengthOfA - length) > most) return tooMany;
  let [before, last, row] = rows;
  for (let j = 0; j <= length; j += 1) last[j] = j;
  for (let i = 1; i <= lengthOfA; i += 1) {
    // Cells further from the diagonal than there are edits cannot lie on the way.
    const from = Math.max(1, i - most);
    const to = Math.min(length, i + most);
    row[from - 1] = from === 1 ? i : tooMany;
    let least: number = tooMany;
    for (let j = from; j <= to; j += 1) {
      let edits = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      if (row[j - 1]! + 1 < edits) edits = row[j - 1]! + 1;
      if (j < i + most && last[j]! + 1 < edits) edits = last[j]! + 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped && before[j - 2]! + 1 < edits) edits = before[j - 2]! + 1;
      row[j] = edits;
      if (edits < least) least = edits;
    }
    if (least > most && from > 1) return tooMany;
    const free = before;
    before = last;
    last = row;
    row = free;
  }
  return Math.min(last[length]!, tooMany);
}

/** Edits that are forgiven in a text of so many code points: none in short ones, where everything is near everything. */
export function forgivenEdits(length: number): 0 | 1 | 2 {
  if (length < 4 || length > MAX_TYPO_LENGTH - 2) return 0;
  return length < 8 ? 1 : 2;
}

/** Code points of a text. */
export function codePoints(text: string): Uint32Array {
  return Uint32Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}
