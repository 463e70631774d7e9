import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openIntelligence } from '../../../test/support/intelligence-answers.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { createFeed } from '../../feed/in-process.ts';
import { getIntelligence } from './contract.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const START = 1_794_000_000;
const clock = { now: () => (START + 9) * 1_000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

it('tells of a token in dollars all that is not counted in SOL', async () => {
  const maker = createFactsMaker({ seed: 31, firstTime: START, mints: 1 });
  const [mint] = maker.mints as [Address];
  const facts = maker.next();
  const { slot, time } = facts;
  const swap = facts.swaps[0]!;
  const created = {
    ...facts.created[0]!,
    ...{ slot, time, mint, blockIndex: 1, quoteMint: USDC, creator: address(40) },
  };
  const buyers = [address(41), address(42)];
  const swaps = buyers.map((trader, place) => ({
    ...{ ...swap, slot, time, mint, trader, isBuy: true, protocolActor: false, quoteMint: USDC, quoteDecimals: 6 },
    ...{ blockIndex: 4 + 3 * place, ixIndex: 2, quoteAmount: 25_000_000n, tokenAmount: 10n ** 12n, venue: 0 as const },
  }));
  const blocks = [{ ...facts, created: [created], swaps, attempts: [], transfers: [] }];
  await test.store.writer.flush(blocks.map((block) => maker.toBatch(block)));
  const feed = createFeed({ maxHeldBatches: 1 });
  feed.commit(slot, 0);
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const deps = { client: test.store.client, feed, clock, shelf, holderSnapshots: { find: () => undefined } };
  const body = JSON.parse(String(await openIntelligence(deps).intelligence(mint)));
  expect(answerFaults(getIntelligence, body)).toEqual([]);
  expect(body).toMatchObject({ supported: false, buy_sol: '0', sell_sol: '0', buyers: 2 });
  expect(Object.keys(body.pnl)).toEqual(['source']);
  expect(body.snipers).toMatchObject({ total: 2 });
  expect(body.wallets.map(({ wallet }: { wallet: string }) => wallet)).toEqual(buyers);
  for (const row of body.wallets) {
    expect(row).toMatchObject({ tokens_bought: String(10n ** 12n), pnl_status: 'unknown' });
    expect(row.roles).toContain('sniper');
    for (const field of ['sol_invested', 'avg_cost', 'realized_pnl', 'unrealized_pnl'])
      expect(row).not.toHaveProperty(field);
  }
});
