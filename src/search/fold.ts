import { CONFUSABLES } from './confusables.ts';

/** Texts of keyboards, which need none of Unicode's tables. */
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_GAPS = /[^a-z0-9]+/g;
/** Written inside of words, and read over. */
const PLAIN_MARKS = /['`]/g;
/**
 * What is not seen, or sits on what is: accents and everything else that is stacked on letters, controls, joiners,
 * directions, tags, skin tones, letters without ink, and the marks of an apostrophe.
 */
const UNSEEN = /[\p{M}\p{C}\p{Emoji_Modifier}\u115f\u1160\u2800'`\u2018\u2019\u02bc]/gu;
/** Between words: everything but letters, digits and pictures. */
const GAPS = /[^\p{L}\p{N}\p{So}]+|\ufffd+/gu;

/**
 * The text by which names are compared: words in small letters with one space between them, as they look to an eye that
 * sees no accents and no alphabets. '' for a text of which nothing is left. Folding what is folded changes nothing.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(PLAIN_MARKS, '').replace(PLAIN_GAPS, ' ').trim();
  const letters = text.normalize('NFKD').replace(UNSEEN, '').toLowerCase().normalize('NFKD').replace(UNSEEN, '');
  let latin = '';
  for (const letter of letters) latin += CONFUSABLES.get(letter) ?? letter;
  return latin.replace(GAPS, ' ').trim().normalize('NFC');
}

/** Code points of a text. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
