import { afterEach, describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { Oddity } from '../kernel/journal.ts';
import type { LastKnown } from '../kernel/last-known.ts';
import { silentLogger } from '../kernel/log.ts';
import type { ToldClose } from './closing-price-answers.ts';
import {
  type ClosingPriceSource,
  type ClosingPrices,
  type KeptClose,
  NoClose,
  startClosingPrices,
  TooManyQuestions,
  UnknownShare,
} from './closing-prices.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let prices: ClosingPrices | undefined;
afterEach(async () => {
  await prices?.stop();
  prices = undefined;
});

function raise(error: Error): never {
  throw error;
}

/** A source that says what a test wants, and whoever follows it. */
async function follow(tickers: readonly string[], answer?: (ticker: string) => ToldClose, kept?: LastKnown<KeptClose>) {
  const clock = createHandClock();
  const notes: Oddity[] = [];
  const warnings: unknown[] = [];
  const asked: { readonly ticker: string; readonly at: number }[] = [];
  const state = {
    session: '2026-11-24',
    answer: answer ?? ((_ticker: string): ToldClose => ({ usd: 100, date: '2026-11-24' })),
  };
  const source: ClosingPriceSource = {
    name: 'exchange',
    async ask(ticker) {
      asked.push({ ticker, at: clock.elapsed() });
      return state.answer(ticker);
    },
  };
  prices = startClosingPrices({
    ...{
      source,
      tickers,
      kept,
      clock,
      log: { ...silentLogger, warn: (...words: unknown[]) => void warnings.push(words) },
    },
    lastSession: () => state.session,
    journal: { note: (oddity) => notes.push(oddity) },
  });
  await clock.advance(0);
  return { clock, notes, warnings, asked, state, prices };
}

describe('closes of shares', () => {
  it('are asked for once a session, a second apart', async () => {
    const { clock, asked, state, prices: told } = await follow(['A', 'B', 'C']);
    await clock.advance(10_000);
    expect(asked).toEqual(['A', 'B', 'C'].map((ticker, place) => ({ ticker, at: place * 1_000 })));
    expect(told.closeOf('B')).toEqual({ usd: 100, date: '2026-11-24' });
    await clock.advance(20 * HOUR_MS);
    expect(asked).toHaveLength(3);
    state.session = '2026-11-25';
    state.answer = () => ({ usd: 101.1234567, date: '2026-11-25' });
    await clock.advance(2 * MINUTE_MS);
    expect(asked).toHaveLength(6);
    expect(told.closeOf('C')).toEqual({ usd: 101.123457, date: '2026-11-25' });
  });

  it('of an older session are told, and asked for again half an hour later', async () => {
    const { clock, asked, state, prices: told } = await follow(['A'], () => ({ usd: 90, date: '2026-11-23' }));
    await clock.advance(29 * MINUTE_MS);
    expect(told.closeOf('A')?.date).toBe('2026-11-23');
    expect(asked).toHaveLength(1);
    state.answer = () => ({ usd: 100, date: '2026-11-24' });
    await clock.advance(3 * MINUTE_MS);
    expect(told.closeOf('A')?.date).toBe('2026-11-24');
    // One from before it does not take its place.
    state.session = '2026-11-25';
    state.answer = () => ({ usd: 90, date: '2026-11-20' });
    await clock.advance(2 * HOUR_MS);
    expect(told.closeOf('A')).toEqual({ usd: 100, date: '2026-11-24' });
  });

  it.each([
    ['of a session that is not over', { usd: 100, date: '2026-11-25' }],
    ['of nothing', { usd: 0, date: '2026-11-24' }],
    ['below nothing', { usd: -1, date: '2026-11-24' }],
    ['that is no number', { usd: Number.NaN, date: '2026-11-24' }],
    ['beyond every share', { usd: 1e9, date: '2026-11-24' }],
  ])('are not believed: %s', async (_, told) => {
    const answer = (ticker: string) => (ticker === 'A' ? told : { usd: 7, date: '2026-11-24' });
    const { clock, notes, prices: closes } = await follow(['A', 'B'], answer);
    await clock.advance(5_000);
    expect(closes.closeOf('A')).toBeUndefined();
    expect(closes.closeOf('B')?.usd).toBe(7);
    expect(notes).toMatchObject([{ code: 'value_out_of_range', subject: 'closing_price' }]);
  });

  it('that the source does not have are asked for once a day, and keep the others from nothing', async () => {
    const answer = (ticker: string) => {
      if (ticker === 'A') throw new UnknownShare('status 404');
      if (ticker === 'B') throw new NoClose('an answer in no known shape');
      return { usd: 7, date: '2026-11-24' };
    };
    const { clock, asked, prices: told } = await follow(['A', 'B', 'C'], answer);
    await clock.advance(3_000);
    expect(told.closeOf('C')?.usd).toBe(7);
    await clock.advance(23 * HOUR_MS);
    const times = (ticker: string) => asked.filter((each) => each.ticker === ticker).length;
    // It was the first to be asked for: whether there are others was not known.
    expect([times('A'), times('C')]).toEqual([2, 1]);
    expect(times('B')).toBeGreaterThan(20);
    expect(times('B')).toBeLessThanOrEqual(47);
    expect(told.alarms()).toEqual([]);
  });

  it('are asked for at half the pace for each answer that wants fewer questions', async () => {
    let refusals = 3;
    const { clock, asked } = await follow(['A', 'B'], () => {
      refusals -= 1;
      if (refusals >= 0) throw new TooManyQuestions('status 429');
      return { usd: 7, date: '2026-11-24' };
    });
    await clock.advance(5 * MINUTE_MS);
    const [last, first] = [asked.at(-1)!.at, asked.at(-2)!.at];
    expect(last - first).toBe(8_000);
    expect(asked).toHaveLength(5);
  });

  it('of a source that is away stay, it is asked every five minutes at most, and an hour of it is an alarm', async () => {
    const { clock, asked, state, prices: told } = await follow(['A', 'B', 'C', 'D']);
    await clock.advance(HOUR_MS);
    state.session = '2026-11-25';
    state.answer = () => {
      throw new Error('away');
    };
    asked.length = 0;
    await clock.advance(2 * HOUR_MS);
    expect(told.closeOf('A')).toEqual({ usd: 100, date: '2026-11-24' });
    expect(told.alarms().map(({ code }) => code)).toEqual(['closing_prices_silent']);
    const pauses = asked.slice(1).map(({ at }, place) => at - asked[place]!.at);
    expect(asked.length).toBeLessThan(45);
    expect(Math.max(...pauses)).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    state.answer = () => ({ usd: 8, date: '2026-11-25' });
    await clock.advance(40 * MINUTE_MS);
    expect(told.closeOf('A')?.usd).toBe(8);
    expect(told.alarms()).toEqual([]);
  });
});

describe('a source that answers with no close of any share', () => {
  it('is an alarm within an hour, one that lacks a few is none', async () => {
    const answer = () => {
      throw new NoClose('an answer in no known shape');
    };
    const { clock, state, prices: told } = await follow(['A', 'B'], answer);
    await clock.advance(2 * HOUR_MS);
    expect(told.alarms().map(({ code }) => code)).toEqual(['closing_prices_silent']);
    state.answer = (ticker) => (ticker === 'A' ? answer() : { usd: 7, date: '2026-11-24' });
    await clock.advance(HOUR_MS);
    expect(told.alarms()).toEqual([]);
    await clock.advance(20 * HOUR_MS);
    expect(told.alarms()).toEqual([]);
  });
});

describe('a source that has hardly any share', () => {
  const tickers = Array.from({ length: 40 }, (_, place) => `T${place}`);
  const unknown = (): never => {
    throw new UnknownShare('status 404');
  };
  const told = { usd: 7, date: '2026-11-24' };

  it('is an alarm within hours, and is asked again for all of them as soon as it can answer', async () => {
    const { clock, state, prices: closes } = await follow(tickers, unknown);
    await clock.advance(2 * HOUR_MS);
    expect(closes.alarms().map(({ code }) => code)).toEqual(['closing_prices_silent']);
    state.answer = () => told;
    await clock.advance(HOUR_MS);
    expect(tickers.filter((ticker) => closes.closeOf(ticker) === undefined)).toEqual([]);
    expect(closes.alarms()).toEqual([]);
  });

  it.each([
    [1, ['closing_prices_silent']],
    [3, ['closing_prices_silent']],
    [4, []],
  ])('of forty, %i told: %j', async (known, alarms) => {
    for (const refuse of [unknown, (): never => raise(new NoClose('no shape'))]) {
      const answer = (ticker: string) => (Number(ticker.slice(1)) < known ? told : refuse());
      const { clock, prices: closes } = await follow(tickers, answer);
      await clock.advance(3 * HOUR_MS);
      expect(closes.alarms().map(({ code }) => code)).toEqual(alarms);
      await closes.stop();
    }
  });
});

describe('what is wrong with a source', () => {
  it('is noted and warned of once for each share and session', async () => {
    const answer = (ticker: string) => {
      if (ticker === 'A') return { usd: -1, date: '2026-11-24' };
      if (ticker === 'B') throw new Error('status 500');
      // Of the session before: it is asked for again and again.
      return { usd: 7, date: '2026-11-20' };
    };
    const { clock, notes, warnings, state, asked } = await follow(['A', 'B', 'C'], answer);
    await clock.advance(20 * HOUR_MS);
    expect(asked.filter(({ ticker }) => ticker === 'A').length).toBeGreaterThan(20);
    expect([notes.length, warnings.length]).toEqual([1, 1]);
    state.session = '2026-11-25';
    await clock.advance(20 * HOUR_MS);
    expect([notes.length, warnings.length]).toEqual([2, 2]);
  });

  it('are told as of before a restart, those of the last session without a question, and kept as they are told', async () => {
    const stored: KeptClose[] = [];
    const {
      clock,
      asked,
      state,
      prices: told,
    } = await follow(['A', 'B', 'C'], undefined, {
      load: async () => [
        { ticker: 'A', usd: 7, date: '2026-11-24' },
        { ticker: 'B', usd: 8, date: '2026-11-23' },
        { ticker: 'C', usd: 9, date: '2026-11-25' },
        { ticker: 'D', usd: 10, date: '2026-11-24' },
      ],
      keep: async (closes) => void stored.push(...closes),
    });
    // Of a session that is not over, or not asked for, nothing is believed.
    expect([told.closeOf('C'), told.closeOf('D')]).toEqual([undefined, undefined]);
    expect(told.closeOf('A')).toEqual({ usd: 7, date: '2026-11-24' });
    expect(asked.map(({ ticker }) => ticker)).toEqual(['B']);
    await clock.advance(10_000);
    expect(asked.map(({ ticker }) => ticker)).toEqual(['B', 'C']);
    expect(stored).toEqual(['B', 'C'].map((ticker) => ({ ticker, usd: 100, date: '2026-11-24' })));
    expect(told.figures).toEqual({ ageMs: 9_000, failed: 0 });
    state.session = '2026-11-25';
    state.answer = () => raise(new Error('gone'));
    await clock.advance(2 * MINUTE_MS);
    expect(told.closeOf('A')).toEqual({ usd: 7, date: '2026-11-24' });
    expect(told.figures.failed).toBeGreaterThan(0);
  });

  it('are kept when they end in the midst of their questions', async () => {
    const stored: KeptClose[] = [];
    const keep = async (closes: readonly KeptClose[]) => void stored.push(...closes);
    const { prices: told } = await follow(['A', 'B'], undefined, { load: async () => [], keep });
    expect(stored).toEqual([]);
    await told.stop();
    expect(stored).toEqual([{ ticker: 'A', usd: 100, date: '2026-11-24' }]);
  });
});
