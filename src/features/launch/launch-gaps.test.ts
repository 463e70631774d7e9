import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { launchBlocks, openLaunchBooks } from '../../../test/support/launch-books.ts';
import {
  CREATED_SLOT,
  CREATOR,
  LAUNCH_MINT,
  LAUNCH_TIME,
  landed,
  leg,
  reverted,
} from '../../../test/support/launch-script.ts';
import { createMemoryReads } from '../../../test/support/memory-reads.ts';
import { address, WORLD_MINTS } from '../../../test/support/token-world-rows.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createFeed } from '../../feed/in-process.ts';
import { getLaunchRace } from './contract.ts';

const BUYER = address(31);

describe('launches of which the store lacks something', () => {
  it('leave out what rows would tell that are not kept any more', async () => {
    const reads = createMemoryReads();
    const feed = createFeed({ maxHeldBatches: 1 });
    const script = [landed(0, 50, leg(CREATOR)), reverted(1, 3, { wallet: WORLD_MINTS[1]! }), landed(2, 3, leg(BUYER))];
    for (const block of launchBlocks(script)) {
      reads.add(block);
      feed.commit(block.slot, 0);
    }
    const ask = async (wholeSince: Readonly<Record<string, number>>) => {
      const books = openLaunchBooks({ reads, feed, limits: DEFAULT_BOOK_LIMITS, wholeSince });
      const bodies = [books.launch(LAUNCH_MINT, 9), books.race(LAUNCH_MINT, 9), books.firstBuyers(LAUNCH_MINT, 9)];
      const [launch, race, buyers] = (await Promise.all(bodies)).map((body) => JSON.parse(String(body)));
      expect(answerFaults(getLaunchRace, race)).toEqual([]);
      return { launch, race, buyers };
    };
    const kept = await ask({ attempts: LAUNCH_TIME, swaps: LAUNCH_TIME });
    expect(kept.race).toMatchObject({ attempts: 3, contenders: 2, losing_cu_price_max: '1000' });
    for (const body of Object.values(kept)) expect(body).not.toHaveProperty('partial');

    const { race, launch } = await ask({ attempts: LAUNCH_TIME + 1 });
    expect(launch).not.toHaveProperty('partial');
    expect(race).toMatchObject({ landed: 2, winner: BUYER, winner_bid_known: true, bundle_size: 0, partial: true });
    for (const field of ['attempts', 'contenders', 'losing_cu_price_max', 'self_aborts', 'unknown_outcome'])
      expect(race).not.toHaveProperty(field);
    expect(race.board).toHaveLength(2);
    expect(race.by_slot).toEqual([
      { slots_after_creation: 0, landed: 1, median_tip: '0' },
      { slots_after_creation: 2, landed: 1, median_tip: '0' },
    ]);
    for (const body of Object.values(await ask({ swaps: LAUNCH_TIME + 1 }))) expect(body.partial).toBe(true);
  });

  it('are partial while slots are missing in what they tell of', async () => {
    const reads = createMemoryReads();
    const feed = createFeed({ maxHeldBatches: 1 });
    for (const block of launchBlocks([landed(0, 50, leg(CREATOR)), landed(4, 3, leg(BUYER))])) {
      reads.add(block);
      feed.commit(block.slot, 0);
    }
    const range = (first: number, last: number) => ({ first: CREATED_SLOT + first, last: CREATED_SLOT + last });
    const coverage = [range(-9, 1), range(3, 50)];
    const books = openLaunchBooks({ reads, feed, limits: DEFAULT_BOOK_LIMITS, coverage });
    const ask = () => ({
      shortRace: books.race(LAUNCH_MINT, 2),
      race: books.race(LAUNCH_MINT, 3),
      firstSwap: books.launch(LAUNCH_MINT, 1),
      launch: books.launch(LAUNCH_MINT, 2),
      firstBuyer: books.firstBuyers(LAUNCH_MINT, 1),
      buyers: books.firstBuyers(LAUNCH_MINT, 3),
    });
    const partials = async () => {
      const told = Object.entries(ask()).map(async ([name, body]) => [name, JSON.parse(String(await body)).partial]);
      return Object.fromEntries(await Promise.all(told));
    };
    const whole = { shortRace: undefined, firstSwap: undefined, firstBuyer: undefined };
    expect(await partials()).toEqual({ ...whole, race: true, launch: true, buyers: true });
    // The block that fills the hole may hold no news of the token.
    coverage.splice(0, 2, range(-9, 50));
    expect(await partials()).toEqual({ ...whole, race: undefined, launch: undefined, buyers: undefined });
  });
});
