/** A number above zero that was typed: a campaign of nothing would end well. @throws {RangeError} for anything else. */
export function readWholeNumber(option: string, word: string): number {
  if (/^[1-9]\d{0,8}$/.test(word)) return Number(word);
  throw new RangeError(`--${option} must be a whole number from 1 on, not ${word}`);
}
