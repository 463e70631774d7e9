import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { createFactsMaker, seededRandom } from '../../../test/support/block-facts.ts';
import { foldedBatches } from '../../../test/support/folded-batches.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import type { Address } from '../../chain/address.ts';
import { slotOfBody } from '../../contract/stamp.ts';
import type { BlockFacts, Swap } from '../../facts/fact.ts';
import { createFeed } from '../../feed/in-process.ts';
import { EQUITIES, QUOTE_MINTS } from '../../programs/registry/index.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { ratioPrice } from '../../token/price-string.ts';
import { createEquityAnswers, type EquityAnswersDeps } from './answers.ts';
import { type Equity, getEquity, listEquities } from './contract.ts';
import type { ClosingPrice, EquityMint } from './outside.ts';

/** A Thursday that is a holiday, an hour after noon in New York. */
const END = Date.parse('2026-11-26T18:00:13Z') / 1_000;
const BLOCKS = 520;
/** Between two blocks: three days and more, seldom at the same second of an hour. */
const APART_S = 611;
/** Blocks that are in the store before anybody asks, but for one that comes late. */
const STORED = 500;
const LATE = 460;
const FIRST_SLOT = 7_000;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Longer than any answer is kept. */
const A_WHILE_MS = 120_000;

const quoteOf = (symbol: string) => QUOTE_MINTS.find((each) => each.symbol === symbol)!;
const [USDC, USDT, USDE, JUP] = ['USDC', 'USDT', 'USDe', 'JUP'].map(quoteOf);
const listed = ['AAPLx', 'TSLAx', 'SPYx', 'NVDAon', 'XAI'].map((symbol) => EQUITIES.find((e) => e.symbol === symbol)!);
const [APPLE, TESLA, SP500, NVIDIA] = listed.map(({ mint }) => mint) as [Address, Address, Address, Address];

const [EXAMPLE] = createFactsMaker({ swapsPerBlock: 1 }).next().swaps as [Swap];
const facts: BlockFacts[] = [];
let batches: readonly RowBatch[];
let test: TestStore;

const timeOf = (block: number) => END - (BLOCKS - 1 - block) * APART_S;

/** Swaps of a block: one equity all the time, one for half of the days, one long ago alone, and one in other quotes too. */
function swapsOf(block: number, random: () => number): Swap[] {
  const slot = FIRST_SLOT + block;
  const trade = (
    place: number,
    mint: Address,
    quote: (typeof QUOTE_MINTS)[number] | undefined,
    dollars: number,
  ): Swap => {
    const shares = BigInt(1_000_000 + Math.floor(random() * 5e8));
    const { decimals = 8 } = EQUITIES.find((each) => each.mint === mint)!;
    const quoteDecimals = quote === undefined ? 9 : quote.decimals!;
    const paid = BigInt(Math.round((Number(shares) / 10 ** decimals) * dollars * 10 ** quoteDecimals));
    return {
      ...EXAMPLE,
      ...{ mint, venue: 2, pool: EXAMPLE.trader, slot, time: timeOf(block), blockIndex: 3 * place, ixIndex: 2 },
      ...{ quoteMint: quote?.mint, quoteDecimals, tokenDecimals: decimals, isBuy: random() < 0.5, priced: true },
      ...{ quoteAmount: paid, tokenAmount: shares, priceQuote: paid, priceToken: shares, protocolActor: false },
    };
  };
  const swaps: Swap[] = [];
  const add = (share: number, ...what: [Address, (typeof QUOTE_MINTS)[number] | undefined, number]) => {
    if (random() < share) swaps.push(trade(swaps.length, ...what));
  };
  add(0.7, APPLE, USDC, 260 + block / 50 + random());
  add(0.3, APPLE, USDT, 261 + block / 50 + random());
  add(0.1, APPLE, USDE, 262 + random());
  if (block > BLOCKS / 2) add(0.2, TESLA, USDC, 400 + random() * 9);
  if (block < 40) add(0.5, SP500, USDC, 660 + random());
  // What strangers trade it for among themselves is no price in dollars.
  add(0.3, NVIDIA, JUP, 9 + random());
  if (block % 90 === 5) add(1, NVIDIA, USDC, 180 + random());
  // Nothing of these is a price: of pools whose events tell, and of what anybody may have moved.
  const strange = { ...trade(0, TESLA, USDC, 9), priced: false };
  if (block % 3 === 1) swaps.push({ ...strange, venue: 1, blockIndex: 90 });
  if (block % 7 === 1) swaps.push({ ...strange, mint: APPLE, blockIndex: 91 });
  return swaps;
}

