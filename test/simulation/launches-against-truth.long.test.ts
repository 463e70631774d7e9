import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../src/books/body-cache.ts';
import { DEFAULT_BOOK_LIMITS } from '../../src/books/book-limits.ts';
import { createBookShelf } from '../../src/books/book-shelf.ts';
import type { Address } from '../../src/chain/address.ts';
import { readGeyserBlock } from '../../src/chain/geyser/geyser-protobuf.ts';
import { Absence } from '../../src/contract/stamp.ts';
import type { PositionState } from '../../src/facts/average-cost.ts';
import { deriveFacts } from '../../src/facts/derive.ts';
import { createLaunchAnswers, type LaunchAnswers } from '../../src/features/launch/answers.ts';
import { getLaunch, getLaunchRace, listFirstBuyers } from '../../src/features/launch/contract.ts';
import type { FirstBuyer, Launch, LaunchRace } from '../../src/features/launch/contract-shapes.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { applyRetention, readRetention } from '../../src/store/clickhouse/retention.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import { toPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import { answerFaults } from '../support/answer-schema.ts';
import { foldPositions } from '../support/fold-positions.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { firstBuyersTruth, type LaunchBlock, raceTruth, schemeTruth } from './launch-truth.ts';

/** Two minutes of chain. */
const BLOCKS = 600;
const SLOTS = 30;
const simulator = createSimulator({ seed: 'launches', sign: false });
const blocks: LaunchBlock[] = [];
const feed = createFeed({ maxHeldBatches: 10 });

let test: TestStore;
let answers: LaunchAnswers;

beforeAll(async () => {
  test = await openTestStore();
  const positions = new Map<string, PositionState>();
  const batches = Array.from({ length: BLOCKS }, () => {
    const block = simulator.next();
    const { transactions } = block.truth;
    blocks.push({ facts: block.truth.facts('decoded'), transactions });
    const derived = deriveFacts(readGeyserBlock(block.geyser(), failingJournal), failingJournal);
    const changed = [...foldPositions(positions, derived.swaps)];
    return toRowBatch(
      derived,
      changed.map((key) => toPositionRow(positions.get(key)!)),
    );
  });
  await test.store.writer.flush(batches);
  feed.commit(blocks.at(-1)!.facts.slot, 0);
  answers = openAnswers();
});

afterAll(() => test?.close());

function openAnswers(): LaunchAnswers {
  return createLaunchAnswers({
    client: test.store.client,
    feed,
    clock: { now: () => 0, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) },
    shelf: createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS }),
    isWhole: async () => true,
  });
}

/** Coins of the chain whose creation is in the blocks. */
function coins() {
  return blocks.flatMap(({ facts }) => facts.created);
}

async function ask<T>(body: Body): Promise<T> {
  return JSON.parse(String(await body)) as T;
}

describe('launches of the simulated chain', () => {
  it('are raced for as the truth says, to the last figure', async () => {
    let [contested, declined, wonLate] = [0, 0, 0];
    for (const coin of coins()) {
      const race = await ask<LaunchRace>(answers.race(coin.mint, SLOTS));
      expect(answerFaults(getLaunchRace, race)).toEqual([]);
      const truth = raceTruth(blocks, coin, SLOTS);
      const { headline, symbol, mint, slots, created_block_index, ...figures } = race;
      expect({ symbol, mint, slots, created_block_index }).toEqual({
        ...{ symbol: coin.symbol, mint: coin.mint, slots: SLOTS, created_block_index: coin.blockIndex },
      });
      expect(headline).not.toBe('');
      const board = figures.board.map(
        ({ wallet, slots_after_creation, block_index, outcome, bundled, fee, cu_price, why }) => ({
          ...{ wallet, slots_after_creation, block_index, outcome, bundled, fee, cu_price, why },
        }),
      );
      expect({ ...figures, board }).toEqual(truth);
      if (race.losing_cu_price_max !== undefined) contested += 1;
      if ((race.self_aborts ?? 0) > 0) declined += 1;
      if (race.winner !== undefined && race.bundle_size === 0) wonLate += 1;
    }
    // The chain has races of every kind.
    expect(Math.min(contested, declined, wonLate)).toBeGreaterThan(2);
  });

  it('have every bundle that was meant in one entry, whole, and none where others stood between', async () => {
    let [meant, spread] = [0, 0];
    for (const coin of coins()) {
      const launch = await ask<Launch>(answers.launch(coin.mint, 500));
      expect(answerFaults(getLaunch, launch)).toEqual([]);
      const swaps = launch.bundles.flatMap((bundle) => bundle.swaps);
      const { bundles, strangers, first } = schemeTruth(blocks, coin, 500);
      expect(swaps.map(({ sig, ix_index }) => [sig, ix_index])).toEqual(first);
      for (const wallets of bundles) {
        meant += 1;
        const entry = launch.bundles.find((bundle) => wallets.every((wallet) => bundle.wallets.includes(wallet)));
        expect(entry).toMatchObject({ is_bundle: true });
      }
      for (const sig of strangers) {
        spread += 1;
        expect(launch.bundles.find((bundle) => bundle.swaps.some((swap) => swap.sig === sig))?.is_bundle).toBe(false);
      }
    }
    expect(Math.min(meant, spread)).toBeGreaterThan(0);
  });

  it('have the first buyers that the truth has, with what they kept', async () => {
    let buyers = 0;
    for (const coin of coins()) {
      const { data } = await ask<{ data: FirstBuyer[] }>(answers.firstBuyers(coin.mint, 500));
      expect(answerFaults(listFirstBuyers, { data })).toEqual([]);
      const told = data.map(({ wallet, slot, block_index, is_dev, tokens_bought, tokens_sold }) => ({
        ...{ wallet, slot, block_index, is_dev, tokens_bought, tokens_sold },
      }));
      expect(told).toEqual(firstBuyersTruth(blocks, coin));
      buyers += data.length;
    }
    expect(buyers).toBeGreaterThan(50);
  });

  it('are told without the attempts that are not kept any more', async () => {
    await applyRetention(test.store.client, readRetention('attempts=1d'), silentLogger);
    const { mint } = coins()[0]!;
    const race = await ask<LaunchRace>(openAnswers().race(mint, SLOTS));
    expect(race.partial).toBe(true);
    expect(race).not.toHaveProperty('attempts');
    expect(race.landed).toBe(race.board.length);
  });

  it('are known to nobody before they are', async () => {
    const unknown = 'So11111111111111111111111111111111111111112' as Address;
    expect(await answers.race(unknown, SLOTS)).toBeInstanceOf(Absence);
  });
});
