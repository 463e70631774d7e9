import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_BOOK_LIMITS } from '../../src/books/book-limits.ts';
import { createBookShelf } from '../../src/books/book-shelf.ts';
import type { Address } from '../../src/chain/address.ts';
import { INCINERATOR } from '../../src/chain/well-known.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { getHolderStats } from '../../src/features/holders/contract.ts';
import type { HolderSnapshot } from '../../src/features/holders/snapshot-rules.ts';
import { getCounters, getIntelligence } from '../../src/features/intelligence/contract.ts';
import type { Intelligence, IntelligenceWallet } from '../../src/features/intelligence/contract-shapes.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { bondingCurveAddress } from '../../src/programs/pump/addresses.ts';
import { boostVaultAuthorityAddress } from '../../src/programs/pump-amm/addresses.ts';
import { isProtocolActor } from '../../src/programs/registry/index.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { answerFaults } from '../support/answer-schema.ts';
import { foldedBatches } from '../support/folded-batches.ts';
import { type HeldAnswers, openIntelligence } from '../support/intelligence-answers.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

const BLOCKS = 400;
const simulator = createSimulator({ seed: 'intelligence', sign: false });
const truth: BlockFacts[] = [];

/** A block that never came, in the second chain: one in which a coin was made that traded on. */
let lost = 0;

const stores: TestStore[] = [];
let answers: HeldAnswers;
let holed: HeldAnswers;
/** Holders that a node tells, of the mints that it is asked for. */
const told = new Map<Address, HolderSnapshot>();

beforeAll(async () => {
  while (truth.length < BLOCKS) truth.push(simulator.next().truth.facts('decoded'));
  lost = truth.findIndex(
    ({ created }, place) => place > BLOCKS / 4 && created.some(({ mint }) => tradesAfter(mint, place)),
  );
  answers = await openAnswers(truth);
  holed = await openAnswers(withoutLost());
});

afterAll(async () => {
  for (const store of stores) await store.close();
});

function withoutLost(): BlockFacts[] {
  return truth.filter((_facts, place) => place !== lost);
}

function tradesAfter(mint: Address, place: number): boolean {
  return truth.slice(place + 1).some(({ swaps }) => swaps.some((swap) => swap.mint === mint));
}