beforeAll(async () => {
  const random = seededRandom(26);
  const maker = createFactsMaker({ firstSlot: FIRST_SLOT, swapsPerBlock: 0 });
  for (let block = 0; block < BLOCKS; block += 1) {
    const { economics, ...made } = maker.next();
    facts.push({
      ...made,
      ...{ time: timeOf(block), created: [], transfers: [], swaps: swapsOf(block, random) },
      economics: { ...economics, tipsByWallet: [] },
    });
  }
  batches = foldedBatches(facts);
  test = await openTestStore();
  await test.store.writer.flush(batches.slice(0, STORED).filter((_, place) => place !== LATE));
});
afterAll(() => test?.close());

const MINT: EquityMint = { supply: 123_456_789_012n, decimals: 8, scaling: undefined, readAt: END * 1_000 };

function open(committed: number, outside: Partial<EquityAnswersDeps> = {}) {
  const clock = createHandClock(facts.at(-1)!.time * 1_000);
  const feed = createFeed({ maxHeldBatches: 100 });
  feed.commit(facts[committed - 1]!.slot, 0);
  const answers = createEquityAnswers({ client: test.store.client, feed, clock, ...outside });
  return {
    ...{ answers, feed },
    pass: () => clock.freeze(A_WHILE_MS),
    async list() {
      const body = await answers.list();
      const read = JSON.parse(body.toString()) as { data: Equity[] };
      expect(answerFaults(listEquities, read)).toEqual([]);
      return { rows: read.data, slot: slotOfBody(body) };
    },
  };
}

/** The first fifteen digits of a price, rounded half up, as candles have it. */
function fifteenDigits(price: string): number {
  const [whole = '', fraction = ''] = price.split('.');
  const digits = BigInt(whole + fraction.padEnd(18, '0'));
  const unit = 10n ** BigInt(Math.max(0, digits.toString().length - 15));
  return Number(`${((2n * digits + unit) / (2n * unit)) * unit}e-18`);
}

/** The same by its words, trade by trade: of blocks that are known, the last of them now. */
function oracle(known: readonly BlockFacts[], mint: Address): Partial<Equity> {
  const minute = (time: number) => time - (time % 60);
  const now = known.at(-1)!.time;
  const from = minute(now) - DAY_S;
  const decimalsOf = (swap: Swap) => QUOTE_MINTS.find((each) => each.mint === swap.quoteMint)!.decimals!;
  const trades = known
    .flatMap(({ swaps }) => swaps)
    .filter((swap) => swap.mint === mint && swap.priced)
    .filter((swap) => QUOTE_MINTS.some((each) => each.mint === swap.quoteMint && each.class === 'usd'));
  const exact = (swap: Swap) => {
    const { priceQuote: quote, priceToken: token, tokenDecimals } = swap;
    return ratioPrice({ quote, token, quoteDecimals: decimalsOf(swap), tokenDecimals: tokenDecimals! });
  };
  const priceBefore = (end: number) => {
    const last = trades.findLast(({ time }) => time < end);
    return last === undefined ? undefined : fifteenDigits(exact(last));
  };
  const points = (end: number) =>
    Array.from({ length: 24 }, (_, step) => end - (23 - step) * HOUR_S)
      // The last one has the minute that is running.
      .map((at) => priceBefore(at === minute(now) ? now + 1 : at))
      .filter((price) => price !== undefined);
  const [today, before] = [points(minute(now)), points(minute(now) - DAY_S)];
  const day = trades.filter(({ time }) => time >= from);
  const last = trades.at(-1);
  const cents = day.reduce((sum, swap) => sum + Number(swap.quoteAmount) / 10 ** (decimalsOf(swap) - 2), 0);
  const earlier = priceBefore(from);
  return {
    trades_24h: day.length,
    vol_usd_24h: Math.round(cents) / 100,
    ...(last && {
      last_price_usd: exact(last),
      last_trade_at: `${new Date(last.time * 1_000).toISOString().slice(0, 19)}Z`,
    }),
    ...(today.length > 0 && { spark: today }),
    ...(before.length > 0 && { spark_prev: before }),
    ...(earlier && { change_24h: Math.round((today.at(-1)! / earlier - 1) * 10_000) / 100 }),
  };
}

