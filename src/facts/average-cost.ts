import type { Address } from '../chain/address.ts';
import { MAX_U64, smaller, withinI64, withinU64 } from './amounts.ts';
import type { Swap } from './fact.ts';

/** Identity of a position: one per mint, quote and trader. */
export interface PositionKey {
  readonly mint: Address;
  /** Undefined = SOL. */
  readonly quoteMint: Address | undefined;
  readonly trader: Address;
}

/**
 * The running average of one position after its last swap. Amounts are raw
 * units, quote amounts are net of fees (costs are counted apart).
 */
export interface PositionState extends PositionKey {
  /** Place of the last swap folded in. */
  readonly slot: number;
  readonly blockIndex: number;
  readonly ixIndex: number;
  /** Tokens held as far as trades tell; negative when more was sold than bought. */
  readonly tokenBalance: bigint;
  readonly tokensBought: bigint;
  readonly tokensSold: bigint;
  readonly quoteInvested: bigint;
  readonly quoteReceived: bigint;
  /** Cost of the tokens still held whose cost is known. */
  readonly basis: bigint;
  /** Tokens whose cost is known. */
  readonly basisTokens: bigint;
  readonly realizedPnl: bigint;
  /** False once a sell took tokens without a known cost. */
  readonly pnlKnown: boolean;
  readonly buys: number;
  readonly sells: number;
  /** Unix seconds. */
  readonly firstTime: number;
  readonly firstSlot: number;
  /** Unix seconds. */
  readonly lastTime: number;
}

/** The part of a swap that a position folds. */
export type PositionSwap = Pick<
  Swap,
  | 'mint'
  | 'quoteMint'
  | 'trader'
  | 'slot'
  | 'blockIndex'
  | 'ixIndex'
  | 'time'
  | 'isBuy'
  | 'quoteAmount'
  | 'tokenAmount'
  | 'protocolActor'
>;

/** One string per position, for map keys. */
export function positionKey(key: PositionKey): string {
  return `${key.mint}/${key.quoteMint ?? ''}/${key.trader}`;
}

/**
 * The position after one more swap of it. Anybody can make a token of 2^64 units and trade
 * it to and fro: sums stay at the bounds of their columns instead of ending who writes them.
 */
export function foldSwap(state: PositionState | undefined, swap: PositionSwap): PositionState {
  const before = state ?? openPosition(swap);
  return swap.isBuy ? afterBuy(before, swap) : afterSell(before, swap);
}

function openPosition(swap: PositionSwap): PositionState {
  return {
    mint: swap.mint,
    quoteMint: swap.quoteMint,
    trader: swap.trader,
    slot: swap.slot,
    blockIndex: swap.blockIndex,
    ixIndex: swap.ixIndex,
    tokenBalance: 0n,
    tokensBought: 0n,
    tokensSold: 0n,
    quoteInvested: 0n,
    quoteReceived: 0n,
    basis: 0n,
    basisTokens: 0n,
    realizedPnl: 0n,
    pnlKnown: true,
    buys: 0,
    sells: 0,
    firstTime: swap.time,
    firstSlot: swap.slot,
    lastTime: swap.time,
  };
}

// Written out in full: spreading a state of twenty fields costs more than all the arithmetic.

function afterBuy(before: PositionState, swap: PositionSwap): PositionState {
  const { tokenAmount, quoteAmount } = swap;
  const basis = withinU64(before.basis + quoteAmount);
  const basisTokens = withinU64(before.basisTokens + tokenAmount);
  return {
    mint: before.mint,
    quoteMint: before.quoteMint,
    trader: before.trader,
    slot: swap.slot,
    blockIndex: swap.blockIndex,
    ixIndex: swap.ixIndex,
    tokenBalance: withinI64(before.tokenBalance + tokenAmount),
    tokensBought: withinU64(before.tokensBought + tokenAmount),
    tokensSold: before.tokensSold,
    quoteInvested: withinU64(before.quoteInvested + quoteAmount),
    quoteReceived: before.quoteReceived,
    basis,
    basisTokens,
    realizedPnl: before.realizedPnl,
    // An amount that a bound has cut off is missing from every profit to come.
    pnlKnown: before.pnlKnown && basis < MAX_U64 && basisTokens < MAX_U64,
    buys: before.buys + 1,
    sells: before.sells,
    firstTime: before.firstTime,
    firstSlot: before.firstSlot,
    lastTime: swap.time,
  };
}

/**
 * Tokens with a known cost are taken to be sold first. They carry their share of
 * the basis out, rounded down, and all of it with the last of them: that is the
 * reset at a zero balance. The rest of the sell has no known cost, so its
 * proceeds are no profit.
 */
function afterSell(before: PositionState, swap: PositionSwap): PositionState {
  const { tokenAmount, quoteAmount } = swap;
  const known = smaller(tokenAmount, before.basisTokens);
  const emptied = known === before.basisTokens;
  const cost = emptied ? before.basis : (before.basis * known) / before.basisTokens;
  const proceeds = known === tokenAmount ? quoteAmount : (quoteAmount * known) / tokenAmount;
  const profit = before.realizedPnl + proceeds - cost;
  const realizedPnl = withinI64(profit);
  return {
    mint: before.mint,
    quoteMint: before.quoteMint,
    trader: before.trader,
    slot: swap.slot,
    blockIndex: swap.blockIndex,
    ixIndex: swap.ixIndex,
    tokenBalance: withinI64(before.tokenBalance - tokenAmount),
    tokensBought: before.tokensBought,
    tokensSold: withinU64(before.tokensSold + tokenAmount),
    quoteInvested: before.quoteInvested,
    quoteReceived: withinU64(before.quoteReceived + quoteAmount),
    basis: before.basis - cost,
    basisTokens: before.basisTokens - known,
    realizedPnl,
    pnlKnown: before.pnlKnown && known === tokenAmount && realizedPnl === profit,
    buys: before.buys,
    sells: before.sells + 1,
    firstTime: before.firstTime,
    firstSlot: before.firstSlot,
    lastTime: swap.time,
  };
}
