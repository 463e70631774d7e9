import type { Address } from '../chain/address.ts';
import type { TokenListRow } from '../contract/token.ts';
import type { Written } from '../contract/written.ts';
import type { ListedToken } from './listed-reads.ts';
import { quoteDecimalsOf } from './quote-decimals.ts';
import { quoteUnit } from './row-json.ts';
import { sparkOf } from './spark.ts';
import { leaderOfCreation, quoteOf, type TokenState, tokenFields } from './state.ts';
import { FIVE_MINUTES_S, HOUR_S, type TradeFigures } from './trade-figures.ts';

/**
 * A row of the token list: the snapshot's fields and the last hour. Volume and
 * change are in the token's own quote; swaps count in any. Figures with steps tell what it stood at through the hour.
 */
export function listRow(token: ListedToken, figures: TradeFigures, solUsd: number | undefined): Written<TokenListRow> {
  const state: TokenState = { mint: token.mint, ...token.facts };
  const quote = quoteOf(state);
  const { quote_symbol, quote_decimals } = quoteUnit(quote, quoteDecimalsOf(state, quote));
  const own = figures.quotes.find(({ quote_mint }) => quote_mint === quote);
  return {
    ...tokenFields(state, solUsd),
    created_leader: leaderOfCreation(state, token.leaderOf),
    vol_1h: String(own?.volume ?? 0n),
    vol_1h_symbol: quote_symbol,
    vol_1h_decimals: quote_decimals,
    trades_1h: figures.trades,
    change_1h: changePercent(state, { quote, since: figures.now - HOUR_S, before: own?.beforeHour }),
    change_5m: changePercent(state, { quote, since: figures.now - FIVE_MINUTES_S, before: own?.beforeFive }),
    traders: token.traders.count,
    ...(figures.isStepped === true && { spark: sparkOf(state, figures) }),
  };
}

interface EarlierPrice {
  readonly quote: Address | '';
  /** Start of the window, Unix seconds. */
  readonly since: number;
  /** Raw quote over raw token; 0 or undefined when none is known. */
  readonly before: number | undefined;
}

/** Percent with two decimals; undefined without an earlier price. */
function changePercent({ lastPriced }: TokenState, { quote, since, before }: EarlierPrice): number | undefined {
  if (lastPriced === undefined || lastPriced.quote_mint !== quote || lastPriced.price_token === 0n) return undefined;
  // Nothing has priced it since.
  if (lastPriced.time < since) return 0;
  if (before === undefined || before === 0) return undefined;
  const price = Number(lastPriced.price_quote) / Number(lastPriced.price_token);
  return Math.round((price / before - 1) * 10_000) / 100;
}
