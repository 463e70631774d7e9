/** A text of a source file: a string, or a template with what is put into it taken out. */
export interface SourceText {
  /** The text, with a `\0` in the place of each `${…}`. */
  readonly text: string;
  /** The token before it: the tag of a template, or the sign of a concatenation. */
  readonly before: string;
  readonly after: string;
}

/** A slash begins a regular expression behind these, and divides behind everything else. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\n]|\breturn|\btypeof|=>)\s*$/;
const SHOWN = 80;

/** Every string and template of a TypeScript source, those inside of templates too. Comments hold none. */
export function sourceTexts(source: string): readonly SourceText[] {
  const texts: SourceText[] = [];

  /** Reads code from `at` on, to its end, or behind the brace that closes a template's hole. */
  function readCode(from: number, isHole: boolean): number {
    let depth = 0;
    for (let at = from; at < source.length; ) {
      const sign = source[at]!;
      const two = source.slice(at, at + 2);
      if (two === '//') at = indexAfter('\n', at);
      else if (two === '/*') at = indexAfter('*/', at);
      else if (sign === "'" || sign === '"') at = readString(at, sign);
      else if (sign === '`') at = readTemplate(at);
      else if (sign === '/' && BEFORE_REGEX.test(source.slice(Math.max(0, at - SHOWN), at))) at = skipRegex(at);
      else {
        if (sign === '{') depth += 1;
        if (sign === '}') depth -= 1;
        at += 1;
        if (isHole && depth < 0) return at;
      }
    }
    return source.length;
  }

  function readString(from: number, quote: string): number {
    let at = from + 1;
    while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1;
    add(from, at + 1, source.slice(from + 1, at));
    return at + 1;
  }

  function readTemplate(from: number): number {
    let text = '';
    let at = from + 1;
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        text += '\0';
        at = readCode(at + 2, true);
      } else {
        const step = source[at] === '\\' ? 2 : 1;
        text += source.slice(at, at + step);
        at += step;
      }
    }
    add(from, at + 1, text);
    return at + 1;
  }

  function skipRegex(from: number): number {
    let inClass = false;
    for (let at = from + 1; at < source.length; at += 1) {
      const sign = source[at];
      if (sign === '\\') at += 1;
      else if (sign === '[') inClass = true;
      else if (sign === ']') inClass = false;
      else if (sign === '/' && !inClass) return at + 1;
    }
    return source.length;
  }

  function add(from: number, end: number, text: string): void {
    texts.push({
      text,
      before: source.slice(Math.max(0, from - SHOWN), from),
      after: source.slice(end, end + SHOWN),
    });
  }

  function indexAfter(mark: string, at: number): number {
    const found = source.indexOf(mark, at);
    return found < 0 ? source.length : found + mark.length;
  }

  readCode(0, false);
  return texts;
}
