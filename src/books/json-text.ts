/** JSON of answers, and pieces of rows that are written by hand: those that are written once and sent many times. */

/** The bytes of an answer; fields that are undefined are left out. */
export function jsonBody(answer: object): Buffer {
  return Buffer.from(JSON.stringify(answer));
}

/** A string of someone else's making, quoted and escaped. */
export function quoteJson(text: string): string {
  return JSON.stringify(text);
}

/** Unix seconds as an RFC 3339 timestamp in UTC. */
export function timeText(seconds: number): string {
  if (seconds !== lastSeconds) {
    lastSeconds = seconds;
    // Whole seconds always end in ".000Z": cut it to "Z".
    lastTime = `${new Date(seconds * 1000).toISOString().slice(0, -5)}Z`;
  }
  return lastTime;
}

/** The same of a block's time; undefined for 0, which means that it is not known. */
export function knownTime(seconds: number): string | undefined {
  return seconds === 0 ? undefined : timeText(seconds);
}

/** Unix milliseconds as an RFC 3339 timestamp in UTC, for instants of ours. */
export function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

// Rows come in order, many to a second.
let lastSeconds = 0;
let lastTime = '1970-01-01T00:00:00Z';

/** `{"data":[…],"next_cursor":"…","partial":true}` around rows that are already JSON; the mark stands only where it is true. */
export function listBody(rows: readonly Buffer[], nextCursor: string | undefined, partial = false): Buffer {
  const parts: Buffer[] = [OPEN];
  for (let i = 0; i < rows.length; i += 1) {
    if (i > 0) parts.push(COMMA);
    parts.push(rows[i]!);
  }
  const mark = partial ? ',"partial":true' : '';
  const isPlain = nextCursor === undefined && !partial;
  const cursor = nextCursor === undefined ? '' : `,"next_cursor":${quoteJson(nextCursor)}`;
  parts.push(isPlain ? CLOSE : Buffer.from(`]${cursor}${mark}}`));
  return Buffer.concat(parts);
}

const OPEN = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']}');
