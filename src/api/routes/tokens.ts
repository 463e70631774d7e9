import type { TokenAnswers } from '../../books/answers.ts';
import type { Address } from '../../chain/address.ts';
import { ApiError } from '../contract/errors.ts';
import {
  getActivity,
  getTicks,
  getToken,
  listCandles,
  listHolders,
  listSwaps,
  listTokens,
} from '../contract/routes/tokens.ts';
import { decodeTokenCursor } from '../contract/token-cursor.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';

/** Token routes. The contracts have checked every address, so they are branded here. */
export function tokenRoutes(answers: TokenAnswers): readonly BoundRoute[] {
  return [
    bind(listTokens, (_params, { status, creator, ...query }) => {
      if (query.cursor !== undefined && decodeTokenCursor(query.cursor)?.sort !== query.sort) {
        throw new ApiError('invalid_cursor', { param: 'cursor', message: 'the cursor belongs to another sort' });
      }
      return answers.list({ ...query, graduated: status, creator: creator as Address | undefined });
    }),
    bind(getToken, ({ mint }) => answers.snapshot(mint as Address)),
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
    bind(listHolders, ({ mint }, { limit }) => answers.holders(mint as Address, limit)),
  ];
}

/** Bucket starts are whole seconds, so both ends of a half-open range round up. */
function toSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.ceil(milliseconds / 1000);
}
