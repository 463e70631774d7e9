import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { createBookReads, createTokenBooks } from '../../../test/support/token-books.ts';
import type { Body } from '../../books/body-cache.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';
import { Absence } from '../../contract/stamp.ts';
import type { BlockFacts, FeePayout, Swap } from '../../facts/fact.ts';
import { createFeed } from '../../feed/in-process.ts';
import type { Clock } from '../../kernel/clock.ts';
import { poolReserves } from '../../simulator/programs/pool-terms.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { toRowBatch } from '../../store/clickhouse/schema/fact-rows.ts';
import { getToken } from '../tokens/contract.ts';
import { createPriceAnswers, NO_SOL_PRICE } from './answers.ts';
import { getCreatorFees, listPools, listPrices } from './contract.ts';

/** Blocks that are stored before anybody asks, and those that come by the feed afterwards. */
const STORED_BLOCKS = 500;
const FED_BLOCKS = 250;
const SOL_USD = 142.37;

const now = 1_800_000_000_000;
const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => new Promise(() => {}) };
let test: TestStore;
let simulator: Simulator;
const chain: BlockFacts[] = [];
const feed = createFeed({ maxHeldBatches: 1_000 });
let solUsd: number | undefined = SOL_USD;

function openAnswers() {
  const { client } = test.store;
  const limits = DEFAULT_BOOK_LIMITS;
  const shelf = createBookShelf({ feed, limits });
  const usd = () => solUsd;
  const reads = createBookReads(client);
  const books = createTokenBooks({ reads, feed, clock, shelf, sizes: limits.sizes, solUsd: usd });
  const deps = { client, feed, clock, shelf, solPrice: { ...NO_SOL_PRICE, usd } };
  return { books, prices: createPriceAnswers(deps) };
}

/** Payouts as events tell them: the simulated programs make none. */
function payoutsOf(facts: BlockFacts): FeePayout[] {
  return facts.swaps.slice(0, 1).map((swap) => {
    const { slot, blockIndex, time, signature, mint, quoteMint } = swap;
    const recipient = swap.feeCreator ?? swap.trader;
    const kind = blockIndex % 4 === 0 ? 'protocol' : 'creator';
    return { slot, blockIndex, ixIndex: 99, time, signature, mint, quoteMint, recipient, amount: 12_345n, kind };
  });
}

async function produce(blocks: number): Promise<void> {
  const facts = Array.from({ length: blocks }, () => simulator.next().truth.facts('decoded'));
  const whole = facts.map((block) => ({ ...block, payouts: payoutsOf(block) }));
  chain.push(...whole);
  const batches = whole.map((block) => toRowBatch(block, []));
  await test.store.writer.flush(batches);
  for (const batch of batches) feed.publish(batch);
  feed.commit(whole.at(-1)!.slot, batches.length);
}

let hot: ReturnType<typeof openAnswers>;
let early: Address[];

beforeAll(async () => {
  test = await openTestStore();
  simulator = createSimulator({ seed: 'prices', sign: false });
  await produce(STORED_BLOCKS);
  hot = openAnswers();
  early = tradedMints();
  // Books that the rest of the chain grows.
  for (const mint of early) await hot.books.snapshot(mint);
  await produce(FED_BLOCKS);
});

afterAll(() => test?.close());

const swapsOf = (mint: Address) => chain.flatMap(({ swaps }) => swaps).filter((swap) => swap.mint === mint);
const tradedMints = () => [...new Set(chain.flatMap(({ swaps }) => swaps.map(({ mint }) => mint)))];
const coins = () => simulator.world.market.coins.filter(({ retired }) => !retired);
async function read(body: Body | Buffer | Absence) {
  const bytes = await body;
  return bytes instanceof Absence ? null : JSON.parse(String(bytes));
}