/** Opens answers over some blocks, stored as they come. */
async function openAnswers(blocks: readonly BlockFacts[]): Promise<HeldAnswers> {
  const test = await openTestStore();
  stores.push(test);
  const feed = createFeed({ maxHeldBatches: 10 });
  await test.store.writer.flush(foldedBatches(blocks));
  const last = blocks.at(-1)!;
  feed.commit(last.slot, 0);
  const clock = { now: () => last.time * 1_000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const { client } = test.store;
  const holderSnapshots = { find: ({ mint }: { readonly mint: Address }) => told.get(mint) };
  return openIntelligence({ client, feed, clock, shelf, holderSnapshots });
}

async function ask(mint: Address, of = answers): Promise<Intelligence> {
  const body = JSON.parse((await of.intelligence(mint))!.toString());
  expect(answerFaults(getIntelligence, body)).toEqual([]);
  return body;
}

/** Coins that were made before our eyes and that the chain still knows. */
function coins() {
  return truth.flatMap(({ created }) => created).filter(({ mint }) => simulator.world.bank.heldTokens(mint) > 0n);
}

/** Holdings by the chain's own accounts, without those that are nobody's. */
function holdings(mint: Address): Map<Address, bigint> {
  const pools = truth.flatMap((facts) => facts.pools).filter((pool) => pool.mint === mint);
  const nobody = new Set<Address>([bondingCurveAddress(mint), INCINERATOR]);
  for (const { pool } of pools) nobody.add(pool).add(boostVaultAuthorityAddress(pool));
  return new Map(
    [...simulator.world.bank.holdings(mint)].filter(([owner]) => !nobody.has(owner) && !isProtocolActor(owner)),
  );
}

describe('intelligence on a simulated chain', () => {
  it('puts balances together that are those of the chain, wallet by wallet', async () => {
    let wallets = 0;
    let moved = 0;
    const faults: unknown[] = [];
    for (const { mint, quoteMint } of coins()) {
      if (quoteMint !== undefined) continue;
      const body = await ask(mint);
      expect(body).toMatchObject({ supported: true, partial: false, pnl: { source: 'indexed_transfers' } });
      const held = holdings(mint);
      expect(body.pnl.total).toBe(held.size);
      const rows = new Map(body.wallets.map((row): [string, IntelligenceWallet] => [row.wallet, row]));
      for (const row of body.wallets) {
        if (row.token_balance !== String(held.get(row.wallet as Address) ?? 0n)) {
          faults.push({ mint, row, held: held.get(row.wallet as Address) });
        }
        wallets += 1;
        if (row.transferred_in !== '0' || row.transferred_out !== '0') moved += 1;
      }
      // The hundred largest are those of the chain, too.
      const largest = [...held].sort((a, b) => (a[1] > b[1] ? -1 : 1)).slice(0, 100);
      for (const [owner, amount] of largest) {
        const smallest = BigInt(body.wallets.at(-1)?.token_balance ?? '0');
        if (!rows.has(owner) && amount !== smallest) faults.push({ mint, owner, amount });
      }
      expect([mint, body.untraced_supply_pct, body.balances_unreconciled]).toEqual([mint, 0, false]);
    }
    expect(faults).toEqual([]);
    expect(wallets).toBeGreaterThan(300);
    expect(moved).toBeGreaterThan(20);
  });

  it('counts holders, bundles and launches as the contract says', async () => {
    for (const { mint } of coins().slice(0, 20)) {
      const counters = JSON.parse((await answers.counters(mint))!.toString());
      expect(answerFaults(getCounters, counters)).toEqual([]);
      const stats = JSON.parse((await answers.holderStats(mint))!.toString());
      expect(answerFaults(getHolderStats, stats)).toEqual([]);
    }
  });
});

describe('intelligence with a block that never came', () => {
  const lostSlot = () => truth[lost]!.slot;
  const inSol = () => coins().filter(({ quoteMint }) => quoteMint === undefined);

  it('is whole for coins made behind it, and an estimate for those before it', async () => {
    const sources = new Map<boolean, Set<string>>([
      [true, new Set()],
      [false, new Set()],
    ]);
    for (const { mint, slot } of inSol()) {
      if (slot === lostSlot()) continue;
      const body = await ask(mint, holed);
      sources.get(slot > lostSlot())!.add(`${body.pnl.source} ${body.partial} ${body.balances_unreconciled}`);
    }
    expect([...sources.get(true)!]).toEqual(['indexed_transfers false false']);
    expect([...sources.get(false)!]).toEqual(['swap_estimate true false']);
  });

  it('says nothing of the launch of a coin whose creation was in it', async () => {
    const { mint } = truth[lost]!.created.find((coin) => tradesAfter(coin.mint, lost))!;
    const body = await ask(mint, holed);
    expect(body).toMatchObject({ partial: true, pnl: { source: 'swap_estimate' } });
    expect(body.window_start).toBeDefined();
    expect(body.snipers).toBeUndefined();
  });

  it('takes the balances of the chain where a node tells them, without the curve and the pools', async () => {
    const { mint } = inSol().find(({ slot }) => slot < lostSlot())!;
    const slot = truth.at(-1)!.slot;
    told.set(mint, { slot, readAt: truth.at(-1)!.time * 1_000, balances: simulator.world.bank.holdings(mint) });
    // Asked for the first time: the answer of before may be kept.
    const fresh = await openAnswers(withoutLost());
    const body = await ask(mint, fresh);
    const held = holdings(mint);
    expect(body).toMatchObject({ partial: true, pnl: { source: 'onchain', total: held.size } });
    for (const { wallet, token_balance } of body.wallets) {
      expect(token_balance).toBe(String(held.get(wallet as Address) ?? 0n));
    }
    expect(JSON.parse((await fresh.holderStats(mint))!.toString())).toMatchObject({
      source: 'onchain',
      slot,
      holders: held.size,
    });
  });

  it('tells of a coin in another quote no more than is so', async () => {
    const other = coins().filter(({ quoteMint }) => quoteMint !== undefined);
    expect(other).not.toEqual([]);
    for (const { mint } of other) {
      const body = await ask(mint);
      expect(body.supported).toBe(false);
      // Tokens are counted, and nothing is told that would have to be in that quote.
      for (const count of ['profit', 'loss', 'flat', 'unknown']) expect(body.pnl).not.toHaveProperty(count);
      for (const wallet of body.wallets) {
        expect(wallet.pnl_status).toBe('unknown');
        expect(wallet).not.toHaveProperty('realized_pnl');
        expect(wallet).not.toHaveProperty('unrealized_pnl');
      }
    }
  });
});
