import type { SwapRow } from '../../store/clickhouse/schema/tables.ts';

/** Place of a row in the chain's one order. */
export type RowPlace = Pick<SwapRow, 'slot' | 'block_index' | 'ix_index' | 'signature' | 'partial'>;

/**
 * True when the first row came before the second one, and that is sure. Within a slot the places of
 * transactions without their block are provisional and tell nothing, but inside of one transaction they do.
 */
export function isSurelyBefore(first: RowPlace, second: RowPlace): boolean {
  if (first.slot !== second.slot) return first.slot < second.slot;
  if (Buffer.compare(first.signature, second.signature) === 0) return first.ix_index < second.ix_index;
  return !first.partial && !second.partial && first.block_index < second.block_index;
}