describe('what a token is worth', () => {
  it('is the same out of books that grew and out of the store, and as the contract says', async () => {
    const cold = openAnswers();
    for (const mint of early) {
      const body = await read(hot.books.snapshot(mint));
      expect(answerFaults(getToken, body)).toEqual([]);
      expect(body).toEqual(await read(cold.books.snapshot(mint)));
    }
    expect(early.length).toBeGreaterThan(20);
  });

  it('is the same of tokens that are read together', async () => {
    const together = openAnswers();
    const bodies = await Promise.all([...early, NOBODY].map((mint) => together.books.snapshot(mint)));
    expect(bodies.pop()).toBeInstanceOf(Absence);
    for (const [place, body] of bodies.entries()) {
      expect(await read(body)).toEqual(await read(hot.books.snapshot(early[place]!)));
    }
  });

  it('follows the price of SOL from one question to the next', async () => {
    const inSol = (mint: Address) => swapsOf(mint).findLast(({ priced }) => priced)?.quoteMint === undefined;
    const mint = early.find((each) => inSol(each) && swapsOf(each).some(({ priced }) => priced))!;
    const before = await read(hot.books.snapshot(mint));
    solUsd = 2 * SOL_USD;
    const after = await read(hot.books.snapshot(mint));
    expect(Number(after.price_usd)).toBeCloseTo(2 * Number(before.price_usd), 12);
    solUsd = undefined;
    const { price_usd, market_cap_usd, liquidity_usd, ...rest } = before;
    for (const each of [price_usd, market_cap_usd, liquidity_usd]) expect(each).toEqual(expect.any(String));
    expect(await read(hot.books.snapshot(mint))).toEqual(rest);
    solUsd = SOL_USD;
    expect(await read(hot.books.snapshot(mint))).toEqual(before);
  });

  it('has the highest price that ever was, at its first time', async () => {
    let later = 0;
    for (const mint of early) {
      const body = await read(hot.books.snapshot(mint));
      const priced = swapsOf(mint).filter((swap) => swap.priced && swap.priceToken > 0n);
      const quote = priced.at(-1)?.quoteMint;
      const top = priced
        .filter((swap) => swap.quoteMint === quote)
        .reduce<Swap | undefined>(
          (best, swap) => (best === undefined || isDearer(swap, best) ? swap : best),
          undefined,
        );
      if (top === undefined) {
        expect(body).not.toHaveProperty('ath_price');
        continue;
      }
      const decimals = (top.quoteDecimals ?? 0) - top.tokenDecimals;
      const price = Number(top.priceQuote) / Number(top.priceToken) / 10 ** decimals;
      expect(Number(body.ath_price) / price).toBeCloseTo(1, 6);
      expect(Date.parse(body.ath_at)).toBe(top.time * 1000);
      if (top !== priced[0] && top !== priced.at(-1)) later += 1;
    }
    expect(later).toBeGreaterThan(5);
  });

  it('knows how much of a curve is sold, as the curve itself does', async () => {
    const seen = new Set<string>();
    for (const { mint, curve, pool, mayhem } of coins()) {
      if (curve === undefined || swapsOf(mint.address).length === 0) continue;
      const body = await read(hot.books.snapshot(mint.address));
      const sold = Number(793_100_000_000_000n - curve.reserves.realToken) / 7_931_000_000_000;
      const expected = curve.complete || pool !== undefined ? 100 : Math.max(0, sold);
      if (body.partial && body.curve_progress_pct === undefined) continue;
      expect(body.curve_progress_pct).toBeCloseTo(expected, 1);
      seen.add(`${curve.complete} ${mayhem}`);
    }
    expect(seen.size).toBeGreaterThan(2);
  });
});

/** As exact numbers: the first of equal ones counts. */
function isDearer(a: Swap, b: Swap): boolean {
  return Number(a.priceQuote) / Number(a.priceToken) > Number(b.priceQuote) / Number(b.priceToken);
}

describe('pools', () => {
  it('hold what the vaults of the chain hold', async () => {
    const kinds = new Set<string>();
    for (const { mint, pool, sidePool } of coins()) {
      const body = await read(hot.prices.pools(mint.address));
      if (body === null) continue;
      expect(answerFaults(listPools, body)).toEqual([]);
      for (const each of [pool, sidePool]) {
        if (each === undefined) continue;
        const row = body.data.find((row: { pool: string }) => row.pool === each.address);
        const inverted = each === sidePool;
        const traded = swapsOf(mint.address).some((swap) => swap.pool === each.address);
        const made = chain.some(({ pools }) => pools.some((fact) => fact.pool === each.address));
        if (!traded && !made) continue;
        // A migrated pool may hold less than it was made with: its first swap tells.
        if (each.canonical && !traded) {
          expect(row).not.toHaveProperty('quote_reserves');
          kinds.add('untold');
          continue;
        }
        const { base, quote } = poolReserves(simulator.world.bank, each);
        expect(row).toMatchObject({
          quote_reserves: String(inverted ? base : quote),
          token_reserves: String(inverted ? quote : base),
          canonical: !inverted,
        });
        expect(row.inverted).toBe(inverted ? true : undefined);
        kinds.add(`${inverted} ${traded} ${row.quote_mint === undefined}`);
      }
    }
    expect(kinds).toContain('true true true');
    expect(kinds).toContain('false true true');
  });

  it('are in order of depth, valued by their quote side', async () => {
    for (const { mint } of coins()) {
      const body = await read(hot.prices.pools(mint.address));
      const depths = (body?.data ?? []).map((row: { liquidity_usd?: string }) => Number(row.liquidity_usd ?? 0));
      expect(depths).toEqual(depths.toSorted((a: number, b: number) => b - a));
      for (const row of body?.data ?? []) {
        if (row.quote_mint !== undefined || row.quote_reserves === undefined) continue;
        expect(Number(row.liquidity_usd)).toBeCloseTo((2 * Number(row.quote_reserves) * SOL_USD) / 1e9, 1);
      }
    }
  });

  it('are unknown of a token that nobody knows', async () => {
    expect(await hot.prices.pools(NOBODY)).toBeInstanceOf(Absence);
    expect(await hot.prices.creatorFees(NOBODY)).toBeInstanceOf(Absence);
  });
});

