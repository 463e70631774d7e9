import { jsonBody } from '../../books/json-text.ts';
import { readBatch } from '../../books/mint-rows.ts';
import type { Address } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import type { CrossPair } from './contract.ts';
import type { PairRow } from './cross-reads.ts';

export interface CrossDeps {
  readonly feed: Feed;
  /** Pairs of the store at slot `mark`. */
  readonly readPairs: (
    mints: readonly Address[],
    wallets: readonly Address[],
    mark: number,
  ) => Promise<readonly PairRow[]>;
}

/** Pairs that have a position: those of the store, and those of the blocks that it does not have yet, up to the newest. */
export async function crossBody(
  { feed, readPairs }: CrossDeps,
  mints: readonly Address[],
  wallets: readonly Address[],
): Promise<Buffer> {
  const mark = feed.committedSlot;
  // A batch may be stored while the store is read: whatever was held at any time meanwhile is looked at here.
  const batches = new Set<RowBatch>(feed.since(0));
  const unsubscribe = feed.subscribe({
    batch: (batch) => batches.add(batch),
    withdrawn: (batch) => batches.delete(batch),
    changed() {},
  });
  try {
    const found = new Map<Address | '', Set<Address | ''>>(mints.map((mint) => [mint, new Set()]));
    for (const { mint, wallet } of await readPairs(mints, wallets, mark)) found.get(mint)?.add(wallet);
    const named: ReadonlySet<Address | ''> = new Set(wallets);
    for (const batch of batches) {
      const rows = readBatch(batch);
      for (const mint of mints) {
        for (const { trader } of rows.get(mint)?.positions ?? []) if (named.has(trader)) found.get(mint)?.add(trader);
      }
    }
    const data = [...found]
      .sort(byText)
      .flatMap(([mint, traders]) =>
        [...traders].sort().map((wallet) => ({ mint, wallet }) satisfies Written<CrossPair>),
      );
    return stampBody(jsonBody({ data }), Math.max(feed.headSlot, feed.committedSlot));
  } finally {
    unsubscribe();
  }
}

function byText([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
