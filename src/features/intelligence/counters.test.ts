import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { openIntelligence } from '../../../test/support/intelligence-answers.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import {
  bornOnce,
  foldedPositions,
  relocateWorld,
  worldBatch,
  worldBlocks,
  worldMint,
} from '../../../test/support/token-world.ts';
import { address, WORLD_MINTS, type WorldBlock } from '../../../test/support/token-world-rows.ts';
import type { Body } from '../../books/body-cache.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { INCINERATOR } from '../../chain/well-known.ts';
import { Absence } from '../../contract/stamp.ts';
import { createFeed } from '../../feed/in-process.ts';
import { bondingCurveAddress } from '../../programs/pump/addresses.ts';
import { MAYHEM_SOL_VAULT } from '../../programs/pump/ids.ts';
import { getHolderStats } from '../holders/contract.ts';
import type { HolderSnapshot } from '../holders/snapshot-rules.ts';
import { getCounters } from './contract.ts';

const NOW = 1_790_000_000;
const END = 2 ** 32 - 1;
const clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };

let test: TestStore;

beforeAll(async () => {
  test = await openTestStore();
});

afterAll(() => test?.close());

async function settle(blocks: readonly WorldBlock[], snapshot?: HolderSnapshot) {
  const feed = createFeed({ maxHeldBatches: 100 });
  const batches = blocks.map((block) => worldBatch(block));
  await test.store.writer.flush(batches);
  for (const batch of batches) feed.publish(batch);
  feed.commit(END, batches.length);
  const { client } = test.store;
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const holderSnapshots = { find: () => snapshot };
  return openIntelligence({ client, feed, clock, shelf, holderSnapshots });
}

async function read(body: Body) {
  const bytes = await body;
  return bytes instanceof Absence ? undefined : JSON.parse(bytes.toString());
}

/** Balances, summed up one swap after the other; undefined of who sold more than was seen bought. Over several quotes only the end tells. */
function balancesOf(blocks: readonly WorldBlock[], mint: Address): (bigint | undefined)[] {
  const wallets = new Map<string, { balance: bigint; isDipped: boolean; quotes: Set<string> }>();
  for (const swap of blocks.flatMap((block) => block.swaps)) {
    if (swap.mint !== mint || swap.protocol_actor) continue;
    const wallet = wallets.get(swap.trader) ?? { balance: 0n, isDipped: false, quotes: new Set() };
    wallet.balance += swap.is_buy ? swap.token_amount : -swap.token_amount;
    wallet.isDipped ||= wallet.balance < 0n;
    wallets.set(swap.trader, { ...wallet, quotes: wallet.quotes.add(swap.quote_mint) });
  }
  return Array.from(wallets.values(), ({ balance, isDipped, quotes }) =>
    (quotes.size === 1 ? isDipped : balance < 0n) ? undefined : balance,
  );
}

const descending = (a = 0n, b = 0n) => (a === b ? 0 : a > b ? -1 : 1);
const sum = (amounts: readonly (bigint | undefined)[]) =>
  String(amounts.reduce<bigint>((total, amount = 0n) => total + amount, 0n));

