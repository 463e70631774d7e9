import type { Block } from '../chain/block.ts';

/** Told of a block's own bytes, a whole SubscribeUpdate, before the block comes out of its source. */
export type BlockTap = (slot: number, bytes: Uint8Array) => void;

/** Where blocks come from. One pull at a time: back-pressure is not asking for the next. */
export interface BlockSource {
  readonly name: 'simulator' | 'replay' | 'rpc' | 'yellowstone';
  /**
   * Blocks in slot order from `fromSlot` (or the source's own start) until the
   * source ends or the signal aborts. Ends quietly on abort; throws what cannot be retried.
   */
  blocks(options: { readonly fromSlot: number | undefined; readonly signal: AbortSignal }): AsyncIterable<Block>;
}
