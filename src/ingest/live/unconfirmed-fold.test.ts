import { expect, it } from 'vitest';
import { createQuickClock } from '../../../test/support/quick-clock.ts';
import { deriveTrades, mintOf, type Trade, tradeBlock } from '../../../test/support/trade-chain.ts';
import { movementsOf } from '../../facts/movements.ts';
import { foldWallets, type WalletState } from '../../facts/wallet-fold.ts';
import { silentJournal } from '../../kernel/journal.ts';
import { silentLogger } from '../../kernel/log.ts';
import { decodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import { STALE_POSITIONS } from '../../store/clickhouse/schema/tables.ts';
import { createStaleMints } from '../late/stale-mints.ts';
import { createIngestStats } from '../report/stats.ts';
import { fitRows } from './fitting-rows.ts';
import { createRecentWallets } from './recent-wallets.ts';
import { createTradedMints } from './traded-mints.ts';
import { createUnconfirmedFold } from './unconfirmed-fold.ts';

const trade: Trade = { mint: 1, trader: 1, isBuy: true, quote: 5n, tokens: 5n };
const mint = mintOf(1);
const factsAt = (slot: number) => deriveTrades(tradeBlock(slot, slot - 1, [trade]));

it('marks mints again whose wallets, as folded again, are ahead of what is put back on top of them', async () => {
  const clock = createQuickClock(1);
  const stale = createStaleMints({ mints: [], newestMark: 0 });
  const tradedMints = createTradedMints({ readQuotes: async () => new Map(), readMoved: async () => new Set() });
  const fold = createUnconfirmedFold({
    ...{ stale, tradedMints, clock, maxUnconfirmedBlocks: 4, store: { hasPartial: () => false } },
    recentWallets: createRecentWallets({ capacity: 10 }),
    sink: { publish() {}, commit() {}, withdraw() {}, changed() {} },
    stats: createIngestStats({ source: 'yellowstone', committedSlot: 0, clock, log: silentLogger }),
  });
  const held = fitRows(factsAt(101), silentJournal)!;
  await fold.hold({ ...held, movements: movementsOf(held.facts) });
  const states = new Map<string, WalletState>();
  foldWallets(states, factsAt(105).swaps, []);
  const done = [{ mint, mark: 1, slot: 105, firstSlot: 105, holdingsOnly: false }];
  const refold = { states, mints: new Set([mint]), partly: new Set<never>(), done };
  const { items } = await fold.putBeneath(refold, new Set([mint]));
  const [block] = fold.confirm(101);
  expect(block?.marks.map((mark) => mark.mint)).toEqual([mint]);
  expect(block?.batch.tables.get('stale_positions')?.rows).toBe(1);
  // What came out of order while it was folded again is marked in the flush that answers the mark before.
  const rows = decodeRows(STALE_POSITIONS, items.at(-1)?.tables.get('stale_positions')?.bytes ?? new Uint8Array(0));
  expect(rows.map((row) => [row.mint, row.done])).toEqual([
    [mint, true],
    [mint, false],
  ]);
  expect(items.at(-1)?.marks).toHaveLength(1);
});
