import { supplyPct } from '../../token/supply.ts';
import { DEV_DUMP_SOLD_PCT } from './contract-limits.ts';
import type { DevHolding, DevPosition } from './report-list-reads.ts';

export interface Dump {
  /** Of what they bought, percent with two decimals; 100 where they sold more than that. */
  readonly soldPct: number;
  /** Of the supply; undefined where it is not known what they hold. */
  readonly holdPct: number | undefined;
  /** Lamports; undefined where it is not known, or the token was traded in another quote. */
  readonly realizedPnl: bigint | undefined;
}

export interface DevState {
  /** Undefined for who never traded it. */
  readonly position: DevPosition | undefined;
  /** Undefined for whom trades tell everything. */
  readonly holding: DevHolding | undefined;
  /** Raw units; undefined while not known. */
  readonly supply: bigint | undefined;
}

/** What a creator has sold of their own token; undefined where that is less than a dump, or nothing was bought. */
export function dumpOf({ position, holding, supply }: DevState): Dump | undefined {
  if (position === undefined || position.bought <= 0n) return undefined;
  const { bought, sold } = position;
  if (sold * 100n < bought * BigInt(DEV_DUMP_SOLD_PCT)) return undefined;
  const held = heldOf(position, holding);
  return {
    soldPct: sold >= bought ? 100 : supplyPct(sold, bought),
    holdPct: held === undefined || supply === undefined ? undefined : supplyPct(held, supply),
    realizedPnl: pnlOf(position, holding),
  };
}

function heldOf(position: DevPosition, holding: DevHolding | undefined): bigint | undefined {
  if (holding !== undefined && !holding.known) return undefined;
  const held = holding === undefined ? position.balance : holding.balance;
  return held < 0n ? undefined : held;
}

function pnlOf(position: DevPosition, holding: DevHolding | undefined): bigint | undefined {
  const told = holding ?? position;
  const isInSol = told.quotes === 1 && told.quote_mint === '';
  return isInSol && told.pnl_known ? told.realized_pnl : undefined;
}
