import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import { worldBatch } from '../../test/support/token-world.ts';
import { addHappening, type Happening, WORLD_MINTS, type WorldBlock } from '../../test/support/token-world-rows.ts';
import { DEFAULT_BOOK_LIMITS } from '../books/book-limits.ts';
import { createBookShelf } from '../books/book-shelf.ts';
import { Absence } from '../contract/stamp.ts';
import { createFeed } from '../feed/in-process.ts';
import { openStoredToken } from './known-token.ts';

const [MINT] = WORLD_MINTS;

function blockWith(slot: number, kind: Happening['kind']): WorldBlock {
  const block: WorldBlock = {
    ...{ slot, time: 1_790_000_000 + slot, creations: [], completions: [], graduations: [], creatorChanges: [] },
    ...{ swaps: [], attempts: [], transfers: [], positions: [] },
  };
  const shape = { mint: 0, trader: 1, quote: 0, venue: 0, flag: true, odd: false, amount: 1_000n, tokens: 1_000_000n };
  addHappening(block, { kind, ...shape }, 0);
  return block;
}

/** A feed that has a block which the store has not, and the store. */
function openWorld(kind: Happening['kind']) {
  const [feed, clock, reads] = [createFeed({ maxHeldBatches: 8 }), createHandClock(), createMemoryReads()];
  feed.commit(5, 0);
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const block = blockWith(6, kind);
  feed.publish(worldBatch(block));
  const open = () => openStoredToken({ reads, following: shelf.follow(), feed, clock }, MINT!);
  const store = () => {
    reads.add(block);
    feed.commit(6, 1);
  };
  return { open, store, clock };
}

describe.each(['create', 'swap', 'attempt'] as const)('a token whose first row is new (%s)', (kind) => {
  it('is waited for until the store has that row', async () => {
    const { open, store, clock } = openWorld(kind);
    let isOpen = false;
    const opened = open().then((token) => {
      isOpen = true;
      return token;
    });
    await clock.advance(200);
    expect(isOpen).toBe(false);
    store();
    await clock.advance(100);
    expect(await opened).not.toBeInstanceOf(Absence);
  });

  it('is a refusal, and no absence, where the store does not come to have it', async () => {
    const { open, clock } = openWorld(kind);
    const refused = expect(open()).rejects.toMatchObject({ code: 'storage_unavailable' });
    for (let at = 0; at < 60; at++) await clock.advance(50);
    await refused;
  });
});
