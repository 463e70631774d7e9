import { readBatch } from '../../books/mint-rows.ts';
import type { Address } from '../../chain/address.ts';
import { equity } from '../../programs/registry/index.ts';
import type { NamedToken } from '../../search/name-table.ts';
import type { SearchIndex } from '../../search/search-index.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { marketRank } from './market-rules.ts';
import { shownNames, withinSlot } from './name-reads.ts';

/** What a block's rows change of a token that can be looked for. */
export interface NameChange {
  readonly mint: Address;
  /** Its creation, where that is in the block. */
  readonly born: Pick<NamedToken, 'symbol' | 'name' | 'slot' | 'within'> | undefined;
  readonly hasTraded: boolean;
  /** Its rank by the block's last trade that prices it; undefined without one. */
  readonly priced: number | undefined;
}

/** A token as it was before a change; undefined for one that was not there. */
export interface Undo {
  readonly mint: Address;
  readonly before: NamedToken | undefined;
}

export function changesOf(batch: RowBatch): readonly NameChange[] {
  const changes: NameChange[] = [];
  for (const [mint, { creations, graduations, swaps }] of readBatch(batch)) {
    if (mint === '' || creations.length + graduations.length + swaps.length === 0) continue;
    const [creation] = creations;
    const born =
      creation === undefined
        ? undefined
        : { ...shownNames(mint, creation), slot: creation.slot, within: withinSlot(creation) };
    const last = swaps.findLast(({ priced }) => priced);
    const priced = last === undefined ? undefined : marketRank(mint, true, last);
    changes.push({ mint, born, hasTraded: swaps.length > 0, priced });
  }
  return changes;
}

/** Brings a change into the index. Returns how to take it back; undefined when nothing changed, or nothing has room. */
export function applyChange(index: SearchIndex, { mint, born, hasTraded, priced }: NameChange): Undo | undefined {
  const before = index.get(mint);
  const known = before ?? { ...shownNames(mint, equity(mint)), ...UNSEEN, market: marketRank(mint, false, undefined) };
  // Trades that price nothing leave the price as it was.
  const traded = hasTraded ? Math.max(known.market, marketRank(mint, true, undefined)) : known.market;
  // The first creation that is seen counts.
  const isNamed = born !== undefined && known.slot === 0;
  const next = { ...known, ...(isNamed ? born : {}), market: priced ?? traded };
  if (before !== undefined && !isNamed) {
    if (next.market === before.market) return undefined;
    index.setMarket(mint, next.market);
  } else if (!index.add(next)) return undefined;
  return { mint, before };
}

/** Of a token whose creation was not seen. */
const UNSEEN = { slot: 0, within: 0 } as const;

export function undoChange(index: SearchIndex, { mint, before }: Undo): void {
  if (before === undefined) index.remove(mint);
  else index.add(before);
}
