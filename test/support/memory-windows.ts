import { DECIDING_BLOCKS } from '../../src/chain/newest-time.ts';
import type { WindowReads, WindowSwapRow } from '../../src/market/market-reads.ts';
import type { Sums } from '../../src/market/sums.ts';
import { packCells } from './pack-cells.ts';
import type { WorldBlock } from './token-world-rows.ts';

/** Blocks up to a mark that decide what time it is, oldest first. */
export function newestBlocks(stored: readonly WorldBlock[], mark: number): readonly WorldBlock[] {
  return stored
    .filter(({ slot, time }) => slot <= mark && time > 0)
    .sort((a, b) => a.slot - b.slot)
    .slice(-DECIDING_BLOCKS);
}

/** What windows ask of the store, answered over plain arrays. */
export function createMemoryWindows(stored: () => readonly WorldBlock[]): WindowReads {
  const inOrder = () => [...stored()].sort((a, b) => a.slot - b.slot);
  const swapsOf = (blocks: readonly WorldBlock[]) => blocks.flatMap(({ swaps }): readonly WindowSwapRow[] => swaps);
  const swapsIn = ({ after, last, since, until }: { after: number; last: number; since: number; until: number }) =>
    swapsOf(inOrder().filter(({ slot }) => slot > after && slot <= last)).filter(
      ({ time }) => time >= since && time < until,
    );
  return {
    newest: async (mark) => newestBlocks(stored(), mark).map(({ slot, time }) => ({ slot, time })),
    async ahead({ after, mark, now }) {
      const ahead = inOrder().filter(({ slot, time }) => slot > after && slot <= mark && time > now);
      return ahead.map(({ slot, time }) => ({ slot, time }));
    },
    async slots(mark, { since, until }, after = 0) {
      const inside = inOrder().filter(({ slot, time }) => slot <= mark && time >= since && time < until);
      return { after: Math.max(after, (inside[0]?.slot ?? 1) - 1), last: inside.at(-1)?.slot ?? 0 };
    },
    async minutes({ first, last }) {
      const times = inOrder().flatMap(({ slot, time }) => (slot >= first && slot <= last && time > 0 ? [time] : []));
      return [...new Set(times.map((time) => time - (time % 60)))].sort((a, b) => a - b);
    },
    async *swaps(range) {
      const rows = swapsIn(range);
      // In pieces that end inside of slots.
      for (let at = 0; at < rows.length; at += 3) yield rows.slice(at, at + 3);
    },
    async *cells({ width, ...range }) {
      const series = new Map<string, { row: WindowSwapRow; cells: Map<number, Sums> }>();
      for (const row of swapsIn(range)) {
        const key = [row.mint, row.quote_mint, row.venue].join();
        const { cells } = series.get(key) ?? series.set(key, { row, cells: new Map() }).get(key)!;
        const start = row.time - (row.time % width);
        const { buys, sells, volume } = cells.get(start) ?? { buys: 0, sells: 0, volume: 0n };
        cells.set(start, {
          buys: buys + Number(row.is_buy),
          sells: sells + Number(!row.is_buy),
          volume: volume + row.quote_amount,
        });
      }
      yield Array.from(series.values(), ({ row: { mint, quote_mint, venue }, cells }) => ({
        mint,
        quote_mint,
        venue,
        cells: packCells(cells),
      }));
    },
    async prices(pairs, { before }) {
      const last = new Map<string, WindowSwapRow>();
      const wanted = new Set(pairs.map(({ mint, quote }) => `${mint} ${quote}`));
      for (const row of swapsOf(inOrder())) {
        const key = `${row.mint} ${row.quote_mint}`;
        if (row.priced && row.time < before && wanted.has(key)) last.set(key, row);
      }
      return Array.from(last.values(), ({ mint, quote_mint, slot, price }) => ({
        mint,
        quote_mint,
        at: BigInt(slot) << 32n,
        price,
      }));
    },
  };
}
