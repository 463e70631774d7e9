import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../test/support/answer-schema.ts';
import { extent } from '../../test/support/extent.ts';
import { type RpcServer, startRpcServer } from '../../test/support/rpc-server.ts';
import { answerAccounts } from '../../test/support/simulated-accounts.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import type { Address } from '../chain/address.ts';
import type { BlockFacts, TokenCreated } from '../facts/fact.ts';
import { getToken } from '../features/tokens/contract.ts';
import { readTicks } from '../features/trades/tick-reads.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { lpMintAddress } from '../programs/pump-amm/addresses.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import { createRpcClient } from '../sources/json-rpc.ts';
import { columnList, readRows } from '../store/clickhouse/client.ts';
import { HYDRATED_POOLS, HYDRATED_TOKENS } from '../store/clickhouse/schema/background-tables.ts';
import { toRowBatch } from '../store/clickhouse/schema/fact-rows.ts';
import { readTokenFacts } from '../token/facts-reads.ts';
import { takenSymbol } from '../token/learned-quotes.ts';
import { learnStoredQuotes } from '../token/learned-quotes-reads.ts';
import { readListedTokens } from '../token/listed-reads.ts';
import { quoteOfAmounts } from '../token/row-json.ts';
import { readSwaps } from '../token/row-reads.ts';
import { snapshotBody } from '../token/state.ts';
import { createHydrator, type Hydrator } from './hydrator.ts';
import { RETRY_AFTER_SECONDS } from './token-accounts.ts';

/** A chain whose first part nobody saw. */
const UNSEEN_BLOCKS = extent(220, 500);
const SEEN_BLOCKS = 150;

let test: TestStore;
let node: RpcServer;
let simulator: Simulator;
let rpc: ReturnType<typeof createRpcClient>;
let hydrator: Hydrator;
const signal = new AbortController().signal;
const unseen: BlockFacts[] = [];
const seen: BlockFacts[] = [];
const asked: Address[][] = [];
const changed: Address[] = [];
let nowMs = 1_800_000_000_000;
const clock = { ...systemClock, now: () => nowMs, elapsed: () => nowMs };
/** Mints told of when the store had more. */
let storedAt = -1;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'hydrated', sign: false });
  for (let count = 0; count < UNSEEN_BLOCKS; count++) unseen.push(simulator.next().truth.facts('decoded'));
  for (let count = 0; count < SEEN_BLOCKS; count++) seen.push(simulator.next().truth.facts('decoded'));
  test = await openTestStore();
  await test.store.writer.flush(seen.map((facts) => toRowBatch(facts, [])));
  node = await startRpcServer((method, params) => {
    if (method !== 'getMultipleAccounts') return { error: { code: -32_601, message: 'method not found' } };
    asked.push(params[0] as Address[]);
    return answerAccounts(simulator.world, seen.at(-1)!.slot, params);
  });
  rpc = createRpcClient({ url: node.url, clock: systemClock, log: silentLogger });
  hydrator = createHydrator({
    client: test.store.client,
    rpc,
    clock,
    log: silentLogger,
    stored: async () => {
      storedAt = changed.length;
      await learnStoredQuotes(test.store.client);
    },
    changed: (mints) => void changed.push(...mints),
  });
  await hydrator.pass(signal);
});

afterAll(async () => {
  await node?.close();
  await test?.close();
});

const readTokens = () =>
  readRows(test.store.client, HYDRATED_TOKENS, `SELECT ${columnList(HYDRATED_TOKENS)} FROM hydrated_tokens FINAL`);
const readPools = () =>
  readRows(test.store.client, HYDRATED_POOLS, `SELECT ${columnList(HYDRATED_POOLS)} FROM hydrated_pools FINAL`);

const bornBefore = () => new Map(unseen.flatMap(({ created }) => created.map((token) => [token.mint, token] as const)));
const tradedMints = () => new Set(seen.flatMap(({ swaps }) => swaps.map(({ mint }) => mint)));
const coinOf = (mint: Address) => simulator.world.market.coins.find(({ token }) => token.mint === mint);

/** Fields of a creation that an account tells too. */
function ofCreation(created: TokenCreated) {
  return {
    name: created.name,
    symbol: created.symbol,
    uri: created.uri,
    fee_creator: created.feeCreator,
    bonding_curve: created.bondingCurve,
    decimals: created.decimals,
    token_program: created.tokenProgram,
    quote_mint: created.quoteMint ?? '',
    mayhem: created.mayhem,
    cashback: created.cashback,
    holder_reward: created.holderReward,
    curve_depth: created.curveDepth,
  };
}

