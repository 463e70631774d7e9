import type { Address } from '../../chain/address.ts';
import type { StrictResult, TradePosition, WalletFlow } from './rule-rows.ts';

/** Balances of wallets, put together out of trades, sends, burns, liquidity and unexplained deltas. */

/** Share of the supply that may be unaccounted for, in percent. */
export const UNTRACED_PCT = 1n;

export interface WalletBalance {
  readonly wallet: Address;
  /** One per quote; none for a wallet that never traded. */
  readonly positions: readonly TradePosition[];
  readonly bought: bigint;
  readonly sold: bigint;
  readonly flow: WalletFlow | undefined;
  /** Of a wallet that moved tokens outside of trades; of the others its positions tell it. */
  readonly result: StrictResult | undefined;
  /** Raw units that it holds by all of these. Negative when more left than was seen arriving. */
  readonly balance: bigint;
}

/** Rows that balances are put together out of. */
export interface BalanceRows {
  readonly positions: readonly TradePosition[];
  readonly flows: readonly WalletFlow[];
  readonly results: readonly StrictResult[];
  /** Tells wallets that are no holders: the curve, pools, where tokens are burnt, protocol actors. */
  readonly isNobody: (wallet: Address) => boolean;
}

/** Every wallet that traded the token or moved it. */
export function reconstruct({ positions, flows, results, isNobody }: BalanceRows): ReadonlyMap<Address, WalletBalance> {
  const resultOf = new Map(results.map((result) => [result.wallet, result]));
  const flowOf = new Map(flows.map((flow) => [flow.wallet, flow]));
  const walletBalances = new Map<Address, GrowingBalance>();
  for (const position of positions) {
    const { trader } = position;
    if (isNobody(trader)) continue;
    let walletBalance = walletBalances.get(trader);
    if (walletBalance === undefined) {
      walletBalance = emptyBalance(trader, flowOf.get(trader), resultOf.get(trader));
      walletBalances.set(trader, walletBalance);
    }
    walletBalance.positions.push(position);
    walletBalance.bought += position.tokens_bought;
    walletBalance.sold += position.tokens_sold;
    walletBalance.balance += position.tokens_bought - position.tokens_sold;
  }
  for (const flow of flows) {
    const { wallet } = flow;
    if (!walletBalances.has(wallet) && !isNobody(wallet)) {
      walletBalances.set(wallet, emptyBalance(wallet, flow, resultOf.get(wallet)));
    }
  }
  return walletBalances;
}

type GrowingBalance = { -readonly [K in keyof WalletBalance]: WalletBalance[K] } & { positions: TradePosition[] };

function emptyBalance(wallet: Address, flow: WalletFlow | undefined, result: StrictResult | undefined): GrowingBalance {
  const balance = flow === undefined ? 0n : flow.received - flow.sent - flow.burnt - flow.provided + flow.unexplained;
  return { wallet, positions: [], bought: 0n, sold: 0n, flow, result, balance };
}

export interface Reconciliation {
  /** Raw units that somebody gave away and nobody saw arriving. */
  readonly untraced: bigint;
  /** Of the supply, cut after two decimals: the threshold is never shown before it is reached. */
  readonly untracedPct: number;
  readonly unreconciled: boolean;
}

export const RECONCILED: Reconciliation = { untraced: 0n, untracedPct: 0, unreconciled: false };

/**
 * Adds up the tokens that left wallets without having been seen to arrive there. A negative balance
 * is the evidence: its tokens came from somebody whose balance is overstated by as much.
 */
export function reconcile(walletBalances: Iterable<WalletBalance>, supply: bigint): Reconciliation {
  let untraced = 0n;
  for (const { balance } of walletBalances) if (balance < 0n) untraced -= balance;
  return {
    untraced,
    untracedPct: Number((untraced * 10_000n) / supply) / 100,
    unreconciled: untraced * 100n >= supply * UNTRACED_PCT,
  };
}
