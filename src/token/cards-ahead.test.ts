import { expect, it, vi } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { openTestStore } from '../../test/support/store.ts';
import { address } from '../../test/support/token-world-rows.ts';
import { toldFacts } from '../../test/support/told-facts.ts';
import type { Address } from '../chain/address.ts';
import type { Swap } from '../facts/fact.ts';
import { AMM } from '../facts/venue.ts';
import { toRowBatch } from '../store/clickhouse/schema/fact-rows.ts';
import { readCards } from './card-reads.ts';
import { readTokenFacts } from './facts-reads.ts';
import { createTokenReads } from './token-reads.ts';

const FIRST_SLOT = 1_000;
const BLOCKS = 16;

it('tokens whose cards are past the mark are read together, and nothing is told of what is behind it', async () => {
  const { store, close } = await openTestStore();
  const { client } = store;
  // One block long before the others, of the same tokens.
  const makers = [FIRST_SLOT, FIRST_SLOT + 50_000].map((firstSlot) =>
    createFactsMaker({ seed: 31, firstSlot, mints: 6, swapsPerBlock: 30 }),
  );
  const [early, later] = [makers[0]!, makers[1]!];
  const { mints } = early;
  const [still, never] = [mints[0]!, mints[1]!];
  const blocks = [early.next(), ...Array.from({ length: BLOCKS }, () => later.next())];
  // One was priced then for the last time, and another never.
  const isPriced = ({ mint, slot }: Swap) => mint !== never && (mint !== still || slot === FIRST_SLOT);
  const facts = blocks.map((block) => ({
    ...block,
    swaps: block.swaps.map((swap): Swap => {
      return isPriced(swap) ? swap : { ...swap, priced: false, venue: AMM, pool: address(2) };
    }),
  }));
  await store.writer.flush(facts.map((block) => toRowBatch(block, [])));
  const mark = facts[4]!.slot;
  expect((await readCards(client, mints, mark)).size).toBe(0);
  const asked = vi.spyOn(client, 'exec');
  const readAll = async (some: readonly Address[]) => {
    asked.mockClear();
    const reads = createTokenReads(client);
    const found = await Promise.all(some.map((mint) => reads.token(mint, mark)));
    return { found, reads: asked.mock.calls.length };
  };
  const [one, all] = [await readAll([mints[5]!]), await readAll(mints)];
  // Wider looks for the two that price nothing of late, and their markets.
  expect(all.reads).toBeLessThanOrEqual(one.reads + 4);
  for (const [place, mint] of mints.entries()) {
    expect([mint, toldFacts(all.found[place]!)]).toEqual([mint, toldFacts(await readTokenFacts(client, mint, mark))]);
  }
  expect(all.found.map(({ lastPriced }) => lastPriced?.slot)).toContain(FIRST_SLOT);
  await close();
});