const figuresOf = ({ trades_24h, vol_usd_24h, last_price_usd, last_trade_at, spark, spark_prev, change_24h }: Equity) =>
  JSON.parse(JSON.stringify({ trades_24h, vol_usd_24h, last_price_usd, last_trade_at, spark, spark_prev, change_24h }));

const upTo = (block: number, withLate: boolean) =>
  facts.slice(0, block).filter((_, place) => withLate || place !== LATE);

describe('tokenized shares', () => {
  it('are told trade by trade as an oracle counts them, before and behind late blocks and withdrawn ones', async () => {
    const { list, feed, pass } = open(STORED);
    const agree = async (block: number, withLate: boolean) => {
      const { rows, slot } = await list();
      expect(slot).toBe(facts[block - 1]!.slot);
      for (const { mint } of listed) {
        const told = figuresOf(rows.find((row) => row.mint === mint)!);
        expect([mint, told]).toEqual([mint, oracle(upTo(block, withLate), mint)]);
      }
      return rows;
    };
    const first = await agree(STORED, false);
    const rowOf = (mint: Address) => first.find((row) => row.mint === mint)!;
    expect([rowOf(APPLE).spark!.length, rowOf(APPLE).spark_prev!.length]).toEqual([24, 24]);
    expect(rowOf(APPLE).trades_24h).toBeGreaterThan(100);
    expect(rowOf(TESLA).spark_prev!.length).toBeLessThan(24);
    // Nobody has traded it for days: it stands where it did.
    expect(new Set(rowOf(SP500).spark)).toEqual(new Set([fifteenDigits(rowOf(SP500).last_price_usd!)]));
    expect(rowOf(SP500)).toMatchObject({ trades_24h: 0, vol_usd_24h: 0, change_24h: 0 });
    // What is fed is in no answer before it is stored, and what is withdrawn never was.
    for (const batch of batches.slice(STORED)) feed.publish(batch);
    pass();
    await agree(STORED, false);
    feed.withdraw(facts[BLOCKS - 1]!.slot);
    await test.store.writer.flush([batches[LATE]!]);
    pass();
    await agree(STORED, true);
    await test.store.writer.flush(batches.slice(STORED, BLOCKS - 1));
    feed.commit(facts[BLOCKS - 2]!.slot, BLOCKS - 1 - STORED);
    pass();
    await agree(BLOCKS - 1, true);
  });

  it('are all told, most traded first, and without what is unknown of those that were never traded', async () => {
    const { rows } = await open(BLOCKS - 1).list();
    expect(rows.map(({ mint }) => mint).sort()).toEqual(EQUITIES.map(({ mint }) => mint).sort());
    const volumes = rows.map(({ vol_usd_24h }) => vol_usd_24h);
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
    expect(rows[0]!.mint).toBe(APPLE);
    const untraded = rows.slice(3).map(({ symbol }) => symbol);
    expect(untraded).toEqual(untraded.toSorted());
    const [unlisted, unseen] = ['XAI', 'MSFTx'].map((symbol) => rows.find((row) => row.symbol === symbol)!);
    const { mint, name } = EQUITIES.find(({ symbol }) => symbol === 'XAI')!;
    expect(unlisted).toEqual({ mint, symbol: 'XAI', name, decimals: 9, vol_usd_24h: 0, trades_24h: 0 });
    expect(unseen).toMatchObject({ underlying: 'MSFT', decimals: 8, market: 'closed', trades_24h: 0 });
    expect(unseen).not.toHaveProperty('supply');
    expect(unseen).not.toHaveProperty('multiplier');
  });

  it('are one by one what they are in the list, and nothing else is one', async () => {
    const { answers, list } = open(BLOCKS - 1);
    const { rows, slot } = await list();
    for (const row of [rows[0]!, rows.at(-1)!]) {
      const body = (await answers.equity(row.mint as Address))!;
      expect(JSON.parse(body.toString())).toEqual(row);
      expect(answerFaults(getEquity, row)).toEqual([]);
      expect(slotOfBody(body)).toBe(slot);
    }
    expect(await answers.equity(USDC!.mint)).toBeUndefined();
  });

  it('cost more or less than their last close a share, however many shares a token stands for', async () => {
    const close: ClosingPrice = { usd: 135, date: '2026-11-25' };
    // Two for one from a second on: of the time of the chain, not of the wall's clock.
    const scaling = { multiplier: 1, nextMultiplier: 2, nextFrom: BigInt(facts[BLOCKS - 2]!.time) };
    const outside = { mints: { mintOf: () => ({ ...MINT, scaling }) }, closes: { closeOf: () => close } };
    const { rows } = await open(BLOCKS - 1, outside).list();
    const apple = rows.find(({ mint }) => mint === APPLE)!;
    expect(apple).toMatchObject({
      ...{ supply: 1_234.56789012, supply_as_of: '2026-11-26T18:00:13.000Z', multiplier: 2, market: 'closed' },
      ...{ underlying_close_usd: '135', underlying_close_date: '2026-11-25' },
    });
    // They closed before they were two.
    expect(apple).not.toHaveProperty('premium_pct');
    // Without a trade of a day there is nothing to compare, and nobody closes a share that is not listed.
    const [sp500, xai] = ['SPYx', 'XAI'].map((symbol) => rows.find((row) => row.symbol === symbol)!);
    expect(sp500).toMatchObject({ underlying_close_usd: '135', multiplier: 2 });
    expect(sp500).not.toHaveProperty('premium_pct');
    expect(xai).toMatchObject({ multiplier: 2 });
    for (const field of ['market', 'underlying_close_usd', 'premium_pct', 'underlying']) {
      expect(xai).not.toHaveProperty(field);
    }
    const before = { ...scaling, nextFrom: scaling.nextFrom + 1n };
    const early = await open(BLOCKS - 1, {
      ...outside,
      mints: { mintOf: () => ({ ...MINT, scaling: before }) },
    }).list();
    const premium = (Number(apple.last_price_usd) / 135 - 1) * 100;
    expect(early.rows.find(({ mint }) => mint === APPLE)).toMatchObject({
      ...{ multiplier: 1, premium_pct: Math.round(premium * 100) / 100 },
    });
  });
});

describe('of a store that is younger than a day, tokenized shares', () => {
  it('say since when their trades are all there, and warm up while there is no block', async () => {
    const young = await openTestStore();
    try {
      const clock = createHandClock(facts.at(-1)!.time * 1_000);
      const feed = createFeed({ maxHeldBatches: 100 });
      const answers = createEquityAnswers({ client: young.store.client, feed, clock });
      await expect(answers.list()).rejects.toMatchObject({ code: 'warming_up' });
      const [first] = facts.slice(-20);
      await young.store.writer.flush(batches.slice(-20));
      feed.commit(facts.at(-1)!.slot, 0);
      clock.freeze(A_WHILE_MS);
      const { data } = JSON.parse((await answers.list()).toString()) as { data: Equity[] };
      const since = `${new Date(first!.time * 1_000).toISOString().slice(0, 19)}Z`;
      expect(new Set(data.map((row) => row.since))).toEqual(new Set([since]));
      const apple = data.find(({ mint }) => mint === APPLE)!;
      expect(figuresOf(apple)).toEqual(oracle(facts.slice(-20), APPLE));
      expect(apple).not.toHaveProperty('spark_prev');
      expect(apple).not.toHaveProperty('change_24h');
    } finally {
      await young.close();
    }
  });
});
