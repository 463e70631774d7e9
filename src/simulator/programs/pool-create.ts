import { type Address, WSOL_MINT } from '../../chain/address.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../chain/well-known.ts';
import { encodeLayout } from '../../programs/layout-writer.ts';
import { lpMintAddress } from '../../programs/pump-amm/addresses.ts';
import { PUMP_AMM_EVENT_AUTHORITY, PUMP_AMM_GLOBAL_CONFIG, PUMP_AMM_PROGRAM } from '../../programs/pump-amm/ids.ts';
import { POOL_EVENTS } from '../../programs/pump-amm/pool-events.ts';
import { POOL_INSTRUCTIONS } from '../../programs/pump-amm/pool-instructions.ts';
import type { Coin, Pool } from '../market.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { isInverted } from './pool-terms.ts';
import { createAccount } from './system.ts';
import {
  associatedAccount,
  initializeMint,
  mintTokens,
  openAssociated,
  type TokenKind,
  transferTokens,
} from './token.ts';
import { type AccountRoles, emitEvent, venueAccounts } from './venue.ts';

const POOL_BYTES = 300;
const LP_MINT_BYTES = 82;
const LP_DECIMALS = 9;
/** Shares that no one ever gets, so that a pool is never quite empty. */
const MINIMUM_LIQUIDITY = 100n;

const ROLES: AccountRoles = {
  signers: new Set(['creator']),
  writable: new Set(
    (
      'pool creator lpMint userBaseTokenAccount userQuoteTokenAccount userPoolTokenAccount poolBaseTokenAccount ' +
      'poolQuoteTokenAccount'
    ).split(' '),
  ),
};

/** A new pool: who makes it, who pays its rents, and what it starts with. */
export interface PoolBirth {
  readonly coin: Coin;
  readonly pool: Pool;
  readonly index: number;
  readonly creator: Address;
  readonly payer: Address;
  readonly base: bigint;
  readonly quote: bigint;
}

export function lpKind(pool: Pool): TokenKind {
  return { mint: lpMintAddress(pool.address), tokenProgram: TOKEN_2022_PROGRAM, decimals: LP_DECIMALS };
}

export function createPool(birth: PoolBirth): Instruction {
  const { coin, creator, index, pool } = birth;
  const { base, quote } = pool;
  return {
    program: PUMP_AMM_PROGRAM,
    accounts: venueAccounts(
      POOL_INSTRUCTIONS.create_pool.accounts,
      {
        pool: pool.address,
        globalConfig: PUMP_AMM_GLOBAL_CONFIG,
        creator,
        baseMint: base.mint,
        quoteMint: quote.mint,
        lpMint: lpMintAddress(pool.address),
        userBaseTokenAccount: associatedAccount(creator, base),
        userQuoteTokenAccount: associatedAccount(creator, quote),
        userPoolTokenAccount: associatedAccount(creator, lpKind(pool)),
        poolBaseTokenAccount: associatedAccount(pool.address, base),
        poolQuoteTokenAccount: associatedAccount(pool.address, quote),
        systemProgram: SYSTEM_PROGRAM,
        token2022Program: TOKEN_2022_PROGRAM,
        baseTokenProgram: base.tokenProgram,
        quoteTokenProgram: quote.tokenProgram,
        associatedTokenProgram: ATA_PROGRAM,
        eventAuthority: PUMP_AMM_EVENT_AUTHORITY,
        program: PUMP_AMM_PROGRAM,
      },
      ROLES,
    ),
    data: encodeLayout(POOL_INSTRUCTIONS.create_pool, {
      index,
      baseAmountIn: birth.base,
      quoteAmountIn: birth.quote,
      coinCreator: pool.coinCreator,
      isMayhemMode: coin.mayhem && pool.canonical,
      isCashbackCoin: false,
      creatorFeeBps: 0n,
      canEditCreatorFee: false,
      isHolderReward: coin.holderReward && pool.canonical,
    }),
    run: (execution) => runCreate(execution, birth),
  };
}

function runCreate(execution: Execution, birth: PoolBirth): void {
  const { coin, creator, payer, pool } = birth;
  execution.record.touchesVenue = true;
  execution.log('Instruction: CreatePool');
  const lp = lpKind(pool);
  execution.invoke(createAccount(payer, pool.address, POOL_BYTES, PUMP_AMM_PROGRAM));
  execution.invoke(createAccount(payer, lp.mint, LP_MINT_BYTES, TOKEN_2022_PROGRAM));
  execution.invoke(initializeMint(lp, pool.address));
  execution.invoke(openAssociated(payer, creator, lp));
  for (const [kind, amount] of [
    [pool.base, birth.base],
    [pool.quote, birth.quote],
  ] as const) {
    const vault = associatedAccount(pool.address, kind);
    execution.invoke(openAssociated(payer, pool.address, kind));
    execution.invoke(transferTokens(kind, associatedAccount(creator, kind), vault, creator, amount));
  }
  const liquidity = squareRoot(birth.base * birth.quote);
  const shares = liquidity - MINIMUM_LIQUIDITY;
  execution.invoke(mintTokens(lp, associatedAccount(creator, lp), pool.address, shares));
  execution.bank.onRollback(() => {
    if (pool.canonical) coin.pool = undefined;
    else coin.sidePool = undefined;
  });
  if (pool.canonical) coin.pool = pool;
  else coin.sidePool = pool;
  announce(execution, birth, liquidity, shares);
}

function announce(execution: Execution, birth: PoolBirth, liquidity: bigint, shares: bigint): void {
  const { coin, creator, index, pool } = birth;
  const { base, quote } = pool;
  const event = encodeLayout(POOL_EVENTS.CreatePoolEvent, {
    timestamp: BigInt(execution.unixTime),
    index,
    creator,
    baseMint: base.mint,
    quoteMint: quote.mint,
    baseMintDecimals: base.decimals,
    quoteMintDecimals: quote.decimals,
    baseAmountIn: birth.base,
    quoteAmountIn: birth.quote,
    poolBaseAmount: birth.base,
    poolQuoteAmount: birth.quote,
    minimumLiquidity: MINIMUM_LIQUIDITY,
    initialLiquidity: liquidity,
    lpTokenAmountOut: shares,
    poolBump: 255,
    pool: pool.address,
    lpMint: lpMintAddress(pool.address),
    userBaseTokenAccount: associatedAccount(creator, base),
    userQuoteTokenAccount: associatedAccount(creator, quote),
    coinCreator: pool.coinCreator,
    isMayhemMode: coin.mayhem && pool.canonical,
    creatorFeeBps: 0n,
    canEditCreatorFee: false,
    isHolderReward: coin.holderReward && pool.canonical,
  });
  const inverted = isInverted(pool);
  const money = inverted ? base : quote;
  execution.record.pools.push({
    ixIndex: emitEvent(execution, PUMP_AMM_EVENT_AUTHORITY, event),
    pool: pool.address,
    mint: coin.token.mint,
    quoteMint: money.mint === WSOL_MINT ? undefined : money.mint,
    inverted,
    canonical: pool.canonical,
    creator,
    tokenDecimals: coin.token.decimals,
    quoteDecimals: money.decimals,
    tokenAmount: inverted ? birth.quote : birth.base,
    quoteAmount: inverted ? birth.base : birth.quote,
  });
}

/** Whole part of the square root, by Newton's method. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next;
  return root;
}
