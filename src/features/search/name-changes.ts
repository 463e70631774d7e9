import { readBatch } from '../../books/mint-rows.ts';
import type { Address } from '../../chain/address.ts';
import { equity } from '../../programs/registry/index.ts';
import type { NamedToken } from '../../search/name-table.ts';
import type { SearchIndex } from '../../search/search-index.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { isPriced, marketRank } from './market-rules.ts';
import { shownNames, withinSlot } from './name-reads.ts';

/** What a block's rows change of a token that can be looked for. */
export interface NameChange {
  readonly mint: Address;
  /** Its creation, where that is in the block. */
  readonly born: Pick<NamedToken, 'symbol' | 'name' | 'slot' | 'within'> | undefined;
  readonly hasTraded: boolean;
  /** Its rank by the block's last trade that prices it; undefined without one. */
  readonly priced: number | undefined;
  /** True for rows that came behind later ones: their price is no newer than one that is known. */
  readonly isLate: boolean;
}

/** Symbol and name as they are served. */
export type ShownNames = Pick<NamedToken, 'symbol' | 'name'>;

export function changesOf(batch: RowBatch, isLate: boolean): ReadonlyMap<Address, NameChange> {
  const changes = new Map<Address, NameChange>();
  for (const [mint, { creations, graduations, swaps }] of readBatch(batch)) {
    if (mint === '' || creations.length + graduations.length + swaps.length === 0) continue;
    const [creation] = creations;
    const born =
      creation === undefined
        ? undefined
        : { ...shownNames(mint, creation), slot: creation.slot, within: withinSlot(creation) };
    const last = swaps.findLast(({ priced }) => priced);
    const priced = last === undefined ? undefined : marketRank(mint, true, last);
    changes.set(mint, { mint, born, hasTraded: swaps.length > 0, priced, isLate });
  }
  return changes;
}

/** What came of a change. */
export interface Applied {
  /** The token as it was; undefined for one that was not there. */
  readonly before: NamedToken | undefined;
  /** True for a token that is there now without anybody having said how it is called. */
  readonly isNameless: boolean;
}

/**
 * Brings a change into the index. `named`: how accounts call a token that is not there yet. Undefined when nothing
 * changed, or nothing has room.
 */
export function applyChange(index: SearchIndex, change: NameChange, named?: ShownNames): Applied | undefined {
  const { mint, born } = change;
  const rank = index.rank(mint);
  const market = marketAfter(change, rank?.market ?? marketRank(mint, false, undefined));
  // The first creation that is seen counts.
  const isNamed = born !== undefined && (rank === undefined || rank.slot === 0);
  if (rank !== undefined && !isNamed && market === rank.market) return undefined;
  const before = index.get(mint);
  if (rank !== undefined && !isNamed) {
    index.setMarket(mint, market);
    return { before, isNameless: false };
  }
  const known = before ?? { ...shownNames(mint, equity(mint) ?? named), ...UNSEEN };
  if (!index.add({ ...known, ...(isNamed ? born : {}), market })) return undefined;
  return { before, isNameless: before === undefined && born === undefined && named === undefined };
}

function marketAfter({ mint, hasTraded, priced, isLate }: NameChange, market: number): number {
  if (priced !== undefined && !(isLate && isPriced(market))) return priced;
  // Trades that price nothing leave the price as it was.
  return hasTraded ? Math.max(market, marketRank(mint, true, undefined)) : market;
}

/** Of a token whose creation was not seen. */
const UNSEEN = { slot: 0, within: 0 } as const;

/** Takes a change back. Without room for the token as it was it goes altogether: it is not what it became any more. */
export function takeBack(index: SearchIndex, mint: Address, before: NamedToken | undefined): void {
  if (before === undefined || !index.add(before)) index.remove(mint);
}
