import { COIN_SUPPLY } from '../programs/pump/curve.ts';
import type { CompleteEvent, CompletePumpAmmMigrationEvent, CreateEvent } from '../programs/pump/events.ts';
import { COIN_DECIMALS } from '../programs/pump/ids.ts';
import type { CurveCompleted, Graduated, TokenCreated } from './fact.ts';
import { quoteOf } from './quotes.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** The mayhem vault gets as much again, which events do not count. */
export const MAYHEM_SUPPLY = 2n * COIN_SUPPLY;

export function tokenCreated(scope: TransactionScope, event: CreateEvent, ixIndex: number): TokenCreated {
  const quoteMint = quoteOf(event.quoteMint);
  const mayhem = event.isMayhemMode ?? false;
  const { slot, blockIndex, time, signature } = scope;
  return {
    slot,
    blockIndex,
    ixIndex,
    time,
    signature,
    mint: event.mint,
    creator: event.user,
    feeCreator: event.creator,
    name: event.name,
    symbol: event.symbol,
    uri: event.uri,
    bondingCurve: event.bondingCurve,
    decimals: COIN_DECIMALS,
    tokenProgram: event.tokenProgram,
    quoteMint,
    mayhem,
    cashback: event.isCashbackEnabled ?? false,
    holderReward: event.isHolderReward ?? false,
    creatorFeeBps: event.creatorFeeBps,
    curveDepth: event.depth ?? 0,
    virtualTokenReserves: event.virtualTokenReserves,
    virtualQuoteReserves: event.virtualQuoteReserves ?? event.virtualSolReserves,
    realTokenReserves: event.realTokenReserves,
    supply: mayhem ? MAYHEM_SUPPLY : (event.tokenTotalSupply ?? COIN_SUPPLY),
  };
}

export function curveCompleted(scope: TransactionScope, event: CompleteEvent, ixIndex: number): CurveCompleted {
  return { ...scope.base(ixIndex), mint: event.mint, bondingCurve: event.bondingCurve, user: event.user };
}

export function graduated(scope: TransactionScope, event: CompletePumpAmmMigrationEvent, ixIndex: number): Graduated {
  return {
    ...scope.base(ixIndex),
    mint: event.mint,
    pool: event.pool,
    quoteMint: quoteOf(event.quoteMint),
    tokenAmount: event.mintAmount,
    quoteAmount: event.solAmount,
    migrationFee: event.poolMigrationFee,
    user: event.user,
  };
}
