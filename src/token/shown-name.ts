/**
 * Characters that are no text, or change how what stands around them is shown: controls, line ends, directions,
 * halves of characters. Joiners stay, because they are part of emoji and of several scripts.
 */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A name or symbol of a stranger's making as it is served. The store keeps what the chain has. */
export function shownName(name: string): string {
  return name.replace(UNPRINTABLE, '');
}

const LAST_CODE_POINT = 0x10_ffff;
/** Code points of halves of characters, which no text in UTF-8 has. */
const HALVES = { first: 0xd800, last: 0xdfff } as const;

let known: string | undefined;

/**
 * The characters that {@link shownName} takes out, as a class of the engine's regular expressions, whose own tables of
 * categories may be of another year. Looks at every character there is: made once.
 */
export function unprintableClass(): string {
  known ??= makeClass();
  return known;
}

function makeClass(): string {
  const ranges: string[] = [];
  let first: number | undefined;
  for (let point = 0; point <= LAST_CODE_POINT + 1; point += 1) {
    if (point === HALVES.first) point = HALVES.last + 1;
    const isOut = point <= LAST_CODE_POINT && shownName(String.fromCodePoint(point)) === '';
    if (isOut) first ??= point;
    else if (first !== undefined) {
      ranges.push(`\\x{${first.toString(16)}}-\\x{${(point - 1).toString(16)}}`);
      first = undefined;
    }
  }
  return `[${ranges.join('')}]`;
}
