import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { CREATED_SLOT, creationRow, LAUNCH_TIME } from '../../test/support/launch-script.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { createFeed } from '../feed/in-process.ts';
import { encodeStale, type StaleMint } from '../store/clickhouse/write/stale-positions.ts';
import { createHoldingsHistory } from './history.ts';
import { createStaleReader } from './stale-reads.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
  const covered = { firstSlot: CREATED_SLOT, lastSlot: CREATED_SLOT + 10, closesSlots: true, tables: new Map() };
  await test.store.writer.flush([covered]);
});
afterAll(() => test.close());

const feed = createFeed({ maxHeldBatches: 10 });

function markOf(mint: Address, mark: number): StaleMint {
  return { mint, mark, slot: CREATED_SLOT + 3, firstSlot: CREATED_SLOT + 3, holdingsOnly: false };
}

const tablesOf = (mark: StaleMint, done = false) => new Map([['stale_positions', encodeStale([mark], done)] as const]);

describe('a token of which something came late', () => {
  const isWhole = (mint: Address) => {
    // Each time anew: what is known of slots is kept for some seconds.
    const history = createHoldingsHistory({ client: test.store.client, clock: createHandClock(), feed });
    return history({ ...creationRow, mint, slot: CREATED_SLOT, time: LAUNCH_TIME, partial: false });
  };

  it('is not known whole until its newest mark is answered, be it of its holdings alone', async () => {
    const [mint, other] = [address(71), address(72)];
    expect(await isWhole(mint)).toBe(true);
    await test.store.writer.amend(tablesOf(markOf(mint, 3)));
    expect([await isWhole(mint), await isWhole(other)]).toEqual([false, true]);
    await test.store.writer.amend(tablesOf({ ...markOf(mint, 5), holdingsOnly: true }));
    await test.store.writer.amend(tablesOf(markOf(mint, 3), true));
    expect(await isWhole(mint)).toBe(false);
    await test.store.writer.amend(tablesOf(markOf(mint, 5), true));
    expect(await isWhole(mint)).toBe(true);
  });

  it('is not while the block that brought the mark waits for the store, and is once that is withdrawn', async () => {
    const mint = address(73);
    const slot = CREATED_SLOT + 11;
    feed.publish({ firstSlot: slot, lastSlot: slot, closesSlots: true, tables: tablesOf(markOf(mint, 7)) });
    expect([await isWhole(mint), await isWhole(address(74))]).toEqual([false, true]);
    feed.withdraw(slot);
    expect(await isWhole(mint)).toBe(true);
  });

  it('is asked about together with others', async () => {
    const isStale = createStaleReader({ client: test.store.client, feed });
    await test.store.writer.amend(tablesOf(markOf(address(75), 9)));
    expect(await Promise.all([address(74), address(75), address(76)].map(isStale))).toEqual([false, true, false]);
  });
});
