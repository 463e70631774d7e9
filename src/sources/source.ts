import type { Block } from '../chain/block.ts';

/** Told of a block's own bytes, a whole SubscribeUpdate, before the block comes out of its source. */
export type BlockTap = (slot: number, bytes: Uint8Array) => void;

/** The least certainty that a block must have before a source gives it. */
export type Commitment = 'confirmed' | 'processed';

/**
 * One step of a chain as its source sees it. Blocks come in slot order, each
 * behind its parent or, where the source has a hole, behind what came before
 * the hole: parent links tell. What is not confirmed yet is a stack on top of
 * what is: it is confirmed from the oldest up, and withdrawn from the newest down.
 */
export type ChainStep =
  | { readonly kind: 'block'; readonly block: Block; readonly confirmed: boolean }
  /** Every block up to this slot, that was given unconfirmed, is confirmed. */
  | { readonly kind: 'confirmed'; readonly slot: number }
  /** The newest block given, of this slot, is unconfirmed and not on the chain after all. */
  | { readonly kind: 'withdrawn'; readonly slot: number };

export interface SourceRun {
  /** The first slot wanted; undefined leaves the start to the source. */
  readonly fromSlot: number | undefined;
  readonly signal: AbortSignal;
}

/** Since the source began. */
export interface SlotCounts {
  readonly skipped: number;
  readonly dead: number;
  readonly forked: number;
  /** Confirmed slots whose block never came. */
  readonly missing: number;
  /** Blocks that came again, or too late. */
  readonly dropped: number;
  /** Blocks taken back after they were given. */
  readonly withdrawn: number;
}

/** State of a source's chain, for people and metrics. */
export interface SlotFigures extends SlotCounts {
  /** The newest confirmed slot given. */
  readonly confirmedSlot: number | undefined;
  readonly finalizedSlot: number | undefined;
  /** Blocks given that are not confirmed. */
  readonly unconfirmedBlocks: number;
  /** Blocks kept, bytes of them: those that wait and those that may have to be given again. */
  readonly heldBlocks: number;
  readonly heldBytes: number;
}

/** Slots that a source asked its node for in vain, or did not ask for. Since the source began. */
export interface SlotLacks {
  /** Passed over to stay near the head. */
  readonly passed: number;
  /** That the node could not give. */
  readonly unavailable: number;
}

/** A source of blocks. One pull at a time: back-pressure is not asking for the next. */
export interface BlockSource {
  readonly name: 'simulator' | 'replay' | 'rpc' | 'yellowstone';
  /**
   * Steps from `fromSlot` (or the source's own start) until the source ends or
   * the signal aborts. Ends quietly on abort; throws what cannot be retried.
   */
  steps(run: SourceRun): AsyncIterable<ChainStep>;
  /** State of the chain that the steps came from; of sources that see forks and statuses. */
  slots?(): SlotFigures;
  /**
   * The reason why its node refuses it at present, in a sentence; undefined while it does not. Of sources that ride
   * that out.
   */
  refusal?(): string | undefined;
  /** Slots that it did not give; of sources that ask for slots. */
  lacks?(): SlotLacks;
}

/** The blocks alone, of a source that gives confirmed ones. */
export async function* confirmedBlocks(source: BlockSource, run: SourceRun): AsyncGenerator<Block> {
  for await (const step of source.steps(run)) {
    if (step.kind === 'block' && step.confirmed) yield step.block;
  }
}
