import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';

/** Somebody who tells SOL in US dollars. */
export interface SolPriceSource {
  /** For logs: never the whole address, which may hold a key. */
  readonly name: string;
  /** Dollars per SOL. Rejects when there is no answer that can be read. */
  ask(signal: AbortSignal): Promise<number>;
}

/** SOL in US dollars, kept up to date in the background and told from memory. */
export interface SolPrice {
  /** Dollars per SOL for figures: undefined until it is known, and once it is older than {@link MAX_AGE_MS}. */
  usd(): number | undefined;
  /** The newest quote, however old; undefined until there is one. */
  quote(): SolQuote | undefined;
  /** Resolves when nothing is asked any more. */
  stop(): Promise<void>;
}

export interface SolQuote {
  /** Dollars per SOL. */
  readonly usd: number;
  readonly ageMs: number;
}

export interface SolPriceDeps {
  /** The first is preferred, each next one asked when those before it fail. */
  readonly sources: readonly SolPriceSource[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
  /** Told of every quote that is believed, in dollars. */
  readonly told?: (usd: number) => void;
}

/** Between two questions. */
const REFRESH_MS = 5_000;
/** A quote older than this values nothing any more, and no longer says which new one is wild. */
export const MAX_AGE_MS = 120_000;
/** A quote that differs from the last by more than this factor is taken for an error. */
const WILD_FACTOR = 2;
/** Nobody's price, whatever happens to the market: of the first quote there is nothing else to tell by. */
const MAX_USD = 1_000_000;
/** A source that failed is left alone for so long, doubled at each failure up to the second. */
const REST_MS = 10_000;
const MAX_REST_MS = 300_000;
/** Digits of a dollar that are kept. */
const MICROS = 1_000_000;

/** State of a source: its failures, and its rest after them. */
interface Standing {
  failures: number;
  /** Monotonic time from which it is asked again. */
  restsUntil: number;
}

/** Asks at once, and again every five seconds until it is stopped. */
export function startSolPrice({ sources, clock, log, journal, told }: SolPriceDeps): SolPrice {
  const stopping = new AbortController();
  const standings = new Map(sources.map((source): [SolPriceSource, Standing] => [source, newStanding()]));
  let last: { readonly usd: number; readonly at: number } | undefined;

  const usd = () => (last !== undefined && clock.elapsed() - last.at <= MAX_AGE_MS ? last.usd : undefined);

  /** The quote to believe. Throws for one that cannot be. */
  function judge(source: SolPriceSource, said: number): number {
    const quote = Math.round(said * MICROS) / MICROS;
    const known = usd();
    const isPrice = Number.isFinite(quote) && quote > 0 && quote <= MAX_USD;
    if (isPrice && (known === undefined || (quote <= known * WILD_FACTOR && quote >= known / WILD_FACTOR)))
      return quote;
    const detail = { source: source.name, usd: String(said), last: String(known) };
    journal.note({ code: 'value_out_of_range', subject: 'sol_price', detail });
    throw new Error(`a wild price of SOL: ${said}`);
  }

  async function ask(source: SolPriceSource, standing: Standing): Promise<boolean> {
    try {
      const quote = judge(source, await source.ask(stopping.signal));
      last = { usd: quote, at: clock.elapsed() };
      told?.(quote);
      if (standing.failures > 0) log.info({ source: source.name }, 'the price of SOL comes from here again');
      standing.failures = 0;
      return true;
    } catch (error) {
      if (stopping.signal.aborted) return true;
      if (standing.failures === 0) log.warn({ source: source.name, err: String(error) }, 'no price of SOL from here');
      standing.restsUntil = clock.elapsed() + Math.min(REST_MS * 2 ** standing.failures, MAX_REST_MS);
      standing.failures += 1;
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const [source, standing] of standings) {
        if (standing.failures > 0 && clock.elapsed() < standing.restsUntil) continue;
        if (await ask(source, standing)) break;
      }
      await clock.sleep(REFRESH_MS, stopping.signal);
    }
  }

  const running = run();
  return {
    usd,
    quote: () => last && { usd: last.usd, ageMs: clock.elapsed() - last.at },
    stop() {
      stopping.abort();
      return running;
    },
  };
}

function newStanding(): Standing {
  return { failures: 0, restsUntil: 0 };
}
