import { type Address, WSOL_MINT, ZERO_ADDRESS } from '../../chain/address.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../chain/well-known.ts';
import { encodeLayout } from '../../programs/layout-writer.ts';
import { POOL_SEED_TOKENS } from '../../programs/pump/curve.ts';
import {
  PUMP_EVENT_AUTHORITY,
  PUMP_GLOBAL,
  PUMP_MIGRATOR,
  PUMP_PROGRAM,
  RENT_SYSVAR,
} from '../../programs/pump/ids.ts';
import { TRADE_EVENTS } from '../../programs/pump/trade-events.ts';
import { TRADE_INSTRUCTIONS } from '../../programs/pump/trade-instructions.ts';
import { boostVaultAuthorityAddress, lpMintAddress } from '../../programs/pump-amm/addresses.ts';
import { PUMP_AMM_EVENT_AUTHORITY, PUMP_AMM_GLOBAL_CONFIG, PUMP_AMM_PROGRAM } from '../../programs/pump-amm/ids.ts';
import type { Coin, CurveState, Pool } from '../market.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { initBoost } from './boost.ts';
import { migrationFee, quoteKind } from './curve-terms.ts';
import { createPool, lpKind } from './pool-create.ts';
import { associatedAccount, burnShares, openAssociated, syncNative, transferTokens } from './token.ts';
import { ACCOUNT_NOT_INITIALIZED, type AccountRoles, emitEvent, venueAccounts } from './venue.ts';

const BONDING_CURVE_NOT_COMPLETE = 6006;

const ROLES: AccountRoles = {
  signers: new Set(['user']),
  writable: new Set(
    (
      'withdrawAuthority bondingCurve associatedBaseBondingCurve associatedQuoteBondingCurve user pool poolAuthority ' +
      'poolAuthorityMintAccount poolAuthorityQuoteAccount lpMint userPoolTokenAccount poolBaseTokenAccount ' +
      'poolQuoteTokenAccount boostVault'
    ).split(' '),
  ),
};

/** The pool that a coin graduates to, before it is on the chain. */
export function canonicalPool(coin: Coin): Pool {
  return {
    address: coin.addresses.pool,
    base: coin.token,
    quote: quoteKind(coin),
    canonical: true,
    coinCreator: coin.feeCreator,
    boost: 0n,
    unswept: 0n,
    creatorFees: 0n,
  };
}

/** Moves what a full curve raised, and its last tokens, to the coin's pool. Anyone may call it. */
export function migrate(coin: Coin, user: Address): Instruction {
  const pool = canonicalPool(coin);
  const { addresses, token } = coin;
  const { quote } = pool;
  const boostVaultAuthority = boostVaultAuthorityAddress(pool.address);
  return {
    program: PUMP_PROGRAM,
    accounts: venueAccounts(
      TRADE_INSTRUCTIONS.migrate_v2.accounts,
      {
        global: PUMP_GLOBAL,
        withdrawAuthority: PUMP_MIGRATOR,
        baseMint: token.mint,
        quoteMint: quote.mint,
        bondingCurve: addresses.curve,
        associatedBaseBondingCurve: addresses.curveToken,
        associatedQuoteBondingCurve: associatedAccount(addresses.curve, quote),
        user,
        systemProgram: SYSTEM_PROGRAM,
        pumpAmm: PUMP_AMM_PROGRAM,
        pool: pool.address,
        poolAuthority: addresses.poolAuthority,
        poolAuthorityMintAccount: associatedAccount(addresses.poolAuthority, token),
        poolAuthorityQuoteAccount: associatedAccount(addresses.poolAuthority, quote),
        ammGlobalConfig: PUMP_AMM_GLOBAL_CONFIG,
        lpMint: lpMintAddress(pool.address),
        userPoolTokenAccount: associatedAccount(addresses.poolAuthority, lpKind(pool)),
        poolBaseTokenAccount: associatedAccount(pool.address, token),
        poolQuoteTokenAccount: associatedAccount(pool.address, quote),
        baseTokenProgram: token.tokenProgram,
        quoteTokenProgram: quote.tokenProgram,
        token2022Program: TOKEN_2022_PROGRAM,
        associatedTokenProgram: ATA_PROGRAM,
        pumpAmmEventAuthority: PUMP_AMM_EVENT_AUTHORITY,
        rent: RENT_SYSVAR,
        eventAuthority: PUMP_EVENT_AUTHORITY,
        program: PUMP_PROGRAM,
        boostVaultAuthority,
        boostVault: associatedAccount(boostVaultAuthority, quote),
      },
      ROLES,
    ),
    data: encodeLayout(TRADE_INSTRUCTIONS.migrate_v2, {}),
    run: (execution) => runMigrate(execution, coin, pool, user),
  };
}

