import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_BOOK_LIMITS } from '../../src/books/book-limits.ts';
import type { BlockFacts, Swap } from '../../src/facts/fact.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { extent } from '../support/extent.ts';
import { type AnswerRun, type Api, openApi, startAnswerRun } from './answer-run.ts';
import { type SwapsPage, type TicksPage, walk, walkBack, walkOn } from './answer-walk.ts';
import { expectCandles, factorOf, queryOf, questions, STEPS } from './candle-questions.ts';
import { swapIds, type TrueCandle, trueActivity, trueCandles, trueHolderCounts, trueWallets } from './figure-truth.ts';
import { type LiveReadings, readWhileItGoesOn } from './live-readers.ts';
import { decimalsOfQuote, factsOf, groupBy, type JsonRow, swapRows, tickColumns } from './row-truth.ts';

const FIRST_SLOT = 460_000_000;
/** An hour of slots between the beginnings of two bursts of blocks: a day and more of chain out of few of them. */
const BURST_EVERY = 18_000;
const BURST_BLOCKS = 24;
const BURSTS = 26;
const BLOCKS = BURSTS * BURST_BLOCKS;
/** During which somebody reads: the end of a burst, an hour without blocks, and another burst. */
const LIVE_BLOCKS = 30;
/** An interval that is folded from swaps, and some that are kept. */
const FEW = new Set(['5s', '5m']);

/** Books so small that the store has to answer. */
const TINY = { ...DEFAULT_BOOK_LIMITS, sizes: { rows: 1, ticks: 1, candles: 1, activitySwaps: 0, holders: 1 } };
/** Books that end in the middle of what is asked. */
const SHORT = { ...DEFAULT_BOOK_LIMITS, sizes: { rows: 60, ticks: 70, candles: 9, activitySwaps: 150, holders: 20 } };
const BOOKS = { 'out of books': DEFAULT_BOOK_LIMITS, 'where books end': SHORT, 'out of the store': TINY };

let run: AnswerRun;
let subjects: Record<string, string> = {};
let live: LiveReadings;

beforeAll(async () => {
  const simulator = createSimulator({
    seed: 'answers-4',
    sign: false,
    startSlot: FIRST_SLOT,
    isSkipped: (slot) => (slot - FIRST_SLOT) % BURST_EVERY >= BURST_BLOCKS,
  });
  run = await startAnswerRun(simulator);
  await run.play(BLOCKS - LIVE_BLOCKS);
  subjects = pickSubjects(run.truth);
  live = await readWhileItGoesOn(run, mints(), LIVE_BLOCKS, TINY);
  await run.finish();
  run.time = run.truth.at(-1)!.time + 7;
});

afterAll(() => run?.close());

interface Rows {
  readonly data: readonly JsonRow[];
}

interface Recent {
  readonly recent_ids: readonly string[];
  readonly recent_since: string;
}

/** Tokens of every kind that there is, the busiest of each. */
function pickSubjects(truth: readonly BlockFacts[]): Record<string, string> {
  const swaps = truth.flatMap((block) => block.swaps);
  const counts = [...groupBy(swaps, ({ mint }) => mint)].sort(([, a], [, b]) => b.length - a.length);
  const busiest = (has: (swaps: readonly Swap[], mint: string) => boolean): string => {
    const [found] = counts.find(([mint, own]) => has(own, mint)) ?? [];
    if (found === undefined) throw new Error(`no token is so: ${has}; take another seed`);
    return found;
  };
  const mayhem = new Set(truth.flatMap(({ created }) => created.filter((each) => each.mayhem)).map(({ mint }) => mint));
  const recently = truth.at(-1)!.time - 70_000;
  const inSide = (swap: Swap) => swap.venue === 1 && !swap.priced;
  return {
    busiest: busiest(() => true),
    plain: busiest((own) => own.every(({ priced, quoteMint }) => priced && quoteMint === undefined)),
    // The agent has to have traded within the day that activity looks back over.
    mayhem: busiest(
      (own, mint) =>
        mayhem.has(mint as Swap['mint']) && own.some(({ protocolActor, time }) => protocolActor && time > recently),
    ),
    graduated: busiest(
      (own) => own.some(({ venue }) => venue === 0) && own.some(({ priced, venue }) => priced && venue === 1),
    ),
    dollars: busiest((own) => own.every(({ quoteMint, venue }) => quoteMint !== undefined && venue < 2)),
    equity: busiest((own) => own.every(({ venue }) => venue === 2)),
    inverted: busiest((own) => own.filter(inSide).length > 5 && own.some(({ feeInToken }) => feeInToken)),
  };
}

/** One token may be several kinds. */
const mints = () => [...new Set(Object.values(subjects))];

/** In the short form the busiest, which needs the store most, and two whose figures are reckoned otherwise. */
async function eachSubject(check: (mint: string) => Promise<void>): Promise<void> {
  const { busiest, dollars, inverted } = subjects;
  for (const mint of new Set(extent([busiest!, dollars!, inverted!], mints()))) await check(mint);
}

