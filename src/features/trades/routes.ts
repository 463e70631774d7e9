import type { Address } from '../../chain/address.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { TradeAnswers } from './answers.ts';
import { getActivity, getTicks, listCandles, listSwaps } from './contract.ts';

/** A token's trades. */
export function tradeRoutes(answers: TradeAnswers): readonly BoundRoute[] {
  return [
    bind(listSwaps, ({ mint }, page) => answers.swaps(mint as Address, page)),
    bind(listCandles, ({ mint }, { tf, from, to, quote, limit, fill }) =>
      answers.candles(mint as Address, {
        interval: tf,
        from: toSeconds(from),
        to: toSeconds(to),
        limit,
        quote: quote as Address | '' | undefined,
        fill,
      }),
    ),
    bind(getTicks, ({ mint }, { quote, ...page }) =>
      answers.ticks(mint as Address, { ...page, quote: quote as Address | '' | undefined }),
    ),
    bind(getActivity, ({ mint }) => answers.activity(mint as Address)),
  ];
}

/** Bucket starts are whole seconds, so both ends of a half-open range round up. */
function toSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.ceil(milliseconds / 1000);
}
