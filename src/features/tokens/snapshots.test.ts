import { expect, it } from 'vitest';
import { address } from '../../../test/support/token-world-rows.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import { createFeed } from '../../feed/in-process.ts';
import { createSnapshots } from './answers.ts';

it('makes a snapshot anew when leaders or the price of SOL are told anew, and keeps no other body of it', async () => {
  const mint = address(7);
  const feed = createFeed({ maxHeldBatches: 10 });
  feed.commit(10, 0);
  const shelf = createBookShelf({ feed, limits: { maxBytes: 1_000_000, maxBooks: 10, maxSections: 10 } });
  const none = { creation: undefined, completion: undefined, graduation: undefined, creatorChange: undefined };
  const facts = { ...none, lastSwap: undefined, lastPriced: undefined, traces: { known: true, decimals: 6 } };
  const world = { changes: 0, usd: 150 as number | undefined };
  const snapshot = createSnapshots({
    reads: { token: async () => facts },
    shelf,
    solUsd: () => world.usd,
    createdLeaders: {
      at: () => undefined,
      ready: () => undefined,
      get changes() {
        return world.changes;
      },
    },
  });
  let last = await snapshot(mint);
  const { bytes } = shelf.bodies(mint)!;
  expect(bytes).toBeGreaterThan(0);
  for (const next of [{ changes: 1 }, { changes: 2 }, { usd: 151 }, { usd: undefined }, { changes: 3, usd: 150 }]) {
    expect(snapshot(mint)).toBe(last);
    Object.assign(world, next);
    const body = await snapshot(mint);
    expect(body).not.toBe(last);
    expect(shelf.bodies(mint)!.bytes).toBeLessThan(bytes * 1.5);
    last = body;
  }
});