function pricedIn(mint: string, quote: string | undefined): Swap[] {
  return factsOf(run.truth, 'swaps', mint).filter((swap) => swap.priced && (swap.quoteMint ?? '') === (quote ?? ''));
}

const quotesOf = (mint: string) => [...new Set(factsOf(run.truth, 'swaps', mint).map(({ quoteMint }) => quoteMint))];

describe('the chain', () => {
  it('has tokens of every kind, with a good many swaps, some in one second and some a day apart', () => {
    expect(run.truth).toHaveLength(BLOCKS);
    for (const [kind, mint] of Object.entries(subjects)) {
      const swaps = factsOf(run.truth, 'swaps', mint);
      expect([kind, swaps.length > (kind === 'equity' || kind === 'dollars' ? 5 : 60)]).toEqual([kind, true]);
    }
    const { busiest } = subjects;
    const seconds = groupBy(factsOf(run.truth, 'swaps', busiest!), ({ time }) => time);
    expect([...seconds.values()].some((swaps) => new Set(swaps.map(({ slot }) => slot)).size > 1)).toBe(true);
    expect(run.truth.at(-1)!.time - run.truth[0]!.time).toBeGreaterThan(86_400);
  });
});

describe('a reader who follows by the cursor while blocks come', () => {
  it('finds every swap once, those of a second that had passed already too', () => {
    for (const mint of mints()) {
      expect(live.followed.get(mint)).toEqual(swapRows(run.truth, mint, { failed: false, transfers: false }));
    }
  });
});

describe("a reader who adds a socket's trades to the activity", () => {
  it('counts each swap once, however far the clock is ahead of the chain', () => {
    for (const { counted, expected } of live.reconciled) expect(counted).toBe(expected);
    expect(live.reconciled.some(({ listed, later }) => listed > 0 && later > 0)).toBe(true);
  });
});

