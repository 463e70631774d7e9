import type { Address } from '../../chain/address.ts';
import { ApiError } from '../../contract/errors.ts';
import { decodeTokenCursor } from '../../contract/token-cursor.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { TokenAnswers } from './answers.ts';
import { batchTokens, getToken, listTokens } from './contract.ts';
import { listGraduating, listTrending } from './contract-market.ts';

/** Tokens as they stand. The contracts have checked every address, so they are branded here. */
export function tokenRoutes(answers: TokenAnswers): readonly BoundRoute[] {
  return [
    bind(listTokens, (_params, { min_vol, min_traders, quote, mayhem, min_progress, ...query }) => {
      if (query.cursor !== undefined && decodeTokenCursor(query.cursor)?.sort !== query.sort) {
        throw new ApiError('invalid_cursor', { param: 'cursor', message: 'the cursor belongs to another sort' });
      }
      const { status, creator, ...rest } = query;
      const screen = {
        ...{ minVolume: min_vol, minTraders: min_traders, mayhem, minProgress: min_progress },
        quote: quote as Address | '' | undefined,
      };
      const isScreened = Object.values(screen).some((each) => each !== undefined);
      return answers.list({
        ...rest,
        graduated: status,
        creator: creator as Address | undefined,
        screen: isScreened ? screen : undefined,
      });
    }),
    bind(listTrending, (_params, { window, limit, spark }) => answers.trending(window, limit, spark)),
    bind(listGraduating, (_params, query) => answers.graduating(query)),
    bind(getToken, ({ mint }) => answers.snapshot(mint as Address)),
    bind(batchTokens, (_params, { mints }) => answers.batch(mints as readonly Address[])),
  ];
}
