import type { Address } from '../../chain/address.ts';
import { supplyPct } from '../../token/supply.ts';
import type { WalletBalance } from './balance-rules.ts';
import type { IntelligenceWallet } from './contract-shapes.ts';
import { pnlOf, type TokenPrice, UNKNOWN_PNL, type WalletPnl } from './pnl-rules.ts';
import type { LaunchSwap, WalletFunding } from './rule-rows.ts';

/** Roles and holdings of the wallets of a token. */

export type Role = IntelligenceWallet['roles'][number];
export type HoldingState = IntelligenceWallet['holding_state'];

/** A whale holds at least so many percent of the supply. */
export const WHALE_PCT = 1n;
/** A wallet is fresh when it was made at most so many seconds before its first trade. */
export const FRESH_SECONDS = 86_400;
/** A position is closed when no more than so many percent of what arrived are left. */
export const CLOSED_PCT = 1n;

/** Facts that make the roles of wallets, whatever anybody holds. */
export interface Cast {
  readonly creator: Address | undefined;
  readonly snipers: ReadonlySet<Address>;
  /** Index among the launch's bundles. */
  readonly bundleOf: ReadonlyMap<Address, number>;
  /** Of a cluster of buyers with one funder. */
  readonly linked: ReadonlySet<Address>;
  readonly fundings: ReadonlyMap<Address, WalletFunding>;
  readonly firstBuys: ReadonlyMap<Address, LaunchSwap>;
  readonly createdSlot: number | undefined;
}

/** Facts by which ownership is judged; undefined where it is not known well enough to be told. */
export interface Ownership {
  readonly supply: bigint;
  readonly price: TokenPrice | undefined;
  /** False where balances are the chain's: moves and trades then need not be all there were. */
  readonly isTraced: boolean;
}

export interface WalletView {
  readonly walletBalance: WalletBalance;
  readonly roles: readonly Role[];
  readonly state: HoldingState;
  readonly pnl: WalletPnl;
  /** Both are undefined where ownership is not told. */
  readonly balance: bigint | undefined;
  readonly supplyPct: number | undefined;
  /** Both are undefined where balances are not made of moves. */
  readonly movedIn: bigint | undefined;
  readonly movedOut: bigint | undefined;
  readonly funding: WalletFunding | undefined;
  readonly bundle: number | undefined;
  /** Place in its block of the first trade, where that is a buy of the launch. */
  readonly firstPlace: number | undefined;
  readonly slotsAfterCreation: number | undefined;
}

/** Slot of a wallet's first trade; undefined when it never traded. */
export function firstSlotOf({ positions }: WalletBalance): number | undefined {
  return positions.length === 0 ? undefined : Math.min(...positions.map(({ first_slot }) => first_slot));
}

/** Tokens that came to a wallet and left it outside of trades, so that balance = bought - sold + in - out. */
export function movedOf({ flow }: WalletBalance): { readonly in: bigint; readonly out: bigint } {
  if (flow === undefined) return { in: 0n, out: 0n };
  const { received, sent, burnt, provided, unexplained } = flow;
  return {
    in: received + positive(-provided) + positive(unexplained),
    out: sent + burnt + positive(provided) + positive(-unexplained),
  };
}

export function rolesOf(
  wallet: Address,
  walletBalance: WalletBalance | undefined,
  cast: Cast,
  ownership: Ownership | undefined,
): Role[] {
  const funding = cast.fundings.get(wallet);
  const roles: Role[] = [];
  if (wallet === cast.creator) roles.push('dev');
  if (cast.snipers.has(wallet)) roles.push('sniper');
  if (cast.bundleOf.has(wallet)) roles.push('bundle');
  if (cast.creator !== undefined && funding?.funder === cast.creator) roles.push('funded_by_dev');
  if (cast.linked.has(wallet)) roles.push('shared_funder');
  if (walletBalance === undefined) return roles;
  if (isFresh(walletBalance, funding)) roles.push('fresh');
  if (ownership === undefined) return roles;
  if (walletBalance.balance * 100n >= ownership.supply * WHALE_PCT) roles.push('whale');
  if (ownership.isTraced && walletBalance.bought === 0n && movedOf(walletBalance).in > 0n) roles.push('airdropped');
  return roles;
}