describe('holder stats of trades', () => {
  it('are what one gets by adding up every swap', async () => {
    const worlds = fc.sample(worldBlocks(NOW, 30), { numRuns: 3, seed: 7 });
    let held = 0;
    for (const [world, shape] of worlds.entries()) {
      const blocks = bornOnce(relocateWorld(shape, world));
      const answers = await settle(blocks);
      for (const mint of WORLD_MINTS.map((each) => worldMint(each, world))) {
        const body = await read(answers.holderStats(mint));
        if (body === undefined) continue;
        expect(answerFaults(getHolderStats, body)).toEqual([]);
        const balances = balancesOf(blocks, mint);
        const amounts = balances.filter((amount) => amount !== undefined && amount > 0n).sort(descending);
        held += amounts.length;
        const isPartial = balances.includes(undefined);
        const figures = {
          holders: amounts.length,
          held: sum(amounts),
          top10: sum(amounts.slice(0, 10)),
          top25: sum(amounts.slice(0, 25)),
        };
        expect(body).toEqual({
          source: 'swap_estimate',
          updated_at: new Date(NOW * 1000).toISOString(),
          // That nobody is seen to hold it says nothing where somebody's balance is not known.
          ...(amounts.length > 0 || !isPartial ? figures : {}),
          ...(isPartial ? { partial: true } : {}),
        });
      }
    }
    expect(held).toBeGreaterThan(5);
  });

  it('tell ten and 25 apart, and are of every quote together', async () => {
    const [swap] = fc.sample(worldBlocks(NOW, 30), { numRuns: 1, seed: 7 })[0]!.flatMap((block) => block.swaps);
    const mint = address(201);
    const row = (trader: number, index: number, quote: Address | '') => ({
      ...swap!,
      mint,
      slot: 400_900_000,
      block_index: index,
      trader: address(trader),
      is_buy: true,
      protocol_actor: false,
      quote_mint: quote,
      token_amount: BigInt(trader),
    });
    const swaps = Array.from({ length: 40 }, (_, i) => row(100 + i, i, ''));
    swaps.push(row(139, 41, address(31)));
    const world = oneBlock(swaps);
    const answers = await settle([world]);
    const body = await read(answers.holderStats(mint));
    // 100 … 138, and the last one in two quotes.
    const amounts = [...Array.from({ length: 39 }, (_, i) => BigInt(100 + i)), 278n].sort(descending);
    expect(body).toMatchObject({
      holders: 40,
      held: sum(amounts),
      top10: sum(amounts.slice(0, 10)),
      top25: sum(amounts.slice(0, 25)),
    });
  });

  it('are not asked for a mint of which nothing is known', async () => {
    const answers = await settle([]);
    expect(await answers.holderStats(address(250))).toBeInstanceOf(Absence);
    expect(await answers.counters(address(250))).toBeInstanceOf(Absence);
    expect(await answers.intelligence(address(250))).toBeInstanceOf(Absence);
  });
});

describe('holder stats of the chain', () => {
  it('leave out the curve, the pools, the burn address and the protocol, and say their slot', async () => {
    const world = 5;
    const worlds = fc.sample(worldBlocks(NOW, 40), { numRuns: 5, seed: 3 });
    const shape = worlds.find((each) => each.some(({ graduations }) => graduations.length > 0))!;
    const blocks = bornOnce(relocateWorld(shape, world));
    const { mint, pool } = blocks.flatMap((block) => block.graduations)[0]!;
    const snapshot: HolderSnapshot = {
      slot: 77,
      readAt: (NOW - 3) * 1000,
      balances: new Map<Address, bigint>([
        [bondingCurveAddress(mint as Address), 10n ** 15n],
        [pool as Address, 10n ** 14n],
        [INCINERATOR, 5n],
        [MAYHEM_SOL_VAULT, 6n],
        [address(21), 7n],
        [address(22), 8n],
        [address(23), 0n],
      ]),
    };
    const answers = await settle(blocks, snapshot);
    const body = await read(answers.holderStats(mint as Address));
    expect(answerFaults(getHolderStats, body)).toEqual([]);
    expect(body).toEqual({
      source: 'onchain',
      slot: 77,
      updated_at: new Date((NOW - 3) * 1000).toISOString(),
      ...{ holders: 2, held: '15', top10: '15', top25: '15' },
    });
  });
});

