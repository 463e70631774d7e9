import { type Address, WSOL_MINT } from '../../chain/address.ts';
import { EQUITY } from '../../facts/venue.ts';
import { equity } from '../../programs/registry/index.ts';
import { wholeUnitFactor } from '../../token/price-string.ts';
import { quoteDecimalsOf } from '../../token/quote-decimals.ts';
import { decimalsOf, quoteOf, type TokenState } from '../../token/state.ts';

/** Decimals of every token of the launchpad, for the candles of one whose decimals nobody has told yet. */
const LAUNCHPAD_DECIMALS = 6;

/**
 * The quote whose swaps make the candles. Without one asked for it is SOL,
 * because the unit is then SOL per token, except for tokenized shares, which
 * trade in dollars.
 */
export function candleQuote(token: TokenState, asked: Address | '' | undefined): Address | '' {
  if (asked !== undefined) return asked === WSOL_MINT ? '' : asked;
  return isEquity(token) ? quoteOf(token) : '';
}

/** Factor from raw ratios to whole units; 1, for raw units, when another quote than SOL was asked for by name. */
export function candleFactor(token: TokenState, asked: Address | '' | undefined): number {
  const quote = candleQuote(token, asked);
  if (asked !== undefined && quote !== '') return 1;
  return wholeUnitFactor(decimalsOf(token) ?? LAUNCHPAD_DECIMALS, quoteDecimalsOf(token, quote) ?? 0);
}

function isEquity({ mint, lastPriced }: TokenState): boolean {
  return lastPriced?.venue === EQUITY || equity(mint) !== undefined;
}