function isFresh({ positions }: WalletBalance, funding: WalletFunding | undefined): boolean {
  if (funding?.madeAt === undefined || positions.length === 0) return false;
  const first = Math.min(...positions.map(({ first_time }) => first_time));
  return first >= funding.madeAt && first - funding.madeAt <= FRESH_SECONDS;
}

export function holdingStateOf(walletBalance: WalletBalance): HoldingState {
  const { balance, bought } = walletBalance;
  if (balance < 0n) return 'unknown';
  return balance * 100n <= (bought + movedOf(walletBalance).in) * CLOSED_PCT ? 'closed' : 'holding';
}

/** All that is told of a wallet. Without `ownership` nothing is told that depends on what it holds. */
export function viewOf(walletBalance: WalletBalance, cast: Cast, ownership: Ownership | undefined): WalletView {
  const { wallet, positions, balance, result } = walletBalance;
  const firstSlot = firstSlotOf(walletBalance);
  const moved = ownership?.isTraced === true ? movedOf(walletBalance) : undefined;
  const firstBuy = cast.firstBuys.get(wallet);
  return {
    walletBalance,
    roles: rolesOf(wallet, walletBalance, cast, ownership),
    state: ownership === undefined ? 'unknown' : holdingStateOf(walletBalance),
    pnl: ownership === undefined ? UNKNOWN_PNL : pnlOf(positions, balance, ownership.price, result),
    balance: ownership === undefined ? undefined : balance,
    supplyPct: ownership === undefined ? undefined : supplyPct(positive(balance), ownership.supply),
    movedIn: moved?.in,
    movedOut: moved?.out,
    funding: cast.fundings.get(wallet),
    bundle: cast.bundleOf.get(wallet),
    firstPlace: firstBuy?.slot === firstSlot ? firstBuy?.block_index : undefined,
    slotsAfterCreation:
      firstSlot === undefined || cast.createdSlot === undefined || firstSlot < cast.createdSlot
        ? undefined
        : firstSlot - cast.createdSlot,
  };
}

/**
 * The first `limit` wallets: by balance where it is told, then by first trade,
 * then by address. There are many thousands, so the rest is never sorted.
 */
export function rankWallets(
  walletBalances: Iterable<WalletBalance>,
  isOwnershipTold: boolean,
  firstBuysOf: ReadonlyMap<Address, LaunchSwap>,
  limit: number,
): WalletBalance[] {
  const firstIndex = ({ wallet }: WalletBalance) => firstBuysOf.get(wallet)?.block_index ?? Number.POSITIVE_INFINITY;
  const comesBefore = (a: WalletBalance, b: WalletBalance) => {
    if (isOwnershipTold && a.balance !== b.balance) return a.balance > b.balance;
    const slots = compareNumbers(
      firstSlotOf(a) ?? Number.POSITIVE_INFINITY,
      firstSlotOf(b) ?? Number.POSITIVE_INFINITY,
    );
    const order = slots || compareNumbers(firstIndex(a), firstIndex(b));
    return order === 0 ? a.wallet < b.wallet : order < 0;
  };
  const first: WalletBalance[] = [];
  for (const walletBalance of walletBalances) {
    const last = first[limit - 1];
    if (last !== undefined && !comesBefore(walletBalance, last)) continue;
    let low = 0;
    let high = first.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comesBefore(walletBalance, first[middle]!)) high = middle;
      else low = middle + 1;
    }
    first.splice(low, 0, walletBalance);
    if (first.length > limit) first.pop();
  }
  return first;
}

/** Infinite ones are equal. */
function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