function runMigrate(execution: Execution, coin: Coin, pool: Pool, user: Address): void {
  execution.record.touchesVenue = true;
  execution.log('Instruction: MigrateV2');
  const { curve } = coin;
  if (curve === undefined) execution.fail(ACCOUNT_NOT_INITIALIZED, 'AccountNotInitialized');
  if (!curve.complete) execution.fail(BONDING_CURVE_NOT_COMPLETE, 'BondingCurveNotComplete');
  const fee = migrationFee(coin);
  const base = POOL_SEED_TOKENS - curve.postBaseOut;
  const quote = curve.reserves.realQuote - fee + curve.postQuoteIn;
  emptyCurve(execution, coin, pool, user, { base, quote, fee });
  const { poolAuthority } = coin.addresses;
  execution.invoke(createPool({ coin, pool, index: 0, creator: poolAuthority, payer: user, base, quote }));
  const lp = lpKind(pool);
  const shares = associatedAccount(poolAuthority, lp);
  execution.invoke(burnShares(lp, shares, poolAuthority, execution.bank.tokenAccount(shares)!.amount));
  if (coin.quote === undefined && !coin.mayhem) execution.invoke(initBoost(coin, pool, poolAuthority, user));
  settle(execution, coin, curve);
  announce(execution, coin, user, { base, quote, fee });
}

interface Seed {
  readonly base: bigint;
  readonly quote: bigint;
  readonly fee: bigint;
}

/** From the curve's accounts to those of the pool's authority, out of which the pool is made. */
function emptyCurve(execution: Execution, coin: Coin, pool: Pool, user: Address, seed: Seed): void {
  const { curve, curveToken, poolAuthority } = coin.addresses;
  const tokens = associatedAccount(poolAuthority, coin.token);
  const money = associatedAccount(poolAuthority, pool.quote);
  execution.invoke(openAssociated(user, poolAuthority, coin.token));
  execution.invoke(openAssociated(user, poolAuthority, pool.quote));
  execution.invoke(transferTokens(coin.token, curveToken, tokens, curve, seed.base));
  if (pool.quote.mint === WSOL_MINT) {
    execution.bank.moveLamports(curve, PUMP_MIGRATOR, seed.fee);
    execution.bank.moveLamports(curve, money, seed.quote);
    execution.invoke(syncNative(money));
  } else {
    execution.invoke(transferTokens(pool.quote, associatedAccount(curve, pool.quote), money, curve, seed.quote));
  }
}

/** Leaves the curve with nothing but its fees in waiting. */
function settle(execution: Execution, coin: Coin, curve: CurveState): void {
  execution.bank.onRollback(() => {
    coin.curve = curve;
  });
  coin.curve = { ...curve, reserves: { ...curve.reserves, realQuote: 0n }, postBaseOut: 0n, postQuoteIn: 0n };
}

function announce(execution: Execution, coin: Coin, user: Address, seed: Seed): void {
  const mint = coin.token.mint;
  const { pool } = coin.addresses;
  const event = encodeLayout(TRADE_EVENTS.CompletePumpAmmMigrationEvent, {
    user,
    mint,
    mintAmount: seed.base,
    solAmount: seed.quote,
    poolMigrationFee: seed.fee,
    bondingCurve: coin.addresses.curve,
    timestamp: BigInt(execution.unixTime),
    pool,
    quoteMint: coin.quote?.mint ?? ZERO_ADDRESS,
  });
  execution.record.graduated.push({
    ixIndex: emitEvent(execution, PUMP_EVENT_AUTHORITY, event),
    mint,
    pool,
    quoteMint: coin.quote?.mint,
    tokenAmount: seed.base,
    quoteAmount: seed.quote,
    migrationFee: seed.fee,
    user,
  });
}