describe('tokens that were there before us', () => {
  it('are known afterwards as if their creations had been seen, but for who and when', async () => {
    const rows = new Map((await readTokens()).map((row) => [row.mint, row]));
    let compared = 0;
    const kinds = new Set<string>();
    for (const [mint, created] of bornBefore()) {
      const coin = coinOf(mint);
      if (!tradedMints().has(mint) || coin === undefined) continue;
      const supply = simulator.world.bank.mint(mint).supply;
      const facts = { ...ofCreation(created), supply, complete: coin.curve!.complete };
      expect(rows.get(mint)).toMatchObject({ ...facts, found: true, named: true, retry_at: 0 });
      expect(rows.get(mint)!.pool).toBe(coin.pool?.address ?? '');
      kinds.add(`${created.tokenProgram} ${coin.pool !== undefined} ${created.mayhem} ${created.quoteMint}`);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(15);
    // Old and new mints, graduated ones, mayhem and dollars.
    expect(kinds.size).toBeGreaterThan(3);
  });

  it('are asked for when they traded, and only when nobody saw them created', async () => {
    const born = new Set(seen.flatMap(({ created }) => created.map(({ mint }) => mint)));
    const wanted = [...tradedMints()].filter((mint) => !born.has(mint)).sort();
    expect((await readTokens()).map(({ mint }) => mint).sort()).toEqual(wanted);
    for (const keys of asked) expect(keys.length).toBeLessThanOrEqual(100);
  });

  it('are named to whoever holds something about them', async () => {
    const found = (await readTokens()).flatMap(({ found, mint }) => (found ? [mint] : []));
    expect(new Set(changed)).toEqual(new Set(found));
  });

  it('are told of by the token routes, which still call them partial: nobody saw their first trades', async () => {
    const mark = seen.at(-1)!.slot;
    const mints = (await readTokens()).flatMap(({ mint, named }) => (named ? [mint] : []));
    const listed = await readListedTokens(test.store.client, mints, mark);
    for (const [place, mint] of mints.entries()) {
      const state = { mint, ...(await readTokenFacts(test.store.client, mint, mark)) };
      const body = JSON.parse(snapshotBody(state, 150).toString());
      expect(answerFaults(getToken, body)).toEqual([]);
      expect(body).toMatchObject({ name: bornBefore().get(mint)!.name, decimals: 6, mayhem: expect.any(Boolean) });
      expect(body).toHaveProperty('partial', true);
      expect(snapshotBody({ mint, ...listed[place]!.facts }, 150).toString()).toBe(snapshotBody(state, 150).toString());
    }
  });

  it('make swaps readable that did not know the decimals of their quote', async () => {
    const { client } = test.store;
    const tokens = (await readTokens()).map(({ mint }) => mint);
    const token = tokens.find((mint) => coinOf(mint) !== undefined) as Address;
    // A coin that nobody traded yet: a pool's shares.
    const { pool } = simulator.world.market.coins.find((coin) => coin.pool !== undefined)!;
    const quote = lpMintAddress(pool!.address);
    const { decimals } = simulator.world.bank.mint(quote);
    const last = seen.at(-1)!;
    const slot = last.slot + 1;
    const unknown = { quoteMint: quote, quoteDecimals: undefined, priced: true, venue: 0 as const };
    const swap = { ...seen.flatMap(({ swaps }) => swaps)[0]!, ...unknown, mint: token, slot };
    await test.store.writer.flush([toRowBatch({ ...last, ...EMPTY, slot, parentSlot: last.slot, swaps: [swap] }, [])]);
    changed.length = 0;
    expect(await hydrator.pass(signal)).toBe(1);
    expect(new Set(changed)).toEqual(new Set([quote, token]));
    expect(storedAt).toBe(0);
    const window = { order: 'desc', limit: 1, cursor: undefined } as const;
    const [row] = await readSwaps(client, token, slot, window);
    const [tick] = await readTicks(client, token, slot, { ...window, quote, pool: '' });
    const { lastPriced } = await readTokenFacts(client, token, slot);
    for (const each of [row, tick, lastPriced]) {
      expect(each).toMatchObject({ quote_mint: quote, quote_decimals: decimals });
    }
  });

  it('tell the symbol of a quote that no list names, though a swap told its decimals', async () => {
    const { client } = test.store;
    const created = [...unseen, ...seen].flatMap((facts) => facts.created);
    const tokens = new Set((await readTokens()).map(({ mint }) => mint));
    // A coin whose creation was seen, or that nobody trades.
    const quote = created.find(({ mint, symbol }) => !tokens.has(mint) && takenSymbol(symbol) !== undefined)!;
    const token = [...tokens].find((mint) => coinOf(mint) !== undefined) as Address;
    const last = seen.at(-1)!;
    const slot = last.slot + 2;
    const known = { quoteMint: quote.mint, quoteDecimals: 6, priced: true, venue: 0 as const };
    const swap = { ...seen.flatMap(({ swaps }) => swaps)[0]!, ...known, mint: token, slot };
    await test.store.writer.flush([toRowBatch({ ...last, ...EMPTY, slot, parentSlot: last.slot, swaps: [swap] }, [])]);
    changed.length = 0;
    expect(await hydrator.pass(signal)).toBe(1);
    expect(new Set(changed)).toEqual(new Set([quote.mint, token]));
    const { lastPriced } = await readTokenFacts(client, token, slot);
    expect(quoteOfAmounts(lastPriced!)).toEqual({
      ...{ quote_mint: quote.mint, quote_symbol: takenSymbol(quote.symbol), quote_decimals: 6 },
    });
  });

  it('include the pools that traded, sides told apart', async () => {
    const rows = new Map((await readPools()).map((row) => [row.pool, row]));
    const kinds = new Set<string>();
    for (const { token, pool, sidePool } of simulator.world.market.coins) {
      for (const each of [pool, sidePool]) {
        const row = each && rows.get(each.address);
        if (each === undefined || row === undefined) continue;
        const inverted = each.base.mint !== token.mint;
        expect(row).toMatchObject({ found: true, mint: token.mint, canonical: each.canonical, inverted });
        kinds.add(`${each.canonical} ${inverted}`);
      }
    }
    expect([...kinds].sort()).toEqual(['false true', 'true false']);
  });

  it('are never asked for again, and what was not there only after its time', async () => {
    const calls = asked.length;
    expect(await hydrator.pass(signal)).toBe(0);
    expect(asked).toHaveLength(calls);
    await test.store.client.command({
      query: `INSERT INTO hydrated_tokens SELECT * REPLACE (false AS found, checked_at + 1 AS checked_at,
              checked_at + ${RETRY_AFTER_SECONDS} AS retry_at) FROM hydrated_tokens FINAL ORDER BY mint LIMIT 1`,
    });
    nowMs += (RETRY_AFTER_SECONDS - 2) * 1_000;
    expect(await hydrator.pass(signal)).toBe(0);
    // Tokens that do not trade any more are looked at when everything is.
    nowMs += 600_000;
    expect(await hydrator.pass(signal)).toBe(1);
    expect((await readTokens()).every(({ found }) => found)).toBe(true);
  });

  it('that are not there are remembered as such', async () => {
    const missing = seen[0]!.swaps[0]!;
    const stranger = 'GsP9hnBL1kVHvVqwNNmqkVzfLmwNGfRRhZ4kvUoRqAqT' as Address;
    const last = seen.at(-1)!;
    const slot = last.slot + 3;
    const swaps = [{ ...missing, mint: stranger, slot }];
    await test.store.writer.flush([toRowBatch({ ...last, ...EMPTY, slot, parentSlot: last.slot, swaps }, [])]);
    expect(await hydrator.pass(signal)).toBe(1);
    const row = (await readTokens()).find(({ mint }) => mint === stranger);
    const now = Math.floor(nowMs / 1_000);
    expect(row).toMatchObject({ found: false, named: false, decimals: 255, retry_at: now + RETRY_AFTER_SECONDS });
  });
});

describe('trouble with the node', () => {
  it('is passed over for a while, and nothing is remembered of it', async () => {
    const stopping = new AbortController();
    const naps: number[] = [];
    const clock = {
      ...systemClock,
      sleep: async (ms: number) => {
        naps.push(ms);
        if (naps.length === 2) stopping.abort();
      },
    };
    const answers = [{ context: { slot: 1 }, value: [] }, { value: 'none' }];
    const rpc = { call: async () => answers[naps.length] };
    const { client } = test.store;
    await client.command({ query: 'TRUNCATE TABLE hydrated_tokens' });
    const changed = () => expect.unreachable('nothing was learnt');
    await createHydrator({ client, rpc, clock, log: silentLogger, changed }).run(stopping.signal);
    expect(naps).toEqual([60_000, 60_000]);
    expect(await readTokens()).toEqual([]);
  });
});

describe('news that cannot be told at once', () => {
  it('are told by a later pass, though nothing is asked for again', async () => {
    const { client } = test.store;
    await client.command({ query: 'TRUNCATE TABLE hydrated_tokens' });
    const told: Address[] = [];
    let isAnswering = false;
    const stored = async () => {
      if (!isAnswering) throw new Error('the store is away');
    };
    const changed = (mints: readonly Address[]) => void told.push(...mints);
    const again = createHydrator({ client, rpc, clock, log: silentLogger, stored, changed });
    expect(await again.pass(signal)).toBeGreaterThan(0);
    expect(told).toEqual([]);
    isAnswering = true;
    expect(await again.pass(signal)).toBe(0);
    const found = (await readTokens()).flatMap(({ found, mint }) => (found ? [mint] : []));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set(found));
    await again.pass(signal);
    expect(told).toHaveLength(new Set(told).size);
  });
});

const EMPTY = {
  ...{ created: [], attempts: [], completed: [], graduated: [], creatorChanges: [], pools: [], liquidity: [] },
  ...{ payouts: [], transfers: [], burns: [], unexplained: [], fundings: [] },
};