describe.each(Object.entries(BOOKS))('answers %s', (_name, limits) => {
  // Each of the others is asked of the store alone in one way or another, which takes long.
  const intervals = Object.entries(STEPS).filter(([tf]) => limits === DEFAULT_BOOK_LIMITS || FEW.has(tf));
  let api: Api;
  beforeAll(() => {
    api = openApi(run.open(limits));
  });
  afterAll(() => api.close());

  it.each([
    ['swaps', false, false],
    ['swaps and attempts', true, false],
    ['swaps and sends', false, true],
    ['all of it', true, true],
  ])('list %s in order of position, both ways, in pages of any size', (_what, failed, transfers) =>
    eachSubject(async (mint) => {
      const rows = swapRows(run.truth, mint, { failed, transfers });
      for (const [order, expected] of [
        ['asc', rows],
        ['desc', rows.toReversed()],
      ] as const) {
        const path = `/tokens/${mint}/swaps?order=${order}&failed=${Number(failed)}&transfers=${Number(transfers)}`;
        for (const limit of failed === transfers ? [500, 83] : [113]) {
          expect(await walk(api, path, limit)).toEqual(expected);
        }
      }
    }),
  );

  it('begin a page at a bare second, exclusively going back and inclusively going on', () =>
    eachSubject(async (mint) => {
      const rows = swapRows(run.truth, mint, { failed: false, transfers: false });
      for (const { time } of [rows[0]!, rows[Math.floor(rows.length / 2)]!, rows.at(-1)!]) {
        const page = async (order: string) =>
          (await api.read<SwapsPage>(`/tokens/${mint}/swaps?order=${order}&limit=20&cursor=${time}`)).data;
        const earlier = rows.filter((row) => String(row.time) < String(time));
        expect(await page('desc')).toEqual(earlier.toReversed().slice(0, 20));
        expect(await page('asc')).toEqual(rows.slice(earlier.length, earlier.length + 20));
      }
    }));

  it('tell every tick of a quote, back to where history starts and on to the newest', () =>
    eachSubject(async (mint) => {
      for (const quote of quotesOf(mint)) {
        const expected = tickColumns(run.truth, mint, quote);
        const path = `/tokens/${mint}/ticks`;
        for (const limit of [5_000, 31]) {
          const ownPath = `${path}?quote=${quote ?? ''}`;
          expect(await walkBack(api, ownPath, limit)).toEqual(expected);
          const {
            older,
            quote_mint,
            mint: told,
          } = await api.read<TicksPage>(`${path}?quote=${quote ?? ''}&limit=5000`);
          expect([quote_mint, told]).toEqual([quote ?? '', mint]);
          expect(await walkOn(api, ownPath, limit, older)).toEqual(expected.slice(1));
        }
      }
    }));

  it('draw the candles of every interval and quote, over any range', () =>
    eachSubject(async (mint) => {
      for (const quote of quotesOf(mint)) {
        const swaps = pricedIn(mint, quote);
        if (swaps.length === 0) continue;
        for (const [tf, step] of intervals) {
          for (const question of questions(step, swaps, run.time)) {
            const path = `/tokens/${mint}/candles?tf=${tf}&quote=${quote ?? ''}&${queryOf(question)}`;
            expectCandles(
              (await api.read<Rows>(path)).data,
              trueCandles(swaps, question, run.time, factorOf(swaps[0]!, quote)),
            );
          }
        }
      }
    }));

  it('draw an equity in dollars a share when no quote is named', async () => {
    const swaps = factsOf(run.truth, 'swaps', subjects.equity!);
    const question = { step: 3_600, limit: 300 };
    const { data } = await api.read<Rows>(`/tokens/${subjects.equity}/candles?tf=1h`);
    const { tokenDecimals } = swaps[0]!;
    expectCandles(data, trueCandles(swaps, question, run.time, 10 ** (tokenDecimals - decimalsOfQuote(swaps[0]!))));
  });

  it('draw what the listed swaps draw', async () => {
    const mint = subjects.plain!;
    const rows = await walk(api, `/tokens/${mint}/swaps?order=asc`, 500);
    const candles = (await api.read<Rows>(`/tokens/${mint}/candles?tf=1m&from=${run.truth[0]!.time}&limit=1500`)).data;
    const minutes = groupBy(rows, ({ time }) => `${String(time).slice(0, 16)}:00Z`);
    expectCandles(
      candles,
      Array.from(minutes, ([time, own]): TrueCandle => {
        const prices = own.map(({ price }) => Number(price));
        const ends = [prices[0]!, Math.max(...prices), Math.min(...prices), prices.at(-1)!] as const;
        const volume = own.reduce((sum, { sol_amount }) => sum + BigInt(String(sol_amount)), 0n);
        return { time, prices: ends, volume: String(volume), trades: own.length };
      }),
      1e-8,
    );
  });

  it('sum activity up at any time of the day after', () =>
    eachSubject(async (mint) => {
      const end = run.time;
      try {
        for (const later of [0, 280, 3_000, 40_000, 86_390, 200_000]) {
          run.time = end + later;
          const { recent_ids, recent_since, ...figures } = await api.read<Recent>(`/tokens/${mint}/activity`);
          expect(figures).toEqual(trueActivity(run.truth, mint, run.time));
          const since = Date.parse(recent_since) / 1000;
          const recent = factsOf(run.truth, 'swaps', mint).filter(({ time }) => time >= since);
          expect(recent_ids).toEqual(swapIds(recent));
        }
      } finally {
        run.time = end;
      }
    }));

  it('rank holders by balance, with what they made by average cost', () =>
    eachSubject(async (mint) => {
      const wallets = trueWallets(run.truth, mint);
      const holders = wallets.filter(({ token_balance }) => BigInt(String(token_balance ?? 0)) > 0n);
      for (const limit of [3, 50, 500]) {
        expect((await api.read<Rows>(`/tokens/${mint}/holders?limit=${limit}`)).data).toEqual(holders.slice(0, limit));
      }
    }));
});

describe('answers that no book is kept of', () => {
  let api: Api;
  beforeAll(() => {
    api = openApi(run.open());
  });
  afterAll(() => api.close());

  it('list everybody who traded, known profits first', () =>
    eachSubject(async (mint) => {
      const traded = trueWallets(run.truth, mint).filter(({ trade_count }) => Number(trade_count) > 0);
      const wallets = traded.map(({ symbol: _symbol, name: _name, ...wallet }) => wallet);
      const { data } = await api.read<Rows>(`/tokens/${mint}/traders?limit=500`);
      expect(data).toHaveLength(Math.min(wallets.length, 500));
      for (const row of data) expect(wallets).toContainEqual(row);
      const profits = data.map(({ realized_pnl }) =>
        realized_pnl === undefined ? undefined : BigInt(String(realized_pnl)),
      );
      const known = profits.filter((profit) => profit !== undefined);
      expect(profits.slice(0, known.length)).toEqual(known.toSorted((a, b) => (a > b ? -1 : 1)));
    }));

  it('count holders over time', () =>
    eachSubject(async (mint) => {
      const swaps = factsOf(run.truth, 'swaps', mint);
      for (const [tf, step, buckets] of [
        ['5m', 300, 288],
        ['1h', 3_600, 168],
        ['1d', 86_400, 365],
      ] as const) {
        const { data } = await api.read<Rows>(`/tokens/${mint}/holders/history?tf=${tf}`);
        expect(data).toEqual(trueHolderCounts(swaps, step, buckets, run.time));
      }
    }));

  it('hold several snapshots in a batch, byte for byte', async () => {
    const bodies = await Promise.all(mints().map((mint) => api.get(`/tokens/${mint}`)));
    expect(await api.get(`/tokens/batch?mints=${mints().join(',')}`)).toBe(`{"data":[${bodies}],"missing":[]}`);
  });
});
