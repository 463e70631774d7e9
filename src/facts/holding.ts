import type { Address } from '../chain/address.ts';
import type { ChainPlace } from '../chain/place.ts';
import { MAX_U64, smaller, withinI64, withinU64 } from './amounts.ts';
import type { PositionState, PositionSwap } from './average-cost.ts';
import { isBalanceKnown } from './known-balance.ts';
import type { Movement, MovementKind } from './movements.ts';

/** Identity of a holding: one per mint and wallet, whatever it traded the mint in. */
export interface WalletKey {
  readonly mint: Address;
  readonly wallet: Address;
}

/**
 * What a wallet holds of a token by everything that moved it. It begins with the first movement outside of
 * trades, out of the positions that the wallet has by then: until then these tell the same.
 */
export interface HoldingState extends WalletKey, ChainPlace {
  /** Raw units by trades, unexplained deltas and hidden transfers, which are deltas of trades too. Negative when more left than was seen to arrive. */
  readonly estimate: bigint;
  /** Raw units by everything: sends, burns and liquidity too. */
  readonly balance: bigint;
  /** False once more had left of the estimate than was seen to arrive: what it holds is not known any more. */
  readonly estimateKnown: boolean;
  /** The same of the balance. */
  readonly balanceKnown: boolean;
  /** False when movements are missing that a store let go before they were folded: nothing is known any more. */
  readonly whole: boolean;
  /** Raw units, sums. */
  readonly received: bigint;
  readonly sent: bigint;
  readonly burnt: bigint;
  /** Put into pools, less what was taken out. */
  readonly provided: bigint;
  /** Signed. */
  readonly unexplained: bigint;
  /** The quote of its trades, undefined = SOL; of the first of them when there are several. */
  readonly quoteMint: Address | undefined;
  /** In how many quotes it traded: 0, 1, or 2 for more. */
  readonly quotes: number;
  /** Cost of the tokens held whose cost is known, raw quote units, by the order of everything. */
  readonly basis: bigint;
  readonly basisTokens: bigint;
  readonly realizedPnl: bigint;
  /** False once tokens without a known cost were sold, the state became unknown, or it traded in several quotes. */
  readonly pnlKnown: boolean;
  /** Movements folded in. */
  readonly moves: number;
  /** Unix seconds, of the first movement. */
  readonly firstTime: number;
  readonly firstSlot: number;
  /** Unix seconds, of the last swap or movement. */
  readonly lastTime: number;
}

type Sums = Pick<HoldingState, 'received' | 'sent' | 'burnt' | 'provided' | 'unexplained'>;

export function walletKey({ mint, wallet }: WalletKey): string {
  return `${mint}/${wallet}`;
}

/** The holding as the positions of its wallet tell, one of each quote, before the movement `first`. */
export function openHolding(first: Movement, positions: readonly PositionState[]): HoldingState {
  const { mint, wallet, slot, blockIndex, ixIndex, time } = first;
  const [single] = positions;
  const estimate = withinI64(positions.reduce((sum, { tokenBalance }) => sum + tokenBalance, 0n));
  const known = isBalanceKnown(positions);
  return {
    mint,
    wallet,
    slot,
    blockIndex,
    ixIndex,
    estimate,
    balance: estimate,
    estimateKnown: known,
    balanceKnown: known,
    whole: true,
    received: 0n,
    sent: 0n,
    burnt: 0n,
    provided: 0n,
    unexplained: 0n,
    quoteMint: single?.quoteMint,
    quotes: Math.min(2, positions.length),
    basis: positions.length === 1 ? single!.basis : 0n,
    basisTokens: positions.length === 1 ? single!.basisTokens : 0n,
    realizedPnl: positions.length === 1 ? single!.realizedPnl : 0n,
    pnlKnown: known && positions.length < 2 && single?.pnlKnown !== false,
    moves: 0,
    firstTime: time,
    firstSlot: slot,
    lastTime: time,
  };
}

