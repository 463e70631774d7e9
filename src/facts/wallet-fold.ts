import type { Address } from '../chain/address.ts';
import type { ChainPlace } from '../chain/place.ts';
import { compareChainPlaces } from '../chain/place.ts';
import { foldSwap, type PositionState, type PositionSwap } from './average-cost.ts';
import {
  type HoldingState,
  holdingAfterMovement,
  holdingAfterSwap,
  openHolding,
  type WalletKey,
  walletKey,
} from './holding.ts';
import { type Movement, walkInOrder } from './movements.ts';

/** All that is folded of a wallet in a token: its positions, one in each quote, and its holding once it moved tokens. */
export interface WalletState extends WalletKey {
  readonly positions: readonly PositionState[];
  readonly holding: HoldingState | undefined;
}

/** Of a step and a state: folded, known before, or out of order. */
export type StepOutcome = { readonly state: WalletState | undefined; readonly isDirty: boolean };

const KNOWN: StepOutcome = { state: undefined, isDirty: false };
const DIRTY: StepOutcome = { state: undefined, isDirty: true };

/**
 * Folds a swap into its wallet. `isUnderWay` says that the wallet was changed by the same block before: more of the
 * transaction that it stands at then may come. A swap that a position has is left out, and one that is older is dirty.
 */
export function stepSwap(before: WalletState | undefined, swap: PositionSwap, isUnderWay: boolean): StepOutcome {
  if (before === undefined) {
    const { mint, trader: wallet } = swap;
    return folded({ mint, wallet, positions: [foldSwap(undefined, swap)], holding: undefined });
  }
  const { positions, holding } = before;
  const place = positions.findIndex(({ quoteMint }) => quoteMint === swap.quoteMint);
  const position = positions[place];
  const order = position === undefined ? 1 : compareChainPlaces(swap, position);
  if (order <= 0) return order < 0 ? DIRTY : KNOWN;
  const next = foldSwap(position, swap);
  const isBehind = holding !== undefined && !isAhead(swap, holding, isUnderWay);
  return {
    state: {
      ...before,
      positions: withPosition(positions, place, next),
      holding: holding === undefined || isBehind ? holding : holdingAfterSwap(holding, swap),
    },
    isDirty: isBehind,
  };
}

/** Folds a movement into its wallet, as {@link stepSwap} does a swap. */
export function stepMovement(before: WalletState | undefined, movement: Movement, isUnderWay: boolean): StepOutcome {
  const { mint, wallet } = movement;
  const { positions, holding } = before ?? { positions: [], holding: undefined };
  for (const known of holding === undefined ? positions : [holding]) {
    if (isAhead(movement, known, isUnderWay)) continue;
    return compareTransactions(movement, known) < 0 ? DIRTY : KNOWN;
  }
  const next = holdingAfterMovement(holding ?? openHolding(movement, positions), movement);
  return folded({ mint, wallet, positions, holding: next });
}

/**
 * Folds swaps and movements, each in its order, into `wallets` and returns the keys of those that changed. What is
 * not newer than its wallet is already in it, so folding twice changes nothing. The last transaction has to be there
 * as a whole. `onDirty` is told of wallets with a step that came out of order.
 */
export function foldWallets(
  wallets: Map<string, WalletState>,
  swaps: Iterable<PositionSwap>,
  movements: readonly Movement[],
  onDirty: (key: string, mint: Address) => void = () => {},
): Set<string> {
  const changed = new Set<string>();
  const take = (key: string, mint: Address, { state, isDirty }: StepOutcome) => {
    if (isDirty) onDirty(key, mint);
    if (state === undefined) return;
    wallets.set(key, state);
    changed.add(key);
  };
  walkInOrder(
    swaps,
    movements,
    (swap) => {
      if (swap.protocolActor) return;
      const key = walletKey({ mint: swap.mint, wallet: swap.trader });
      take(key, swap.mint, stepSwap(wallets.get(key), swap, changed.has(key)));
    },
    (movement) => {
      const key = walletKey(movement);
      take(key, movement.mint, stepMovement(wallets.get(key), movement, changed.has(key)));
    },
  );
  return changed;
}

function folded(state: WalletState): StepOutcome {
  return { state, isDirty: false };
}

function isAhead(step: ChainPlace, known: ChainPlace, isUnderWay: boolean): boolean {
  const order = compareTransactions(step, known);
  return order > 0 || (order === 0 && isUnderWay);
}

function compareTransactions(a: ChainPlace, b: ChainPlace): number {
  return a.slot - b.slot || a.blockIndex - b.blockIndex;
}

/** Positions with `next` at a place, or behind them where the place is negative. */
function withPosition(
  positions: readonly PositionState[],
  place: number,
  next: PositionState,
): readonly PositionState[] {
  if (place < 0) return [...positions, next];
  return positions.length === 1 ? [next] : positions.with(place, next);
}
