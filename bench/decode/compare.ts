import { WSOL_MINT, ZERO_ADDRESS } from '../../src/chain/address.ts';
import type { Transaction } from '../../src/chain/block.ts';
import { readRpcTransaction } from '../../src/chain/rpc/rpc-json.ts';
import { deriveFacts } from '../../src/facts/derive.ts';
import type { Swap } from '../../src/facts/fact.ts';
import { EQUITY } from '../../src/facts/venue.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { decodeEvents } from '../../src/programs/decode.ts';
import { bondingCurveAddress } from '../../src/programs/pump/addresses.ts';
import { SettledBalances } from '../../test/support/settled-balances.ts';
import type { DecodeInput } from './inputs.ts';

/** The part of the peer's answer that is compared. */
export interface PeerTrade {
  readonly user: string;
  readonly type: string;
  /** The market, such as `Pumpfun`. */
  readonly amm?: string;
  readonly inputToken: { readonly mint: string; readonly amountRaw: string };
  readonly outputToken: { readonly mint: string; readonly amountRaw: string };
  readonly fee?: { readonly amountRaw: string } | undefined;
}

export interface Difference {
  readonly name: string;
  readonly what: 'trade' | 'side' | 'trader' | 'tokens' | 'quote' | 'fee';
  readonly peer: string;
  readonly settled: string;
}

export interface Comparison {
  readonly trades: number;
  /** Differences of the peer from the balances. */
  readonly peer: readonly Difference[];
  /** Differences of ours from the balances: none, or the benchmark shows nothing. */
  readonly ours: readonly Difference[];
}

/**
 * Holds both readers against the balances that the chain settled. The peer gets
 * the benefit of every reading: an amount is right with or without fees, a fee
 * with or without the parts of creator and liquidity providers.
 */
export function compare(
  inputs: readonly DecodeInput[],
  peerTrades: (json: object) => readonly PeerTrade[],
): Comparison {
  const peer: Difference[] = [];
  const ours: Difference[] = [];
  let trades = 0;
  for (const { name, json } of inputs) {
    const block = readRpcTransaction(json, failingJournal);
    const transaction = block.transactions[0]!;
    const { swaps, created } = deriveFacts(block, failingJournal);
    const left = [...peerTrades(json)];
    trades += swaps.length;
    for (const swap of swaps) {
      // Venues of equities tell no reserves, and are derived from these very balances.
      if (swaps.length === 1 && swap.venue !== EQUITY) ours.push(...unsettled(name, swap, transaction));
      peer.push(...differences(name, swap, takeTrade(left, swap), receivedBySeller(transaction, swap)));
    }
    for (const trade of left) {
      // Legs on other markets are no concern here; trades on ours that never were, and creations taken for trades, are.
      if (!isOurs(trade) && !created.some(({ mint }) => mint === trade.outputToken.mint)) continue;
      const told = `${trade.type} of ${trade.inputToken.amountRaw} for ${trade.outputToken.amountRaw}`;
      peer.push({ name, what: 'trade', peer: told, settled: 'no trade' });
    }
  }
  return { trades, peer, ours };
}

function isOurs({ amm }: PeerTrade): boolean {
  return amm === 'Pumpfun' || amm === 'Pumpswap';
}

/** The peer's trade that is the swap: on our markets if there is one. */
function takeTrade(left: PeerTrade[], swap: Swap): PeerTrade | undefined {
  const isSwap = (trade: PeerTrade): boolean =>
    trade.inputToken.mint === swap.mint || trade.outputToken.mint === swap.mint;
  const own = left.findIndex((trade) => isOurs(trade) && isSwap(trade));
  const index = own >= 0 ? own : left.findIndex(isSwap);
  return index < 0 ? undefined : left.splice(index, 1)[0];
}

/** Quote that a pool paid out to a seller, after cashback too, which is no fee. */
function receivedBySeller(transaction: Transaction, swap: Swap): bigint {
  const event = decodeEvents(transaction, failingJournal).find(({ ixIndex }) => ixIndex === swap.ixIndex);
  return event?.name === 'SellEvent' ? event.data.userQuoteAmountOut : swap.quoteAmount;
}

function differences(name: string, swap: Swap, trade: PeerTrade | undefined, received: bigint): Difference[] {
  const side = swap.isBuy ? 'BUY' : 'SELL';
  if (trade === undefined) {
    return [{ name, what: 'trade', peer: 'none', settled: `${side} of ${swap.tokenAmount} for ${swap.quoteAmount}` }];
  }
  const found: Difference[] = [];
  const check = (what: Difference['what'], told: string, right: readonly (bigint | string)[]): void => {
    if (!right.map(String).includes(told)) found.push({ name, what, peer: told, settled: String(right[0]) });
  };
  const buys = trade.outputToken.mint === swap.mint;
  check('side', buys ? 'BUY' : 'SELL', [side]);
  check('trader', trade.user, [swap.trader]);
  const fees = swap.fee + swap.creatorFee + swap.lpFee;
  check('tokens', (buys ? trade.outputToken : trade.inputToken).amountRaw, [swap.tokenAmount, swap.priceToken]);
  const paid = swap.quoteAmount + (swap.isBuy ? fees : -fees);
  check('quote', (buys ? trade.inputToken : trade.outputToken).amountRaw, [swap.quoteAmount, paid, received]);
  check(
    'fee',
    trade.fee?.amountRaw ?? 'none',
    fees === 0n ? ['none', '0'] : [swap.fee, swap.fee + swap.creatorFee, fees],
  );
  return found;
}

/** Differences from what the venue's own accounts gained, by balances alone. */
function unsettled(name: string, swap: Swap, transaction: Transaction): Difference[] {
  const balances = new SettledBalances(transaction);
  const found: Difference[] = [];
  const check = (what: Difference['what'], told: bigint, settled: bigint): void => {
    if (told !== settled) found.push({ name, what, peer: String(told), settled: String(settled) });
  };
  const quote = swap.isBuy ? swap.quoteAmount : -swap.quoteAmount;
  if (swap.pool === undefined) {
    const curve = bondingCurveAddress(swap.mint);
    check('quote', quote + keptOnCurve(transaction, swap), balances.lamports(curve) - balances.rent(curve));
  } else {
    const isFeeInTokens = balances.tokens(swap.pool, WSOL_MINT) === quote;
    check('quote', quote + (isFeeInTokens ? 0n : swap.lpFee), balances.tokens(swap.pool, WSOL_MINT));
    check('tokens', swap.realTokenReserves!, balances.held(swap.pool, swap.mint));
  }
  return found;
}

/** Fees that wait on the curve where the event names no recipient. */
function keptOnCurve(transaction: Transaction, swap: Swap): bigint {
  const event = decodeEvents(transaction, failingJournal).find(({ ixIndex }) => ixIndex === swap.ixIndex);
  if (event?.name !== 'TradeEvent' || event.data.feeRecipient !== ZERO_ADDRESS) return 0n;
  return swap.fee + swap.creatorFee - (event.data.buybackFee ?? 0n);
}
