import type { Address } from '../chain/address.ts';
import type { TradePosition, WalletFlow } from './intelligence-rows.ts';
import { supplyPct } from './token-supply.ts';

/** Who holds what, put together out of trades, sends, burns, liquidity and unexplained deltas. */

/** Share of the supply that may be unaccounted for, in percent. */
export const UNTRACED_PCT = 1n;

export interface WalletLedger {
  readonly wallet: Address;
  /** One per quote; none for a wallet that never traded. */
  readonly positions: readonly TradePosition[];
  readonly bought: bigint;
  readonly sold: bigint;
  readonly flow: WalletFlow | undefined;
  /** Raw units that it holds by all of these. Negative when more left than was seen arriving. */
  readonly balance: bigint;
}

/**
 * Every wallet that traded the token or moved it. `isNobody` tells wallets that
 * are no holders: the curve, pools, where tokens are burnt, protocol actors.
 */
export function reconstruct(
  positions: readonly TradePosition[],
  flows: readonly WalletFlow[],
  isNobody: (wallet: Address) => boolean,
): ReadonlyMap<Address, WalletLedger> {
  const traded = new Map<Address, TradePosition[]>();
  for (const position of positions) {
    const { trader } = position;
    if (trader === '' || isNobody(trader)) continue;
    const known = traded.get(trader);
    if (known === undefined) traded.set(trader, [position]);
    else known.push(position);
  }
  const ledgers = new Map<Address, WalletLedger>();
  for (const flow of flows) {
    const { wallet } = flow;
    if (wallet !== '' && !isNobody(wallet)) ledgers.set(wallet, ledgerOf(wallet, traded.get(wallet) ?? [], flow));
  }
  for (const [wallet, rows] of traded) {
    if (!ledgers.has(wallet)) ledgers.set(wallet, ledgerOf(wallet, rows, undefined));
  }
  return ledgers;
}

function ledgerOf(wallet: Address, positions: readonly TradePosition[], flow: WalletFlow | undefined): WalletLedger {
  let bought = 0n;
  let sold = 0n;
  for (const { tokens_bought, tokens_sold } of positions) {
    bought += tokens_bought;
    sold += tokens_sold;
  }
  const moved = flow === undefined ? 0n : flow.received - flow.sent - flow.burnt - flow.provided + flow.unexplained;
  return { wallet, positions, bought, sold, flow, balance: bought - sold + moved };
}

export interface Reconciliation {
  /** Raw units that somebody gave away and nobody saw arriving. */
  readonly untraced: bigint;
  /** Of the supply, with two decimals. */
  readonly untracedPct: number;
  readonly unreconciled: boolean;
}

export const RECONCILED: Reconciliation = { untraced: 0n, untracedPct: 0, unreconciled: false };

/**
 * What left wallets without having been seen to arrive there. A negative balance
 * is the evidence: its tokens came from somebody whose balance is overstated by as much.
 */
export function reconcile(ledgers: Iterable<WalletLedger>, supply: bigint): Reconciliation {
  let untraced = 0n;
  for (const { balance } of ledgers) if (balance < 0n) untraced -= balance;
  return {
    untraced,
    untracedPct: supplyPct(untraced, supply),
    unreconciled: untraced * 100n >= supply * UNTRACED_PCT,
  };
}
