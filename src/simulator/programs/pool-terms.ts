import type { Address } from '../../chain/address.ts';
import { marketCap, type PoolReserves } from '../../programs/pump-amm/pool.ts';
import type { Bank } from '../bank.ts';
import type { Pool } from '../market.ts';
import { poolRates } from './pool-fees.ts';
import { associatedAccount } from './token.ts';
import type { FeeRates } from './venue.ts';

export type PoolTradeName = 'buy' | 'buy_exact_quote_in' | 'sell' | 'buy_v2' | 'buy_exact_quote_in_v2' | 'sell_v2';

/** Trades of the second version leave all fees but the buyback's share in the vault. */
export function poolKeepsFees(name: PoolTradeName): boolean {
  return name.endsWith('_v2');
}

/** A trade in a pool, in the pool's own terms. */
export interface PoolTrade {
  readonly name: PoolTradeName;
  readonly pool: Pool;
  readonly user: Address;
  /** Base of an exact buy or a sell; quote to spend of an exact-in buy. */
  readonly amount: bigint;
  /** The most quote to pay, the least base to get, or the least quote to receive. */
  readonly limit: bigint;
}

/** The coin is the pool's quote, so that a buy of the base sells it. */
export function isInverted({ base }: Pool): boolean {
  return base.decimals === 9;
}

/** Reserves that price the pool: its vaults, without the fees that wait in them, and the boost. */
export function poolReserves(bank: Bank, pool: Pool): PoolReserves {
  const held = (mint: Pool['base']) => bank.tokenAccount(associatedAccount(pool.address, mint))?.amount ?? 0n;
  return { base: held(pool.base), quote: held(pool.quote), virtualQuote: pool.boost - pool.unswept };
}

/** Rates that the pool charges at its present market cap. */
export function currentRates(bank: Bank, pool: Pool): FeeRates {
  return poolRates(pool, marketCap(poolReserves(bank, pool), bank.mint(pool.base.mint).supply));
}
