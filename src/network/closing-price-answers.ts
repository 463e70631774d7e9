/**
 * Answers of services that are asked for the last close of a share. The answer's own shape tells whose it is, so that a
 * proxy in front of any of them, at whatever address, is read as well.
 */

type Fields = Readonly<Record<string, unknown>>;

/** As a service tells it: whether it can be true is for whoever asked. */
export interface ToldClose {
  /** Dollars a share. */
  readonly usd: number;
  /** Date of the session that ended with it, in New York: `2026-11-25`. */
  readonly date: string;
}

type Parser = (answer: unknown) => { readonly usd: unknown; readonly date: unknown } | undefined;

/** For a service of one's own: `{"close":268.1,"date":"2026-11-25"}`; the close may be a text. */
const plain: Parser = (answer) => {
  const { close, date } = fieldsOf(answer);
  return { usd: close, date };
};

/** Polygon, `/v2/aggs/ticker/{ticker}/prev`: `{"results":[{"c":268.1,"t":1795640400000}]}`, `t` a moment of the day. */
const polygon: Parser = (answer) => {
  const { results } = fieldsOf(answer);
  const { c, t } = fieldsOf(Array.isArray(results) ? results.at(-1) : undefined);
  return typeof t === 'number' && Number.isFinite(t) ? { usd: c, date: newYorkDate(t) } : undefined;
};

/** Twelve Data, `/eod?symbol={ticker}`: `{"symbol":"AAPL","datetime":"2026-11-25","close":"268.10"}`. */
const twelveData: Parser = (answer) => {
  const { close, datetime } = fieldsOf(answer);
  return { usd: close, date: datetime };
};

/** Tiingo, `/tiingo/daily/{ticker}/prices`: `[{"date":"2026-11-25T00:00:00.000Z","close":268.1}]`, the newest last. */
const tiingo: Parser = (answer) => {
  const { close, date } = fieldsOf(Array.isArray(answer) ? answer.at(-1) : undefined);
  return { usd: close, date };
};

const PARSERS: readonly Parser[] = [plain, polygon, twelveData, tiingo];
const DATE = /^(\d{4}-\d{2}-\d{2})(?:$|T| )/;
/** Milliseconds since 1970 that a date can have. */
const MOST_MS = 8_640_000_000_000_000;

const newYork = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York', dateStyle: 'short' });

/** The close that an answer tells; undefined when it is in no known shape. */
export function readClose(answer: unknown): ToldClose | undefined {
  for (const parse of PARSERS) {
    const { usd, date } = parse(answer) ?? {};
    const day = typeof date === 'string' ? DATE.exec(date)?.[1] : undefined;
    const price = typeof usd === 'string' && usd.trim() !== '' ? Number(usd) : usd;
    if (day !== undefined && typeof price === 'number') return { usd: price, date: day };
  }
  return undefined;
}

/**
 * The status that an answer tells of itself, in the place of HTTP's: Twelve Data, `{"code":429,"status":"error"}`;
 * undefined of every other.
 */
export function refusalOf(answer: unknown): number | undefined {
  const { code, status } = fieldsOf(answer);
  return status === 'error' && typeof code === 'number' && code >= 400 && code < 600 ? code : undefined;
}

function newYorkDate(milliseconds: number): string | undefined {
  return Math.abs(milliseconds) > MOST_MS ? undefined : newYork.format(milliseconds);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
