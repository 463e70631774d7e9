import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';

/** The newest quote of a minute. */
export interface MinutePrice {
  /** Unix seconds at which the minute begins. */
  readonly minute: number;
  /** Unix milliseconds. */
  readonly quotedAt: number;
  /** Dollars per SOL. */
  readonly usd: number;
}

/** Keeps the price of SOL by minute. */
export interface SolPriceRecord {
  /** A quote of now, dollars per SOL. */
  take(usd: number): void;
  /** Resolves when what is left to be kept was tried once more. */
  stop(): Promise<void>;
}

export interface SolPriceRecordDeps {
  /** Keeps prices, each of which it may have already, an earlier quote of its minute too. */
  readonly keep: (prices: readonly MinutePrice[]) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

const MINUTE_MS = 60_000;
/** Minutes that wait for a store that does not answer: a day of them, then the oldest go. */
const MAX_WAITING = 1_440;
/** Between two tries. */
const RETRY_MS = 10_000;

/** A minute is kept with its first quote, so that a kill loses none, and again with its last one when the next begins. */
export function createSolPriceRecord({ keep, clock, log }: SolPriceRecordDeps): SolPriceRecord {
  const stopping = new AbortController();
  const waiting = new Map<number, MinutePrice>();
  let newest: MinutePrice | undefined;
  let writing: Promise<void> | undefined;
  let failures = 0;

  function add(price: MinutePrice): void {
    waiting.delete(price.minute);
    waiting.set(price.minute, price);
    const [oldest] = waiting.keys();
    if (waiting.size > MAX_WAITING) waiting.delete(oldest!);
  }

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const prices = [...waiting.values()];
      try {
        await keep(prices);
        // Unless another quote of the minute came meanwhile.
        for (const price of prices) if (waiting.get(price.minute) === price) waiting.delete(price.minute);
        if (failures > 0) log.info({}, 'the price of SOL is kept again');
        failures = 0;
      } catch (error) {
        if (failures === 0) log.warn({ err: String(error) }, 'the price of SOL could not be kept; it is tried again');
        failures += 1;
        if (stopping.signal.aborted) return;
        await clock.sleep(RETRY_MS, stopping.signal);
      }
    }
  }

  function begin(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  return {
    take(usd) {
      const quotedAt = clock.now();
      const minute = Math.floor(quotedAt / MINUTE_MS) * (MINUTE_MS / 1_000);
      const before = newest;
      newest = { minute, quotedAt, usd };
      if (before?.minute === minute) return;
      if (before !== undefined) add(before);
      add(newest);
      void begin();
    },
    async stop() {
      stopping.abort();
      if (newest !== undefined) add(newest);
      await writing;
      if (waiting.size > 0) await begin();
    },
  };
}
