import type { Address } from '../../chain/address.ts';
import type { TradePosition, WalletFlow } from './rule-rows.ts';

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
  const flowOf = new Map(flows.map((flow) => [flow.wallet, flow]));
  const ledgers = new Map<Address, GrowingLedger>();
  for (const position of positions) {
    const { trader } = position;
    if (isNobody(trader)) continue;
    let ledger = ledgers.get(trader);
    if (ledger === undefined) {
      ledger = emptyLedger(trader, flowOf.get(trader));
      ledgers.set(trader, ledger);
    }
    ledger.positions.push(position);
    ledger.bought += position.tokens_bought;
    ledger.sold += position.tokens_sold;
    ledger.balance += position.tokens_bought - position.tokens_sold;
  }
  for (const flow of flows) {
    const { wallet } = flow;
    if (!ledgers.has(wallet) && !isNobody(wallet)) ledgers.set(wallet, emptyLedger(wallet, flow));
  }
  return ledgers;
}

type GrowingLedger = { -readonly [K in keyof WalletLedger]: WalletLedger[K] } & { positions: TradePosition[] };

function emptyLedger(wallet: Address, flow: WalletFlow | undefined): GrowingLedger {
  const balance = flow === undefined ? 0n : flow.received - flow.sent - flow.burnt - flow.provided + flow.unexplained;
  return { wallet, positions: [], bought: 0n, sold: 0n, flow, balance };
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
 * What left wallets without having been seen to arrive there. A negative balance
 * is the evidence: its tokens came from somebody whose balance is overstated by as much.
 */
export function reconcile(ledgers: Iterable<WalletLedger>, supply: bigint): Reconciliation {
  let untraced = 0n;
  for (const { balance } of ledgers) if (balance < 0n) untraced -= balance;
  return {
    untraced,
    untracedPct: Number((untraced * 10_000n) / supply) / 100,
    unreconciled: untraced * 100n >= supply * UNTRACED_PCT,
  };
}
