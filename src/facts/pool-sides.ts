import type { Address } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';
import { equity, quoteMint } from '../programs/registry/index.ts';
import { readSwapHops, readVenueInstruction } from '../programs/venue-instruction.ts';

/** A pool's two mints as the program orders them. */
export interface PoolMints {
  readonly base: Address;
  readonly quote: Address;
}

/** A pool's two mints as we tell them: the token, and what it is priced in. */
export interface PoolSides {
  readonly token: Address;
  /** wSOL included. */
  readonly quote: Address;
  /** The pool's base is the quote currency, so that a buy of its base sells the token. */
  readonly inverted: boolean;
}

/**
 * The mints of `pool`, which events do not name: from the accounts of the
 * instruction that emitted the event, else from the pool's own token balances.
 * `userBase` is the event's account of the pool's base, which tells the two apart.
 */
export function findPoolMints(
  transaction: Transaction,
  callIndex: number,
  pool: Address,
  userBase: Address | undefined,
): PoolMints | undefined {
  const call = transaction.instructions[callIndex];
  const venue = call === undefined ? undefined : readVenueInstruction(transaction, call);
  if (call === undefined || venue === undefined || venue.program !== 'pump_amm') {
    return mintsFromBalances(transaction, pool, userBase);
  }
  if (venue.name === 'multi_hop_swap') {
    const hop = readSwapHops(transaction, call).find((candidate) => candidate.market === pool);
    return hop === undefined ? undefined : { base: hop.baseMint, quote: hop.quoteMint };
  }
  const base = venue.account('baseMint');
  const quote = venue.account('quoteMint');
  return base === undefined || quote === undefined ? undefined : { base, quote };
}

function mintsFromBalances(
  transaction: Transaction,
  pool: Address,
  userBase: Address | undefined,
): PoolMints | undefined {
  const { tokenBalances, keys } = transaction;
  const baseIndex = userBase === undefined ? -1 : keys.indexOf(userBase);
  const base = tokenBalances.find((balance) => balance.accountIndex === baseIndex)?.mint;
  if (base === undefined) return undefined;
  const held = tokenBalances.filter((balance) => (balance.postOwner ?? balance.preOwner) === pool);
  const quote = held.find((balance) => balance.mint !== base)?.mint;
  return quote === undefined ? undefined : { base, quote };
}

/**
 * Decides which side is the token. The side with the stronger claim to be money
 * is the quote; on a tie the program's own order stands: base is the token.
 */
export function poolSides({ base, quote }: PoolMints): PoolSides {
  return moneyRank(base) > moneyRank(quote)
    ? { token: quote, quote: base, inverted: true }
    : { token: base, quote, inverted: false };
}

/** SOL before currencies before other listed coins and equities before everything else. */
function moneyRank(mint: Address): number {
  const listed = quoteMint(mint);
  if (listed === undefined) return equity(mint) === undefined ? 0 : 1;
  return listed.class === 'native' ? 4 : listed.class === 'token' ? 2 : 3;
}
