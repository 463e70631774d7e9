import { type Alarm, createAlarms } from '../kernel/alarms.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import { type LastKnown, withoutFaults } from '../kernel/last-known.ts';
import type { Logger } from '../kernel/log.ts';
import type { ToldClose } from './closing-price-answers.ts';

/** Somebody who tells at what price a share closed. */
export interface ClosingPriceSource {
  /** For logs: never the whole address, which may hold a key. */
  readonly name: string;
  /**
   * The newest close of a share. Rejects when there is no answer that can be read.
   *
   * @throws {UnknownShare} when the source does not have the share.
   * @throws {NoClose} when it answers, but not with a close.
   * @throws {TooManyQuestions} when it wants fewer questions.
   */
  ask(ticker: string, signal: AbortSignal): Promise<ToldClose>;
}

export class UnknownShare extends Error {
  override readonly name = 'UnknownShare';
}

export class NoClose extends Error {
  override readonly name = 'NoClose';
}

export class TooManyQuestions extends Error {
  override readonly name = 'TooManyQuestions';
}

/** A close as it is kept. */
export interface KeptClose extends ToldClose {
  readonly ticker: string;
}

/** Closes of shares, asked for in the background and told from memory. */
export interface ClosingPrices {
  /** The newest one, however old and told to whatever process; undefined until it is told. */
  closeOf(ticker: string): ToldClose | undefined;
  /** `ageMs`: milliseconds since a close was told; undefined before the first time. `failed`: questions without an answer. */
  readonly figures: { readonly ageMs: number | undefined; readonly failed: number };
  alarms(): readonly Alarm[];
  /** Resolves when nothing is asked any more. */
  stop(): Promise<void>;
}

export interface ClosingPricesDeps {
  readonly source: ClosingPriceSource;
  /** Each once. */
  readonly tickers: readonly string[];
  /** What the source told before this process; undefined where nothing is kept. */
  readonly kept?: LastKnown<KeptClose> | undefined;
  /** Date of the last session whose close is to be asked for by now, in New York: `2026-11-25`. */
  readonly lastSession: () => string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
}

/** Between two questions at first: two hundred shares are asked for in a few minutes. */
const PACE_MS = 1_000;
/** As slow as it gets for a source that wants fewer questions. */
const MAX_PACE_MS = 60_000;
/** A source that fails is left alone for so long at most. */
const MAX_REST_MS = 300_000;
/** A share whose close was not told, or was of an older session, is asked for again behind so long. */
const RETRY_MS = 1_800_000;
/** One that the source does not have, while it has others. */
const UNKNOWN_MS = 86_400_000;
/** A source that tells closes of at least so many of the shares does its work: some lack many of them. */
const LEAST_TOLD = 0.1;
/** Nothing was told for so long, though there was something to ask for. */
const ALARM_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** No share costs more. */
const MAX_USD = 100_000_000;
const MICROS = 1_000_000;
/** So many new closes are kept together: a kill costs no more. */
const KEPT_AT_ONCE = 20;

