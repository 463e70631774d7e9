import type { Address } from '../../chain/address.ts';
import { supplyPct } from '../../token/supply.ts';
import type { WalletBalance } from './balance-rules.ts';
import { MAX_EVENTS } from './contract-limits.ts';
import type { IntelligenceEvent } from './contract-shapes.ts';
import type { NotableMove, NotableSwap } from './rule-rows.ts';
import { type Cast, type Ownership, type Role, rolesOf } from './wallet-rules.ts';

/** Events of a token: the latest swaps and sends of the wallets that matter. */

export type EventKind = IntelligenceEvent['kind'];

export interface WalletEvent extends Pick<NotableSwap, 'slot' | 'block_index' | 'ix_index' | 'time' | 'signature'> {
  readonly kind: EventKind;
  readonly wallet: Address;
  readonly roles: readonly Role[];
  /** Of swaps only. */
  readonly isBuy: boolean | undefined;
  /** Lamports, of swaps in SOL only. */
  readonly solAmount: bigint | undefined;
  readonly tokenAmount: bigint;
  /** Undefined where shares of the supply are not told. */
  readonly supplyPct: number | undefined;
  /** Of sends only. */
  readonly counterparty: Address | undefined;
}

/** A swap of at least so many percent of the supply is a whale's, whoever makes it. */
export const WHALE_SWAP_PCT = 1n;
/** By an exit a wallet has sold so many percent of what it bought at least, … */
export const EXIT_SOLD_PCT = 50n;
/** … and so many in this one sale. */
export const EXIT_SALE_PCT = 10n;

export interface EventRows {
  /** Newest first, without a gap for every wallet of the cast. */
  readonly swaps: readonly NotableSwap[];
  readonly moves: readonly NotableMove[];
  readonly walletBalances: ReadonlyMap<Address, WalletBalance>;
  readonly cast: Cast;
  readonly ownership: Ownership | undefined;
  readonly supply: bigint | undefined;
}

/** The newest events, newest first. */
export function findEvents(rows: EventRows): WalletEvent[] {
  const events = [...swapEvents(rows), ...moveEvents(rows)];
  return events
    .sort((a, b) => b.slot - a.slot || b.block_index - a.block_index || b.ix_index - a.ix_index)
    .slice(0, MAX_EVENTS);
}

function swapEvents(rows: EventRows): WalletEvent[] {
  const exits = findExits(rows);
  return rows.swaps.flatMap((swap) => {
    const wallet = swap.trader;
    const kind = swapKind(swap, wallet, rows, exits.has(swap));
    if (kind === undefined) return [];
    const solAmount = swap.quote_mint === '' ? swap.quote_amount : undefined;
    return [
      { ...base(swap, wallet, swap.token_amount, rows), kind, isBuy: swap.is_buy, solAmount, counterparty: undefined },
    ];
  });
}

function swapKind(
  { is_buy, token_amount }: NotableSwap,
  wallet: Address,
  { cast, supply }: EventRows,
  isExit: boolean,
): EventKind | undefined {
  if (wallet === cast.creator) return is_buy ? 'dev_buy' : 'dev_sell';
  if (isExit) return cast.bundleOf.has(wallet) ? 'bundle_exit' : 'sniper_exit';
  if (supply === undefined || token_amount * 100n < supply * WHALE_SWAP_PCT) return undefined;
  return is_buy ? 'whale_buy' : 'whale_sell';
}

/** Sales by which snipers and bundled wallets got out: told by their trades alone, back from what they come to. */
function findExits({ swaps, walletBalances, cast }: EventRows): ReadonlySet<NotableSwap> {
  const totals = new Map<Address, { bought: bigint; sold: bigint }>();
  const exits = new Set<NotableSwap>();
  for (const swap of swaps) {
    const wallet = swap.trader;
    if (!cast.snipers.has(wallet) && !cast.bundleOf.has(wallet)) continue;
    const total = totals.get(wallet) ?? {
      bought: walletBalances.get(wallet)?.bought ?? 0n,
      sold: walletBalances.get(wallet)?.sold ?? 0n,
    };
    totals.set(wallet, total);
    if (swap.is_buy) {
      total.bought -= swap.token_amount;
      continue;
    }
    // Of a wallet whose trades were not read, and of what was only received, it is not known.
    const isMost = total.bought > 0n && total.sold * 100n >= total.bought * EXIT_SOLD_PCT;
    if (isMost && swap.token_amount * 100n >= total.bought * EXIT_SALE_PCT) exits.add(swap);
    total.sold -= swap.token_amount;
  }
  return exits;
}

function moveEvents(rows: EventRows): WalletEvent[] {
  const { cast } = rows;
  return rows.moves.flatMap((move) => {
    const { wallet, receiver, isBurn } = move;
    const kind = moveKind(wallet, isBurn, cast);
    if (kind === undefined) return [];
    const counterparty = isBurn || receiver === '' ? undefined : receiver;
    return [{ ...base(move, wallet, move.amount, rows), kind, isBuy: undefined, solAmount: undefined, counterparty }];
  });
}

function moveKind(wallet: Address, isBurn: boolean, cast: Cast): EventKind | undefined {
  if (isBurn) return 'burn';
  if (wallet === cast.creator) return 'dev_transfer_out';
  return cast.bundleOf.has(wallet) || cast.linked.has(wallet) ? 'cluster_transfer' : undefined;
}

function base(
  { slot, block_index, ix_index, time, signature }: NotableSwap | NotableMove,
  wallet: Address,
  tokenAmount: bigint,
  { walletBalances, cast, ownership }: EventRows,
) {
  return {
    ...{ slot, block_index, ix_index, time, signature },
    ...{ wallet, tokenAmount, roles: rolesOf(wallet, walletBalances.get(wallet), cast, ownership) },
    supplyPct: ownership === undefined ? undefined : supplyPct(tokenAmount, ownership.supply),
  };
}