/** The holding after one more swap of its wallet, by the rule of positions, over all that it holds. */
export function holdingAfterSwap(before: HoldingState, swap: PositionSwap): HoldingState {
  const { tokenAmount, quoteAmount, isBuy } = swap;
  const sameQuote = before.quotes === 0 || (before.quotes === 1 && before.quoteMint === swap.quoteMint);
  const traded = {
    ...before,
    quotes: sameQuote ? 1 : 2,
    quoteMint: before.quotes === 0 ? swap.quoteMint : before.quoteMint,
    pnlKnown: before.pnlKnown && sameQuote,
  };
  if (!isBuy) return after(sold(traded, tokenAmount, quoteAmount), swap, -tokenAmount, -tokenAmount);
  const basis = withinU64(before.basis + quoteAmount);
  const basisTokens = withinU64(before.basisTokens + tokenAmount);
  const pnlKnown = traded.pnlKnown && basis < MAX_U64 && basisTokens < MAX_U64;
  return after({ ...traded, basis, basisTokens, pnlKnown }, swap, tokenAmount, tokenAmount);
}

/** Tokens of known cost are sold first; the proceeds of others are no profit. */
function sold(before: HoldingState, tokens: bigint, quote: bigint): HoldingState {
  const known = smaller(tokens, before.basisTokens);
  const left = withoutTokens(before, known);
  const proceeds = known === tokens ? quote : (quote * known) / tokens;
  const profit = before.realizedPnl + proceeds - (before.basis - left.basis);
  const realizedPnl = withinI64(profit);
  return { ...left, realizedPnl, pnlKnown: left.pnlKnown && known === tokens && realizedPnl === profit };
}

/** Takes out tokens of known cost with their share of it, rounded down; the last of them take all of it. */
function withoutTokens(before: HoldingState, tokens: bigint): HoldingState {
  const isAll = tokens === before.basisTokens;
  const cost = isAll ? before.basis : (before.basis * tokens) / before.basisTokens;
  return { ...before, basis: before.basis - cost, basisTokens: before.basisTokens - tokens };
}

/**
 * The holding after one more movement. What leaves takes its share of the cost with it and is neither won nor
 * lost; what arrives has no cost that is known.
 */
export function holdingAfterMovement(before: HoldingState, movement: Movement): HoldingState {
  const { kind, delta } = movement;
  const left = delta < 0n ? withoutTokens(before, smaller(-delta, before.basisTokens)) : before;
  const moved = { ...left, ...sumsAfter(before, kind, delta), moves: before.moves + 1 };
  return after(moved, movement, kind === 'unexplained' || kind === 'handed' ? delta : 0n, delta);
}

function sumsAfter(sums: Sums, kind: MovementKind, delta: bigint): Partial<Sums> {
  switch (kind) {
    case 'received':
      return { received: withinU64(sums.received + delta) };
    case 'sent':
      return { sent: withinU64(sums.sent - delta) };
    case 'handed':
      return delta > 0n ? { received: withinU64(sums.received + delta) } : { sent: withinU64(sums.sent - delta) };
    case 'burnt':
      return { burnt: withinU64(sums.burnt - delta) };
    case 'provided':
    case 'withdrawn':
      return { provided: withinI64(sums.provided - delta) };
    case 'unexplained':
      return { unexplained: withinI64(sums.unexplained + delta) };
  }
}

/** Moves both balances and the place on. Nothing is known for sure any more once a balance was below zero. */
function after(
  before: HoldingState,
  { slot, blockIndex, ixIndex, time }: ChainPlace & { readonly time: number },
  estimated: bigint,
  held: bigint,
): HoldingState {
  const estimate = withinI64(before.estimate + estimated);
  const balance = withinI64(before.balance + held);
  const isSameTransaction = before.slot === slot && before.blockIndex === blockIndex;
  const balanceKnown = before.balanceKnown && balance >= 0n && balance === before.balance + held;
  return {
    ...before,
    slot,
    blockIndex,
    // Within a transaction what arrives is folded before what stands in front of it.
    ixIndex: isSameTransaction ? Math.max(before.ixIndex, ixIndex) : ixIndex,
    estimate,
    balance,
    estimateKnown: before.estimateKnown && estimate >= 0n && estimate === before.estimate + estimated,
    balanceKnown,
    // A balance of zero starts over.
    basis: balance === 0n ? 0n : before.basis,
    basisTokens: balance === 0n ? 0n : before.basisTokens,
    pnlKnown: before.pnlKnown && balanceKnown,
    lastTime: time,
  };
}

/** The holding of a wallet whose earlier movements are lost: what it holds, and what it won, is not known any more. */
export function cutHolding(state: HoldingState): HoldingState {
  return { ...state, estimateKnown: false, balanceKnown: false, pnlKnown: false, whole: false };
}