/** Asks for each share once a session, one behind the other, until it is stopped. */
export function startClosingPrices(deps: ClosingPricesDeps): ClosingPrices {
  const { source, tickers, lastSession, clock, log, journal } = deps;
  const stopping = new AbortController();
  const closes = new Map<string, ToldClose>();
  /** Monotonic time from which a share is asked for again. */
  const restsUntil = new Map<string, number>();
  const alarms = createAlarms({ clock, log });
  const kept = withoutFaults(deps.kept, { log, what: 'closes of shares' });
  /** Told, and not kept yet. */
  let unkept: KeptClose[] = [];
  let paceMs = PACE_MS;
  let failures = 0;
  let failed = 0;
  /** Monotonic time of the last close that was told. */
  let closeAt: number | undefined;
  /** Monotonic time of the last answer, or of the start. */
  let toldAt = clock.elapsed();
  /** Shares that it has said to have no close of: it is logged once. */
  const refused = new Set<string>();
  /** The session for which something was noted or warned of last, by share: once in each. */
  const noted = new Map<string, string>();
  const warned = new Map<string, string>();
  let isWarned = false;

  /** True the first time that a session is told of a share. */
  function isFirst(told: Map<string, string>, ticker: string): boolean {
    const session = lastSession();
    if (told.get(ticker) === session) return false;
    told.set(ticker, session);
    return true;
  }

  /** One answer is not enough: an address that is wrong for all shares but one is no source. */
  function isSource(): boolean {
    return tickers.filter(isTold).length >= Math.max(1, tickers.length * LEAST_TOLD);
  }

  /** The close to believe. Throws for one that cannot be. */
  function judge(ticker: string, told: ToldClose): ToldClose {
    const usd = Math.round(told.usd * MICROS) / MICROS;
    // A price of the session that is under way is no close.
    if (Number.isFinite(usd) && usd > 0 && usd <= MAX_USD && told.date <= lastSession()) return { ...told, usd };
    const detail = { source: source.name, ticker, usd: String(told.usd), date: told.date };
    if (isFirst(noted, ticker)) journal.note({ code: 'value_out_of_range', subject: 'closing_price', detail });
    throw new NoClose(`${told.usd} of ${told.date}`);
  }

  async function ask(ticker: string): Promise<void> {
    const close = judge(ticker, await source.ask(ticker, stopping.signal));
    if (isWarned) log.info({ source: source.name }, 'closes of shares come from here again');
    isWarned = false;
    failures = 0;
    toldAt = clock.elapsed();
    closeAt = toldAt;
    const known = closes.get(ticker);
    if (known === undefined || known.date <= close.date) {
      closes.set(ticker, close);
      unkept.push({ ticker, ...close });
    }
    restsUntil.set(ticker, clock.elapsed() + RETRY_MS);
  }

  function takeNote(ticker: string, error: unknown): void {
    const isUnknown = error instanceof UnknownShare;
    // That it does not have a share is an answer, of a source that has others: else it may have lost its way.
    const isLacking = isUnknown && isSource();
    restsUntil.set(ticker, clock.elapsed() + (isLacking ? UNKNOWN_MS : RETRY_MS));
    if (isLacking) toldAt = clock.elapsed();
    else failed += 1;
    if (isUnknown || error instanceof NoClose) {
      failures = 0;
      const fields = { code: 'closing_price_refused', source: source.name, ticker, err: String(error) };
      if (!refused.has(ticker)) log.info(fields, 'no close of this share from here');
      refused.add(ticker);
      return;
    }
    if (error instanceof TooManyQuestions) {
      paceMs = Math.min(2 * paceMs, MAX_PACE_MS);
      // It is asked for again as soon as the others.
      restsUntil.delete(ticker);
    }
    const fields = { code: 'closing_prices_failed', source: source.name, err: String(error), pace_ms: paceMs };
    if (failures === 0 && isFirst(warned, ticker)) {
      isWarned = true;
      log.warn(fields, 'closes of shares do not come from here');
    } else log.debug(fields, 'closes of shares do not come from here again');
    failures += 1;
  }

  /** True of a share whose close of the last session is known. */
  function isTold(ticker: string): boolean {
    const close = closes.get(ticker);
    return close !== undefined && close.date >= lastSession();
  }

  function* due(): Generator<string> {
    for (const ticker of tickers) {
      if (!isTold(ticker) && clock.elapsed() >= (restsUntil.get(ticker) ?? 0)) yield ticker;
    }
  }

  async function remember(): Promise<void> {
    const session = lastSession();
    for (const { ticker, usd, date } of await kept.load()) {
      const isNewer = date > (closes.get(ticker)?.date ?? '');
      if (tickers.includes(ticker) && isNewer && date <= session && usd > 0) closes.set(ticker, { usd, date });
    }
  }

  async function keep(): Promise<void> {
    const some = unkept;
    unkept = [];
    await kept.keep(some);
  }

  async function run(): Promise<void> {
    await remember();
    while (!stopping.signal.aborted) {
      let isAnyDue = false;
      for (const ticker of due()) {
        isAnyDue = true;
        try {
          await ask(ticker);
        } catch (error) {
          if (stopping.signal.aborted) return;
          takeNote(ticker, error);
        }
        await clock.sleep(failures === 0 ? paceMs : Math.min(paceMs * 2 ** failures, MAX_REST_MS), stopping.signal);
        if (stopping.signal.aborted) return;
        if (unkept.length >= KEPT_AT_ONCE) await keep();
      }
      await keep();
      if (isAnyDue) continue;
      // Nothing to ask for is no silence, unless nothing was told of the session.
      if (failures === 0 && isSource()) toldAt = clock.elapsed();
      await clock.sleep(MINUTE_MS, stopping.signal);
    }
  }

  const running = run().then(keep);
  return {
    closeOf: (ticker) => closes.get(ticker),
    get figures() {
      return { ageMs: closeAt === undefined ? undefined : clock.elapsed() - closeAt, failed };
    },
    alarms() {
      const silentMs = clock.elapsed() - toldAt;
      const message = `${source.name} has told no close of a share for ${Math.floor(silentMs / MINUTE_MS)} minutes`;
      alarms.set('closing_prices_silent', silentMs >= ALARM_MS ? message : undefined);
      return alarms.list();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
