import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extent } from '../../../test/support/extent.ts';
import { createBookReads, createTokenBooks } from '../../../test/support/token-books.ts';
import { worldMint } from '../../../test/support/token-world.ts';
import { WORLD_MINTS } from '../../../test/support/token-world-rows.ts';
import { openWorldStore, type WorldStore } from '../../../test/support/world-store.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import type { Clock } from '../../kernel/clock.ts';
import { batchBody } from './batch-body.ts';

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
    const body = String(await batchBody(asked, books.snapshot));
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
    expect(String(await batchBody([], books.snapshot))).toBe('{"data":[],"missing":[]}');
    expect(String(await batchBody([nobody], books.snapshot))).toBe(`{"data":[],"missing":["${nobody}"]}`);
  });
});
