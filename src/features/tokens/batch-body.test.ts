import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extent } from '../../../test/support/extent.ts';
import { createBookReads, createTokenBooks } from '../../../test/support/token-books.ts';
import { worldMint } from '../../../test/support/token-world.ts';
import { WORLD_MINTS } from '../../../test/support/token-world-rows.ts';
import { openWorldStore, type WorldStore } from '../../../test/support/world-store.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { slotOfBody, stampBody } from '../../contract/stamp.ts';
import type { Clock } from '../../kernel/clock.ts';
import { batchAtOnce, batchBody } from './batch-body.ts';

const NOW = 1_790_000_000;
const WORLDS = extent(4, 8);
const clock: Clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: () => new Promise(() => {}) };

let opened: WorldStore;

beforeAll(async () => {
  opened = await openWorldStore(NOW, WORLDS);
});

afterAll(() => opened?.close());

function open() {
  const { client, feed } = opened;
  const limits = DEFAULT_BOOK_LIMITS;
  const shelf = createBookShelf({ feed, limits });
  const reads = createBookReads(client);
  return { books: createTokenBooks({ reads, feed, clock, shelf, sizes: limits.sizes, solUsd: () => 150 }) };
}

const mints = () =>
  Array.from({ length: WORLDS }).flatMap((_, world) => WORLD_MINTS.map((mint) => worldMint(mint, world)));
const swapsOf = (mint: Address) => opened.blocks.flatMap(({ swaps }) => swaps).filter((swap) => swap.mint === mint);
const known = () => mints().filter((mint) => swapsOf(mint).length > 0);

describe('a batch of tokens', () => {
  it('holds the very bytes of their snapshots in the order asked, and names those nobody knows', async () => {
    const { books } = open();
    const nobody = [40, 41].map((world) => worldMint(WORLD_MINTS[0]!, world));
    const asked = [nobody[0]!, ...known().toReversed(), nobody[1]!];
    const body = String((await batchBody(asked, books.snapshot)).body);
    const snapshots = await Promise.all(
      known()
        .toReversed()
        .map((mint) => books.snapshot(mint)),
    );
    expect(body).toBe(`{"data":[${snapshots.map(String).join(',')}],"missing":${JSON.stringify(nobody)}}`);
    expect(JSON.parse(body).data).toHaveLength(known().length);
  });

  it('can hold nothing', async () => {
    const { books } = open();
    const nobody = worldMint(WORLD_MINTS[0]!, 40);
    expect(String((await batchBody([], books.snapshot)).body)).toBe('{"data":[],"missing":[]}');
    expect(String((await batchBody([nobody], books.snapshot)).body)).toBe(`{"data":[],"missing":["${nobody}"]}`);
  });
});

describe('a batch that blocks come in the midst of', () => {
  it('is the store’s in the end, and none of several slots', async () => {
    const feed = { headSlot: 5, committedSlot: 5 };
    const made = () => Promise.resolve({ body: Buffer.from('{}'), slots: new Set([4, undefined]) });
    const stored = stampBody(Buffer.from('{"data":[]}'), 5);
    const deps = { feed, shelf: { epoch: 0 }, makeStored: async () => stored };
    expect(await batchAtOnce({ ...deps, make: made })).toBe(stored);
    const still = await batchAtOnce({ ...deps, make: async () => ({ ...(await made()), slots: new Set([4]) }) });
    expect([String(still), slotOfBody(still)]).toEqual(['{}', 4]);
    const restless = async () => {
      feed.headSlot += 1;
      return { ...(await made()), slots: new Set([undefined]) };
    };
    expect(await batchAtOnce({ ...deps, make: restless })).toBe(stored);
  });
});
