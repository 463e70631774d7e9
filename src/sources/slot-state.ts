import type { Block } from '../chain/block.ts';
import type { SlotStatus } from '../chain/geyser/geyser-protobuf.ts';
import type { ChainStep, Commitment, SlotCounts, SlotFigures } from './source.ts';

/** News of slots that a source hears, in whatever order. */
export type SlotEvent =
  | {
      readonly kind: 'block';
      readonly block: Block;
      /** Bytes of memory that the block keeps. */
      readonly bytes: number;
    }
  | { readonly kind: 'status'; readonly slot: number; readonly parent: number | undefined; readonly status: SlotStatus }
  /** The endpoint says that it has nothing before `slot`. */
  | { readonly kind: 'unavailable'; readonly before: number };

/** Slots that a source could not give. */
export interface SlotGap {
  readonly fromSlot: number;
  readonly toSlot: number;
}

export interface SlotEffects {
  readonly steps: readonly ChainStep[];
  /** Given up on: each lies before the blocks of `steps` that follow it. */
  readonly gaps: readonly SlotGap[];
  /** Slots given as confirmed in a version that the chain turned out not to stand on. */
  readonly misfits: readonly number[];
}

/**
 * State of a slot. `skipped`: the chain went on without a block of it; `forked`: it had one that is not on the chain.
 */
export type SlotFate = 'processed' | 'confirmed' | 'finalized' | 'dead' | 'skipped' | 'forked';

/** State of a slot that is settled. */
export type SettledFate = Exclude<SlotFate, 'processed' | 'finalized'>;

/** A slot above the last confirmed one that was given. */
export interface OpenSlot {
  readonly slot: number;
  readonly parent: number | undefined;
  /** The version of the parent that it stands on, where its block tells. */
  readonly parentBlockhash: string | undefined;
  /** Of the version that counts: the one that is wanted, else the newest one that is not dead. */
  readonly blockhash: string | undefined;
  /** Kept until it is given as confirmed: a fork may have to be given again. Absent while it has not come, or for want of room. */
  readonly block: Block | undefined;
  readonly bytes: number;
  /** Versions that are dead or that another one has replaced, the newest {@link MAX_REFUSED_VERSIONS}. */
  readonly refused: readonly string[];
  /** The version that was confirmed, as children tell: no other one is on the chain. */
  readonly wanted: string | undefined;
  /** Said of itself, or follows from a confirmed descendant. */
  readonly confirmed: boolean;
  readonly dead: boolean;
  /** A bank was made of it somewhere. */
  readonly built: boolean;
}

export interface SlotsState {
  readonly commitment: Commitment;
  /** The last slot that is settled: nothing at or below it is given any more. Undefined before the first block. */
  readonly settled: number | undefined;
  /** True when that slot is known to be on the chain, and not only a place to start from. */
  readonly isSettledOnChain: boolean;
  /** The version of it that is on the chain, where that is known. */
  readonly settledBlockhash: string | undefined;
  /** Slots whose blocks were given unconfirmed, oldest first. */
  readonly stack: readonly number[];
  readonly open: ReadonlyMap<number, OpenSlot>;
  /** Of settled slots, the newest {@link MAX_FATES}. */
  readonly fates: ReadonlyMap<number, SettledFate>;
  readonly finalized: number | undefined;
  readonly counts: SlotCounts;
}

/** Confirmed blocks that wait for one before them until it is given up. Order is off by a slot or two, so this is many. */
export const MAX_WAITING_BLOCKS = 16;
/** Unconfirmed blocks given. Confirmation is a few slots behind; where it stops, so do we. */
export const MAX_UNCONFIRMED_BLOCKS = 256;
/** Blocks kept for a fork that may still win. */
export const MAX_HELD_BLOCKS = 64;
export const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** Of one slot. A leader rarely makes two, and gains nothing by more. */
export const MAX_REFUSED_VERSIONS = 8;
/** Slots known above the settled one. */
export const MAX_OPEN_SLOTS = 1_024;
/** Settled slots whose fate is remembered. */
export const MAX_FATES = 512;

export function initialSlots(commitment: Commitment, fromSlot: number | undefined): SlotsState {
  return {
    commitment,
    settled: fromSlot === undefined ? undefined : fromSlot - 1,
    isSettledOnChain: false,
    settledBlockhash: undefined,
    stack: [],
    open: new Map(),
    fates: new Map(),
    finalized: undefined,
    counts: { skipped: 0, dead: 0, forked: 0, missing: 0, dropped: 0, withdrawn: 0 },
  };
}

/** The slot at which a stream has to start so that nothing confirmed is lost; undefined before the first block. */
export function nextSlot({ settled }: SlotsState): number | undefined {
  return settled === undefined ? undefined : settled + 1;
}

/** The lowest slot from `first` on of which no block has come. */
export function firstWithoutBlock({ open }: SlotsState, first: number): number {
  let slot = first;
  while (open.get(slot)?.blockhash !== undefined) slot += 1;
  return slot;
}

/** Undefined for slots that nothing is known about, or not any more. */
export function slotFate(state: SlotsState, slot: number): SlotFate | undefined {
  const fate = state.fates.get(slot);
  if (fate !== undefined) return fate === 'confirmed' && slot <= (state.finalized ?? -1) ? 'finalized' : fate;
  const open = state.open.get(slot);
  if (open === undefined) return undefined;
  if (open.confirmed) return slot <= (state.finalized ?? -1) ? 'finalized' : 'confirmed';
  if (open.dead) return 'dead';
  return open.built ? 'processed' : undefined;
}

export function slotFigures({ counts, settled, finalized, stack, open }: SlotsState): SlotFigures {
  const held = [...open.values()].filter(({ block }) => block !== undefined);
  return {
    ...counts,
    confirmedSlot: settled,
    finalizedSlot: finalized,
    unconfirmedBlocks: stack.length,
    heldBlocks: held.length,
    heldBytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
