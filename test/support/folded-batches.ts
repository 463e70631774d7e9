import type { BlockFacts } from '../../src/facts/fact.ts';
import { movementsOf } from '../../src/facts/movements.ts';
import { foldWallets, type WalletState } from '../../src/facts/wallet-fold.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import { withHoldings } from '../../src/store/clickhouse/schema/holding-rows.ts';
import { toPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';

/** Blocks as ingest sends them, with the positions and holdings that each leaves behind. Mints that are never traded have no holdings. */
export function foldedBatches(blocks: readonly BlockFacts[]): RowBatch[] {
  const traded = new Set(blocks.flatMap(({ swaps }) => swaps.map(({ mint }) => mint)));
  const wallets = new Map<string, WalletState>();
  return blocks.map((facts) => {
    const movements = movementsOf(facts).filter(({ mint }) => traded.has(mint));
    const changed = [...foldWallets(wallets, facts.swaps, movements)].map((key) => wallets.get(key)!);
    const positions = changed.flatMap((state) => state.positions).filter(({ slot }) => slot === facts.slot);
    const holdings = changed.flatMap(({ holding }) => holding ?? []).filter(({ slot }) => slot === facts.slot);
    return withHoldings(toRowBatch(facts, positions.map(toPositionRow)), holdings);
  });
}
