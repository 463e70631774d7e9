import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Address, ZERO_ADDRESS } from '../chain/address.ts';
import type { Account } from '../chain/rpc/account-answers.ts';
import { poolSides } from '../facts/pool-sides.ts';
import { quoteOf } from '../facts/quotes.ts';
import { canonicalPoolAddress } from '../programs/pump/addresses.ts';
import { readPool } from '../programs/pump-amm/accounts.ts';
import { PUMP_AMM_PROGRAM } from '../programs/pump-amm/ids.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import type { HydratedPoolRow } from '../store/clickhouse/schema/background-tables.ts';
import { readAccounts } from './account-batches.ts';
import { DERIVATIONS_PER_TURN, RETRY_AFTER_SECONDS } from './token-accounts.ts';

/** Rows of pools as their accounts tell them, one for each. `now` is in Unix seconds. */
export async function hydratePools(
  rpc: Pick<RpcClient, 'call'>,
  pools: readonly Address[],
  now: number,
  signal: AbortSignal,
): Promise<HydratedPoolRow[]> {
  const { slot, accounts } = await readAccounts(rpc, pools, signal);
  const rows: HydratedPoolRow[] = [];
  for (const pool of pools) {
    // Two addresses each.
    if (rows.length % (DERIVATIONS_PER_TURN / 2) === 0) await nextTurn();
    rows.push(toRow(pool, accounts.get(pool), slot, now));
  }
  return rows;
}

function toRow(address: Address, account: Account | undefined, slot: number, now: number): HydratedPoolRow {
  const pool = account?.owner === PUMP_AMM_PROGRAM ? readPool(account.data) : undefined;
  const asked = { pool: address, slot, checked_at: now };
  if (pool === undefined) return { ...asked, ...NOT_FOUND, retry_at: now + RETRY_AFTER_SECONDS };
  const { baseMint, quoteMint, coinCreator = ZERO_ADDRESS } = pool;
  const sides = poolSides({ base: baseMint, quote: quoteMint });
  return {
    ...asked,
    retry_at: 0,
    found: true,
    mint: sides.token,
    quote_mint: quoteOf(sides.quote) ?? '',
    inverted: sides.inverted,
    canonical: canonicalPoolAddress(baseMint, quoteMint) === address,
    creator: pool.creator,
    coin_creator: coinCreator === ZERO_ADDRESS ? '' : coinCreator,
    lp_mint: pool.lpMint,
    base_vault: pool.poolBaseTokenAccount,
    quote_vault: pool.poolQuoteTokenAccount,
  };
}

const NOT_FOUND: Omit<HydratedPoolRow, 'pool' | 'slot' | 'checked_at' | 'retry_at'> = {
  ...{ found: false, mint: '', quote_mint: '', inverted: false, canonical: false },
  ...{ creator: '', coin_creator: '', lp_mint: '', base_vault: '', quote_vault: '' },
};
