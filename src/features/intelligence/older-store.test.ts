import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openIntelligence } from '../../../test/support/intelligence-answers.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { createFeed } from '../../feed/in-process.ts';
import { runStatement } from '../../store/clickhouse/client.ts';

const START = 1_760_000_000;
const clock = { now: () => (START + 900) * 1_000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };
const maker = createFactsMaker({ seed: 44, firstTime: START, mints: 1 });
const [mint] = maker.mints as [Address];
const BUYERS = Array.from({ length: 25 }, (_, place) => address(60 + place));

let test: TestStore;
let slot = 0;
beforeAll(async () => {
  test = await openTestStore();
  const blocks = [launch(), ...Array.from({ length: 40 }, quiet), purchases()];
  await test.store.writer.flush(blocks.map((block) => maker.toBatch(block)));
  slot = blocks.at(-1)!.slot;
});
afterAll(() => test?.close());

function quiet() {
  return { ...maker.next(), created: [], swaps: [], attempts: [], transfers: [] };
}

function launch() {
  const facts = maker.next();
  const creation = {
    ...facts.created[0]!,
    slot: facts.slot,
    time: facts.time,
    mint,
    blockIndex: 1,
    creator: address(59),
  };
  return { ...facts, created: [creation], swaps: [], attempts: [], transfers: [] };
}

function purchases() {
  const facts = maker.next();
  const swap = { ...facts.swaps[0]!, mint, isBuy: true, protocolActor: false, tokenAmount: 10n ** 9n };
  const swaps = BUYERS.map((trader, place) => ({ ...swap, trader, blockIndex: 3 * place }));
  return { ...facts, created: [], swaps, attempts: [], transfers: [] };
}

async function ask() {
  const feed = createFeed({ maxHeldBatches: 1 });
  feed.commit(slot, 0);
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const deps = { client: test.store.client, feed, clock, shelf, holderSnapshots: { find: () => undefined } };
  return JSON.parse(String(await openIntelligence(deps).intelligence(mint)));
}

it('does not clear a token of hand-outs that its store was not told', async () => {
  expect(await ask()).toMatchObject({ pattern: 'organic', partial: false });
  await runStatement(
    test.store.client,
    `INSERT INTO migrations (name, checksum, applied_at) SELECT 'before', '', now() - INTERVAL 1 DAY`,
  );
  expect(await ask()).toMatchObject({ pattern: 'insufficient_data', partial: true });
});
