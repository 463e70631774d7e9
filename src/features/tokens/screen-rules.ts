import type { Address } from '../../chain/address.ts';
import { AMM, BONDING_CURVE } from '../../facts/venue.ts';
import { curveProgress } from '../../token/curve-progress.ts';
import type { CountedToken } from '../../token/listed-reads.ts';
import { pricingSwap, quoteOf, statusOf, type TokenState } from '../../token/state.ts';

/** Filters on what a row tells when it is read; undefined = whatever it is. What is not known passes none of them. */
export interface ScreenFilter {
  readonly graduated?: boolean | undefined;
  /** Least vol_1h in lamports. Tokens of other quotes have none. */
  readonly minVolume?: bigint | undefined;
  readonly minTraders?: number | undefined;
  /** '' is SOL. */
  readonly quote?: Address | '' | undefined;
  readonly mayhem?: boolean | undefined;
  /** Percent with two decimals. */
  readonly minProgress?: number | undefined;
}

/** What of a row filters are about, but for its volume, which moves with time alone. Undefined where it is not known. */
export interface ScreenValues {
  /** As the store's lists of one status have it: what no event tells is seen by the row alone. */
  readonly status: 'bonding' | 'graduated' | undefined;
  readonly quote: Address | '' | undefined;
  readonly mayhem: boolean | undefined;
  readonly progress: number | undefined;
  readonly traders: number;
  /** Time of the newest swap, Unix seconds; 0 without one. */
  readonly tradedAt: number;
}

/** A swap's time may be older than that of one before it, but never by so much. */
const MOST_BACK_S = 3_600;
const HOUR_S = 3_600;

export function screenValues({ mint, facts, traders }: CountedToken): ScreenValues {
  const state: TokenState = { mint, ...facts };
  const told = facts.creation ?? facts.hydrated;
  const status = statusOf(state);
  return {
    status: storedStatusOf(facts),
    quote: told === undefined && pricingSwap(state) === undefined ? undefined : quoteOf(state),
    // Accounts without a curve tell nothing of its mode, as in a row.
    mayhem: told?.bonding_curve === '' && facts.creation === undefined ? undefined : told?.mayhem,
    progress: status === undefined ? undefined : curveProgress(facts, status === 'graduated'),
    traders: traders.count,
    tradedAt: facts.lastSwap?.time ?? 0,
  };
}

function storedStatusOf({ graduation, creation, lastPriced }: CountedToken['facts']): ScreenValues['status'] {
  if (graduation !== undefined) return 'graduated';
  const venue = creation === undefined ? lastPriced?.venue : BONDING_CURVE;
  if (venue === BONDING_CURVE) return 'bonding';
  return venue === AMM ? 'graduated' : undefined;
}

/** True where nothing but the volume is left to be judged. */
export function passesScreen(
  { graduated, minVolume, minTraders, quote, mayhem, minProgress }: ScreenFilter,
  of: ScreenValues,
) {
  return (
    (graduated === undefined || of.status === (graduated ? 'graduated' : 'bonding')) &&
    (quote === undefined || of.quote === quote) &&
    (minVolume === undefined || of.quote === '') &&
    (mayhem === undefined || of.mayhem === mayhem) &&
    (minTraders === undefined || of.traders >= minTraders) &&
    (minProgress === undefined || (of.progress !== undefined && of.progress >= minProgress))
  );
}

/** False where the last hour has no swap for sure: nobody has to ask how much was traded. */
export function mayHaveVolume({ tradedAt }: ScreenValues, now: number): boolean {
  return tradedAt >= now - HOUR_S - MOST_BACK_S;
}
