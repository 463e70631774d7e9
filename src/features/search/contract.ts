import { type Static, Type } from 'typebox';
import { MINT, TRADER, tokenListRowExample } from '../../contract/examples.ts';
import { limitParameter, parameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute } from '../../contract/route.ts';
import { Address, List, Mark, Text } from '../../contract/scalars.ts';
import { TokenListRow } from '../../contract/token.ts';

/** Characters of the shortest and the longest text that is looked for. */
const MIN_QUERY = 2;
const MAX_QUERY = 128;
/** Characters of the longest name: more does not fit into a transaction. */
const MAX_NAME = 1_232;

const FILLED_IN_PART = Mark(
  'There are more tokens than are kept for searching: the oldest that never traded are not found.',
);

export const TokenSearch = Type.Object({
  data: Type.Array(TokenListRow, { description: 'By how well they fit, then by market, then the newest.' }),
  partial: Type.Optional(FILLED_IN_PART),
});
export type TokenSearch = Static<typeof TokenSearch>;

export const Suggestion = Type.Object({
  mint: Type.Optional(Address('Token address; of a token.')),
  wallet: Type.Optional(Address('Address of a wallet or creator.')),
  symbol: Type.Optional(Text('Of a token, cut behind 255 bytes.')),
  name: Type.Optional(Text('As symbol.')),
  kind: Type.Enum(['token', 'wallet', 'creator'], {
    type: 'string',
    description: '`creator`: a wallet that launched tokens; `wallet`: one that traded them.',
  }),
});
export type Suggestion = Static<typeof Suggestion>;

export const Suggestions = Type.Object({
  data: Type.Array(Suggestion, { description: 'At most 10.', maxItems: 10 }),
  partial: Type.Optional(FILLED_IN_PART),
});
export type Suggestions = Static<typeof Suggestions>;

function isBetween(text: string, minimum: number, maximum: number): boolean {
  if (text.length > 2 * maximum) return false;
  const length = [...text].length;
  return length >= minimum && length <= maximum;
}

const query = {
  q: parameter({
    schema: Type.String({
      minLength: MIN_QUERY,
      maxLength: MAX_QUERY,
      description:
        'Mint, symbol or name, or the beginning of one. Capitals, accents, look-alikes of other alphabets and what is not seen make no difference, except in mints. At least 2 characters have to be left.',
    }),
    parse: (text) => (isBetween(text, MIN_QUERY, MAX_QUERY) ? text : undefined),
    absent: '',
    required: true,
    error: 'invalid_query',
    expected: `must be ${MIN_QUERY} to ${MAX_QUERY} characters`,
    details: { min: MIN_QUERY, max: MAX_QUERY },
  }),
};

const fits =
  'A whole mint comes first, then whole symbols, whole names, beginnings of symbols, of words of names, and of mints. When fewer than 5 tokens fit, typos are forgiven: one from 4 characters on, two from 8 on.';

export const searchTokens = defineRoute({
  path: '/search',
  tag: 'tokens',
  name: 'searchTokens',
  summary: 'Tokens by mint, symbol or name',
  description: `${fits} Among equals the market decides, in steps of a doubling of the price, then the newest.`,
  access: 'key',
  pages: true,
  query: { ...query, limit: limitParameter(20, 50) },
  price: flatPrice(10),
  response: TokenSearch,
  errors: ['warming_up', 'invalid_param'],
  examples: { found: { data: [tokenListRowExample] } },
});

export const suggest = defineRoute({
  path: '/search/suggest',
  tag: 'tokens',
  name: 'suggest',
  summary: 'What a text may mean, while it is typed',
  description: `${fits} An address of somebody who launched or traded tokens is told as one.`,
  access: 'key',
  pages: true,
  query,
  price: flatPrice(2),
  response: Suggestions,
  errors: ['warming_up', 'invalid_param'],
  examples: {
    tokens: { data: [{ mint: MINT, symbol: 'EXMPL', name: 'Example', kind: 'token' }] },
    wallet: { data: [{ wallet: TRADER, kind: 'wallet' }] },
  },
});

export const listTokensByName = defineRoute({
  path: '/tokens-by-name',
  tag: 'tokens',
  name: 'listTokensByName',
  summary: 'Tokens of exactly one name, newest first',
  description: 'The name as answers have it, byte by byte: capitals and blanks count.',
  access: 'key',
  query: {
    name: parameter({
      schema: Type.String({ minLength: 1, maxLength: MAX_NAME, description: 'Name as answers have it.' }),
      parse: (text) => (isBetween(text, 1, MAX_NAME) ? text : undefined),
      absent: '',
      required: true,
      error: 'invalid_param',
      expected: `must be 1 to ${MAX_NAME} characters`,
      details: { min: 1, max: MAX_NAME },
    }),
    limit: limitParameter(100, 500),
  },
  price: flatPrice(25),
  response: List(TokenListRow),
  examples: { named: { data: [tokenListRowExample] } },
});

export const SEARCH_ROUTES = [searchTokens, suggest, listTokensByName] as const;
