import { BLOCKS, SLOT_TIPS } from './block-tables.ts';
import { HOLDINGS } from './holding-tables.ts';
import { BURNS, FUNDINGS, TRANSFERS, UNEXPLAINED_DELTAS } from './movement-tables.ts';
import { POSITIONS, STALE_POSITIONS } from './position-tables.ts';
import {
  CREATOR_CHANGES,
  CURVE_COMPLETIONS,
  FEE_PAYOUTS,
  LIQUIDITY,
  POOLS,
  TOKEN_CREATIONS,
  TOKEN_GRADUATIONS,
} from './token-tables.ts';
import { ATTEMPTS, SWAPS } from './trade-tables.ts';

export * from './block-tables.ts';
export * from './holding-tables.ts';
export * from './movement-tables.ts';
export * from './position-tables.ts';
export * from './token-tables.ts';
export * from './trade-tables.ts';

/** The tables that facts go into, as batches carry them. */
export const FACT_TABLES = [
  BLOCKS,
  SLOT_TIPS,
  TOKEN_CREATIONS,
  CURVE_COMPLETIONS,
  TOKEN_GRADUATIONS,
  CREATOR_CHANGES,
  POOLS,
  LIQUIDITY,
  FEE_PAYOUTS,
  SWAPS,
  ATTEMPTS,
  TRANSFERS,
  BURNS,
  UNEXPLAINED_DELTAS,
  FUNDINGS,
  POSITIONS,
  HOLDINGS,
  STALE_POSITIONS,
] as const;

export type FactTable = (typeof FACT_TABLES)[number];
export type FactTableName = FactTable['name'];