describe('counters', () => {
  it('count the bundles of the first 150 swaps and the other launches of the dev, and keep their body ready', async () => {
    const base = fc.sample(worldBlocks(NOW, 40), { numRuns: 1, seed: 3 })[0]!.flatMap((block) => block.swaps)[0]!;
    const creation = fc
      .sample(worldBlocks(NOW, 40), { numRuns: 1, seed: 3 })[0]!
      .flatMap((block) => block.creations)[0]!;
    const mint = address(202);
    const slot = 400_950_000;
    const buy = (trader: number, index: number, bundled: number) => ({
      ...{ ...base, mint, slot, block_index: index, trader: address(trader), bundled },
      ...{ is_buy: true, protocol_actor: false, partial: false },
    });
    // A bundle of two, a loner, a bundle of two behind the 150th swap.
    const lone = Array.from({ length: 148 }, (_, i) => buy(30, 10 + 2 * i, 0));
    const swaps = [buy(21, 1, 1), buy(22, 2, 1), ...lone, buy(23, 800, 1), buy(24, 801, 1)];
    const made = (each: Address, index: number) => ({
      ...creation,
      mint: each,
      slot,
      block_index: index,
      creator: address(99),
    });
    const others = Array.from({ length: 103 }, (_, i) => made(address(i + 1), 2_000 + i)).filter(
      (row) => row.mint !== mint,
    );
    const block = { ...oneBlock(swaps), slot, creations: [made(mint, 0), ...others.slice(0, 4)] };
    const answers = await settle([block]);
    const body = await read(answers.counters(mint));
    expect(answerFaults(getCounters, body)).toEqual([]);
    expect(body).toMatchObject({ bundle: 1, dev: 4, holder_stats: { source: 'swap_estimate' } });
    // At hand from now on, without a promise.
    expect(answers.counters(mint)).toBeInstanceOf(Buffer);
    expect(answers.holderStats(mint)).toBeInstanceOf(Buffer);
    expect(body).not.toHaveProperty('partial');

    const busy = await settle([
      { ...oneBlock([]), slot: slot + 1, creations: others.slice(4).map((row) => ({ ...row, slot: slot + 1 })) },
    ]);
    expect(await read(busy.counters(mint))).toMatchObject({ dev: 100 });
  });

  it('leave out the launches of a dev that is not known', async () => {
    const base = fc.sample(worldBlocks(NOW, 40), { numRuns: 1, seed: 3 })[0]!.flatMap((block) => block.swaps)[0]!;
    const mint = address(203);
    const answers = await settle([oneBlock([{ ...base, mint, slot: 400_960_000 }])]);
    const body = await read(answers.counters(mint));
    expect(answerFaults(getCounters, body)).toEqual([]);
    expect(body).not.toHaveProperty('dev');
    expect(body.partial).toBe(true);
  });

  it('claim no bundles of a launch that nobody saw, or saw only in part', async () => {
    const sample = fc.sample(worldBlocks(NOW, 40), { numRuns: 1, seed: 3 })[0]!;
    const [base] = sample.flatMap((block) => block.swaps);
    const [born] = sample.flatMap((block) => block.creations);
    const slot = 400_970_000;
    const swapsOf = (mint: Address) =>
      [1, 2].map((index) => ({
        ...{ ...base!, mint, slot: slot + 5, block_index: index, trader: address(20 + index), bundled: 1 },
        ...{ is_buy: true, protocol_actor: false, partial: false },
      }));
    const [unseen, alone, holed] = [address(204), address(205), address(206)];
    const made = (mint: Address, at: number, partial = false) => ({ ...born!, mint, slot: at, partial });
    const swapBlock = { ...oneBlock([...swapsOf(unseen), ...swapsOf(alone), ...swapsOf(holed)]), slot: slot + 5 };
    // Between the creation and the swaps slots are missing; of `alone` only the creation's own transaction is known.
    const bornBlock = { ...oneBlock([]), slot, creations: [made(holed, slot)] };
    const cut = { ...swapBlock, creations: [made(alone, slot + 5, true)] };
    const answers = await settle([bornBlock, cut]);
    for (const mint of [unseen, alone, holed]) {
      const body = await read(answers.counters(mint));
      expect(answerFaults(getCounters, body)).toEqual([]);
      expect([mint, body.bundle, body.partial]).toEqual([mint, undefined, true]);
    }
  });
});

function oneBlock(swaps: WorldBlock['swaps']): WorldBlock {
  const [first] = swaps;
  const none = { creations: [], completions: [], graduations: [], creatorChanges: [], attempts: [], transfers: [] };
  const block = { slot: first?.slot ?? 1, time: first?.time ?? NOW, ...none, swaps, positions: [] };
  return { ...block, positions: foldedPositions(block, new Map()) };
}
