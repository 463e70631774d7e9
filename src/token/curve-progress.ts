import { BONDING_CURVE } from '../facts/venue.ts';
import { INITIAL_REAL_TOKENS } from '../programs/pump/curve.ts';
import type { SwapRow, TokenCreationRow } from '../store/clickhouse/schema/tables.ts';
import type { TokenFacts } from './facts.ts';

const WHOLE = 100;
/** A curve that is not complete never shows as sold whole, however little is left. */
const NEARLY_WHOLE = 99.99;

/**
 * Share of the curve's tokens that is sold, percent with two decimals, as the
 * newest swap on the curve left it; 100 once the curve is complete, and of every
 * graduated token. Undefined while unknown.
 */
export function curveProgress(
  { creation, completion, hydrated, lastPriced }: TokenFacts,
  graduated: boolean,
): number | undefined {
  if (graduated || completion !== undefined || hydrated?.complete === true) return WHOLE;
  const initial = initialTokens(creation ?? hydrated);
  // Born, and nobody has bought yet.
  if (lastPriced === undefined) return creation === undefined ? undefined : 0;
  if (initial === undefined || lastPriced.venue !== BONDING_CURVE || !lastPriced.reserves_known) return undefined;
  return soldPercent(initial, lastPriced.real_token_reserves);
}

/** Share of a curve that is not complete, percent with two decimals. Both in raw tokens. */
export function soldPercent(initial: bigint, left: bigint): number {
  const sold = Number(((initial - left) * 100_000n) / initial);
  return Math.min(Math.max(Math.round(sold / 10) / 100, 0), NEARLY_WHOLE);
}

/** Raw tokens that nearly every curve has for sale at first. */
export const USUAL_TOKENS = INITIAL_REAL_TOKENS;

/** True of a swap that tells how far a curve in SOL has come. */
export function isOnSolCurve({
  venue,
  quote_mint,
  priced,
  reserves_known,
}: Pick<SwapRow, 'venue' | 'quote_mint' | 'priced' | 'reserves_known'>): boolean {
  return venue === BONDING_CURVE && quote_mint === '' && priced && reserves_known;
}

/** Tokens that the curve had for sale at first: the creation tells, else all curves but mayhem coins' had the same. */
export function initialTokens(
  told: (Pick<TokenCreationRow, 'mayhem'> & Partial<Pick<TokenCreationRow, 'real_token_reserves'>>) | undefined,
): bigint | undefined {
  if (told?.real_token_reserves !== undefined && told.real_token_reserves > 0n) return told.real_token_reserves;
  return told === undefined || told.mayhem ? undefined : INITIAL_REAL_TOKENS;
}
