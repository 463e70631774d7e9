import { type Static, Type } from 'typebox';
import { tokenExample, tokenListRowExample } from '../../contract/examples.ts';
import {
  addressListParameter,
  addressParameter,
  choiceParameter,
  limitParameter,
  optionalAddress,
  parameter,
  timeParameter,
} from '../../contract/parameter.ts';
import { flatPrice, ROW_RULE, rowPrice, startedPrice } from '../../contract/price.ts';
import { defineRoute } from '../../contract/route.ts';
import { Address, Page } from '../../contract/scalars.ts';
import { TokenListRow, TokenSnapshot } from '../../contract/token.ts';
import { decodeTokenCursor } from '../../contract/token-cursor.ts';
import { MAX_LOOKED_AT } from './contract-limits.ts';
import { SCREEN_PARAMETERS, sparkParameter } from './contract-screen.ts';

export const TokenBatch = Type.Object({
  data: Type.Array(TokenSnapshot, { description: 'Snapshots as GET /tokens/{mint} answers them, in the order asked.' }),
  missing: Type.Array(Address('Token address.'), { description: 'Mints of which nothing is known.' }),
});
export type TokenBatch = Static<typeof TokenBatch>;

const mint = addressParameter('invalid_mint', 'Token address.');

export const listTokens = defineRoute({
  path: '/tokens',
  tag: 'tokens',
  name: 'listTokens',
  summary: 'Tokens, newest or most recently traded first',
  description: `Keyset paging: follow next_cursor until it is absent. \`newest\` with \`from\` and \`to\` exports a range without losing or repeating a token; \`last_trade\` moves while it is read. Filters on values that move are judged when a row is read: a page looks at ${MAX_LOOKED_AT} tokens at most and may then be short, or empty, with a next_cursor. What is not known passes no filter. 503 warming_up with min_vol while figures of the market are being read after a start.`,
  access: 'key',
  pages: true,
  query: {
    sort: choiceParameter(['newest', 'last_trade'], 'newest', 'invalid_param', 'Order of the list.'),
    status: parameter<boolean | undefined>({
      schema: Type.Enum(['0', '1', 'bonding', 'graduated'], {
        type: 'string',
        description: '`0` or `bonding`, `1` or `graduated`. Both when left out.',
      }),
      parse: (text) => (/^(1|graduated)$/.test(text) ? true : /^(0|bonding)$/.test(text) ? false : undefined),
      absent: undefined,
      error: 'invalid_param',
      expected: 'must be 0 or 1 (bonding or graduated)',
    }),
    creator: optionalAddress('invalid_wallet', "The launch's signer."),
    from: timeParameter('Created at or after: RFC 3339, Unix seconds or milliseconds.'),
    to: timeParameter('Created before.'),
    ...SCREEN_PARAMETERS,
    spark: sparkParameter(),
    limit: limitParameter(100, 500),
    cursor: parameter<string | undefined>({
      schema: Type.String({ description: 'next_cursor of the previous page, with the same sort.' }),
      parse: (text) => (decodeTokenCursor(text) === undefined ? undefined : text),
      absent: undefined,
      error: 'invalid_cursor',
      expected: 'must be the next_cursor of a page with the same sort',
    }),
  },
  price: { rule: ROW_RULE, compute: (query) => rowPrice(query.limit) },
  pricedBy: ['limit'],
  response: Page(TokenListRow),
  errors: ['warming_up'],
  examples: { page: { data: [tokenListRowExample] } },
});

export const getToken = defineRoute({
  path: '/tokens/{mint}',
  tag: 'tokens',
  name: 'getToken',
  summary: 'One token as it stands',
  access: 'key',
  pages: true,
  params: { mint },
  price: flatPrice(1),
  response: TokenSnapshot,
  absent: 'token_not_found',
  examples: { token: tokenExample },
});

/** Tokens of a batch, and how many of them a credit buys. */
const MAX_BATCH = 50;
const BATCH_PER_CREDIT = 5;

export const batchTokens = defineRoute({
  path: '/tokens/batch',
  tag: 'tokens',
  name: 'batchTokens',
  summary: 'Several tokens as they stand',
  description:
    'Snapshots in the order of `mints`, each the very bytes of GET /tokens/{mint}. A mint that is named twice is answered and charged once; mints of which nothing is known are charged too, and listed in `missing`. In the rule `mints` is their number.',
  access: 'key',
  query: {
    mints: addressListParameter(MAX_BATCH, 'invalid_mint', 'Token addresses, separated by commas or sent one by one.'),
  },
  price: {
    rule: `max(1, ceil(mints/${BATCH_PER_CREDIT}))`,
    compute: (query) => startedPrice(query.mints.length, BATCH_PER_CREDIT),
  },
  pricedBy: ['mints'],
  response: TokenBatch,
  examples: { batch: { data: [tokenExample], missing: ['ETghYmaLuWDJjm7vHKTq1m1sHYuGpckNZmgNTMGqc4Y7'] } },
});
