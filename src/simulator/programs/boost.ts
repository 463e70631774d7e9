import type { Address } from '../../chain/address.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM } from '../../chain/well-known.ts';
import { encodeLayout } from '../../programs/layout-writer.ts';
import { boostVaultAuthorityAddress } from '../../programs/pump-amm/addresses.ts';
import { PUMP_AMM_EVENT_AUTHORITY, PUMP_AMM_GLOBAL_CONFIG, PUMP_AMM_PROGRAM } from '../../programs/pump-amm/ids.ts';
import { POOL_EVENTS } from '../../programs/pump-amm/pool-events.ts';
import { POOL_INSTRUCTIONS } from '../../programs/pump-amm/pool-instructions.ts';
import type { Coin, Pool } from '../market.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { poolReserves } from './pool-terms.ts';
import { associatedAccount, openAssociated, transferTokens } from './token.ts';
import { type AccountRoles, emitEvent, venueAccounts } from './venue.ts';

const ROLES: AccountRoles = {
  signers: new Set(['creator']),
  writable: new Set('pool creator poolBaseTokenAccount poolQuoteTokenAccount boostVault'.split(' ')),
};

/**
 * Sets quote aside that later buys and burns coins: it leaves the pool's vault,
 * and goes on counting for the price.
 */
export function initBoost(coin: Coin, pool: Pool, creator: Address, payer: Address): Instruction {
  const boostVaultAuthority = boostVaultAuthorityAddress(pool.address);
  return {
    program: PUMP_AMM_PROGRAM,
    accounts: venueAccounts(
      POOL_INSTRUCTIONS.init_boost.accounts,
      {
        pool: pool.address,
        globalConfig: PUMP_AMM_GLOBAL_CONFIG,
        creator,
        baseMint: pool.base.mint,
        quoteMint: pool.quote.mint,
        poolBaseTokenAccount: associatedAccount(pool.address, pool.base),
        poolQuoteTokenAccount: associatedAccount(pool.address, pool.quote),
        boostVaultAuthority,
        boostVault: associatedAccount(boostVaultAuthority, pool.quote),
        quoteTokenProgram: pool.quote.tokenProgram,
        systemProgram: SYSTEM_PROGRAM,
        associatedTokenProgram: ATA_PROGRAM,
        eventAuthority: PUMP_AMM_EVENT_AUTHORITY,
        program: PUMP_AMM_PROGRAM,
      },
      ROLES,
    ),
    data: encodeLayout(POOL_INSTRUCTIONS.init_boost, {}),
    run: (execution) => runInit(execution, coin, pool, payer),
  };
}

function runInit(execution: Execution, coin: Coin, pool: Pool, payer: Address): void {
  const { bank } = execution;
  execution.log('Instruction: InitBoost');
  const reserves = poolReserves(bank, pool);
  // The share of the supply that sits in the pool, of the quote beside it.
  const boost = (reserves.quote * reserves.base) / bank.mint(pool.base.mint).supply;
  const authority = boostVaultAuthorityAddress(pool.address);
  const quoteVault = associatedAccount(pool.address, pool.quote);
  execution.invoke(openAssociated(payer, authority, pool.quote));
  execution.invoke(
    transferTokens(pool.quote, quoteVault, associatedAccount(authority, pool.quote), pool.address, boost),
  );
  bank.onRollback(() => {
    pool.boost = 0n;
  });
  pool.boost = boost;
  const event = encodeLayout(POOL_EVENTS.InitBoostEvent, {
    timestamp: BigInt(execution.unixTime),
    mint: coin.token.mint,
    bondingCurve: coin.addresses.curve,
    pool: pool.address,
    virtualQuoteReserves: boost,
    realQuoteReservesAfter: reserves.quote - boost,
  });
  emitEvent(execution, PUMP_AMM_EVENT_AUTHORITY, event);
}
