/**
 * Characters that are no text, or change how what stands around them is shown: controls, line ends, directions,
 * halves of characters. Joiners stay, because they are part of emoji and of several scripts.
 */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A name or symbol of a stranger's making as it is served. The store keeps what the chain has. */
export function shownName(name: string): string {
  return name.replace(UNPRINTABLE, '');
}
