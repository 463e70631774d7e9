import { describe, expect, it } from 'vitest';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import { address, WORLD_MINTS } from '../../test/support/token-world-rows.ts';
import type { MintRows } from '../books/mint-rows.ts';
import type { SwapRow, TransferRow } from '../store/clickhouse/schema/tables.ts';
import { MAX_MARKETS } from './market-reads.ts';
import { tokenSection } from './section.ts';

const NO_ROWS: MintRows = {
  creations: [],
  completions: [],
  graduations: [],
  creatorChanges: [],
  swaps: [],
  attempts: [],
  transfers: [],
  hiddenTransfers: [],
  positions: [],
  holdings: [],
};

/** As much of a swap as its token's state is made of. */
const swap = { slot: 400, block_index: 0, ix_index: 0, time: 1_790_000_000, venue: 1, quote_mint: '' } as SwapRow;

describe('what is known of a token', () => {
  it('weighs what its markets take, while nothing prices it', async () => {
    const section = await tokenSection(createMemoryReads(), WORLD_MINTS[0]!).load(0);
    const { bytes } = section;
    const swaps = Array.from({ length: 2 * MAX_MARKETS }, (_, i) => ({ ...swap, ix_index: i, pool: address(300 + i) }));
    section.apply({ ...NO_ROWS, swaps });
    expect(section.bytes - bytes).toBeGreaterThan(MAX_MARKETS * 500);
    expect(section.bytes - bytes).toBeLessThan(MAX_MARKETS * 5_000);
    section.apply({ ...NO_ROWS, swaps: [{ ...swap, slot: 401, priced: true }] });
    expect(section.bytes).toBe(bytes);
  });

  it('is that it is there once it moved, if only inside a trade', async () => {
    const section = await tokenSection(createMemoryReads(), WORLD_MINTS[0]!).load(0);
    expect([section.known, section.state.traces]).toEqual([false, undefined]);
    section.apply({ ...NO_ROWS, hiddenTransfers: [{ decimals: 9, hidden: true } as TransferRow] });
    expect([section.known, section.state.traces]).toEqual([true, { known: true, decimals: 9 }]);
  });
});
