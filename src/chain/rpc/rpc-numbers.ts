/**
 * JSON.parse for RPC answers that keeps large integers exact: an integer of 16
 * or more digits, which a double may round, becomes a string of its digits. The
 * readers of this folder take either.
 *
 * Answers hold such numbers rarely (balances above nine million SOL), so the
 * usual cost is one search. Throws a SyntaxError as JSON.parse does.
 */
export function parseRpcJson(text: string): unknown {
  return JSON.parse(LONG_INTEGER.test(text) ? quoteLongIntegers(text) : text);
}

/** A long integer where a value can stand. It may also be part of a text, such as a log line. */
const LONG_INTEGER = /[:[,]\s*-?\d{16,}\s*[,\]}]/;
const LONG_INTEGERS = /([:[,]\s*)(-?\d{16,})(?=\s*[,\]}])/g;

function quoteLongIntegers(text: string): string {
  let result = '';
  let copied = 0;
  const strings = new StringSkipper(text);
  for (const match of text.matchAll(LONG_INTEGERS)) {
    if (strings.isInString(match.index)) continue;
    const start = match.index + match[1]!.length;
    const end = start + match[2]!.length;
    result += `${text.slice(copied, start)}"${text.slice(start, end)}"`;
    copied = end;
  }
  return result + text.slice(copied);
}

/**
 * Tells for growing positions whether they lie in a string, hopping from quote
 * to quote. Each string is gone through once, however many positions lie in it.
 */
class StringSkipper {
  readonly #text: string;
  /** Quotes of the first string that ends behind the position last asked for; the end of the text when none does. */
  #open = -1;
  #close = -1;

  constructor(text: string) {
    this.#text = text;
  }

  isInString(position: number): boolean {
    while (this.#close <= position) {
      const open = this.#text.indexOf('"', this.#close + 1);
      if (open === -1) this.#open = this.#close = this.#text.length;
      else {
        this.#open = open;
        this.#close = this.#closeOf(open);
      }
    }
    return this.#open <= position;
  }

  #closeOf(open: number): number {
    let close = open;
    do {
      close = this.#text.indexOf('"', close + 1);
      if (close === -1) return this.#text.length;
    } while (this.#isEscaped(close));
    return close;
  }

  #isEscaped(quote: number): boolean {
    let backslashes = 0;
    while (this.#text[quote - 1 - backslashes] === '\\') backslashes++;
    return backslashes % 2 === 1;
  }
}