const NOBODY = encodeAddress(new Uint8Array(32).fill(250));

describe('creator fees', () => {
  it('are what the swaps charged, by unit and earner, and what was paid', async () => {
    const kinds = new Set<string>();
    for (const mint of tradedMints()) {
      const body = await read(hot.prices.creatorFees(mint));
      expect(answerFaults(getCreatorFees, body)).toEqual([]);
      const charged = swapsOf(mint).filter(({ creatorFee }) => creatorFee > 0n);
      const unitOf = (swap: Swap) => (swap.feeInToken ? 'token' : (swap.quoteMint ?? 'sol'));
      const sums = new Map<string, bigint>();
      for (const swap of charged) sums.set(unitOf(swap), (sums.get(unitOf(swap)) ?? 0n) + swap.creatorFee);
      const told = (row: { fee_mint?: string; quote_mint?: string }) =>
        row.fee_mint === undefined ? (row.quote_mint ?? 'sol') : 'token';
      const earned = body.data.filter((row: { earned: string }) => row.earned !== '0');
      expect(
        Object.fromEntries(
          earned.map((row: { earned: string; fee_mint?: string; quote_mint?: string }) => [told(row), row.earned]),
        ),
      ).toEqual(Object.fromEntries([...sums].map(([unit, sum]) => [unit, String(sum)])));
      const payouts = chain
        .flatMap((block) => block.payouts)
        .filter((fact) => fact.mint === mint && fact.kind === 'creator');
      const paid = body.data.reduce((sum: bigint, row: { paid: string }) => sum + BigInt(row.paid), 0n);
      expect(paid).toBe(12_345n * BigInt(payouts.length));
      const recipients = body.recipients.reduce((sum: bigint, row: { paid: string }) => sum + BigInt(row.paid), 0n);
      expect(recipients).toBe(paid);
      for (const unit of sums.keys()) kinds.add(unit);
      if (payouts.length > 0) kinds.add('paid');
    }
    expect(kinds).toContain('sol');
    expect(kinds).toContain('paid');
    expect(kinds.size).toBeGreaterThan(2);
  });
});

describe('prices of several tokens', () => {
  it('are those of their snapshots, in the order asked for, and name what is missing', async () => {
    const mints = tradedMints().slice(0, 60);
    const asked = [...mints.slice(0, 5), NOBODY, ...mints.slice(5)];
    const body = await read(openAnswers().prices.prices(asked));
    expect(answerFaults(listPrices, body)).toEqual([]);
    expect(body.missing).toContain(NOBODY);
    const order = [...body.data.map(({ mint }: { mint: Address }) => mint), ...body.missing];
    expect(new Set(order)).toEqual(new Set(asked));
    expect(order).toHaveLength(asked.length);
    for (const row of body.data) {
      const snapshot = await read(hot.books.snapshot(row.mint));
      const inOther = snapshot.quote_mint !== undefined;
      expect(row.price).toBe(inOther ? snapshot.last_quote_price : snapshot.last_price);
      expect(row.price_usd).toBe(snapshot.price_usd);
      expect(row.quote_mint).toBe(snapshot.quote_mint);
      const newest = swapsOf(row.mint).findLast(({ priced }) => priced);
      expect(row.slot).toBe(newest?.slot ?? row.slot);
    }
    expect(body.data.length).toBeGreaterThan(20);
  });

  it('are few questions to the store, however many of the mints nobody knows', async () => {
    const asked = vi.spyOn(test.store.client, 'exec');
    const strangers = Array.from({ length: 100 }, (_, i) => encodeAddress(new Uint8Array(32).fill(i + 101)));
    expect(await read(openAnswers().prices.prices(strangers))).toEqual({ data: [], missing: strangers });
    expect(asked.mock.calls.length).toBeLessThan(12);
  });

  it('are none of a mint that was only tried, which is known, asked for alone or with others', async () => {
    const tried = encodeAddress(new Uint8Array(32).fill(251));
    const facts = simulator.next().truth.facts('decoded');
    const attempts = [{ ...chain.flatMap((block) => block.attempts)[0]!, slot: facts.slot, mint: tried }];
    await test.store.writer.flush([toRowBatch({ ...facts, attempts }, [])]);
    feed.commit(facts.slot, 0);
    const known = { mint: tried, partial: true };
    expect(await read(openAnswers().books.snapshot(tried))).toEqual(known);
    const { books, prices } = openAnswers();
    expect(await Promise.all([tried, NOBODY].map((mint) => read(books.snapshot(mint))))).toEqual([known, null]);
    expect((await read(prices.prices([tried]))).missing).toEqual([tried]);
  });
});
