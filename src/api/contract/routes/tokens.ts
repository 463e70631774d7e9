import { Type } from 'typebox';
import {
  activityExample,
  candleExample,
  failedSwapExample,
  holderExample,
  swapExample,
  ticksExample,
  tokenExample,
  tokenListRowExample,
  tokenSendExample,
} from '../examples/tokens.ts';
import {
  addressParameter,
  choiceParameter,
  flagParameter,
  limitParameter,
  optionalAddress,
  parameter,
  quoteParameter,
  swapCursorParameter,
  tickCursorParameter,
  timeParameter,
} from '../parameter.ts';
import { flatPrice, ROW_RULE, rowPrice } from '../price.ts';
import { Activity } from '../resources/activity.ts';
import { CANDLE_INTERVALS, Candle } from '../resources/candle.ts';
import { Holder } from '../resources/holder.ts';
import { List, Page } from '../resources/scalars.ts';
import { SwapRow } from '../resources/swap.ts';
import { Ticks } from '../resources/ticks.ts';
import { TokenListRow, TokenSnapshot } from '../resources/token.ts';
import { defineRoute } from '../route.ts';
import { decodeTokenCursor } from '../token-cursor.ts';

const mint = addressParameter('invalid_mint', 'Token address.');

export const listTokens = defineRoute({
  path: '/tokens',
  tag: 'tokens',
  name: 'listTokens',
  summary: 'Tokens, newest or most recently traded first',
  description:
    'Keyset paging: follow next_cursor until it is absent. `newest` with `from` and `to` exports a range without losing or repeating a token; `last_trade` moves while it is read.',
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

export const listSwaps = defineRoute({
  path: '/tokens/{mint}/swaps',
  tag: 'tokens',
  name: 'listSwaps',
  summary: 'Swaps of a token',
  description:
    'In position order (slot, block_index, ix_index). next_cursor reads as a time and is unique, so that no row is lost or repeated. In `desc` the last page has none; in `asc` every page with rows has one, to carry on from when more has come.',
  access: 'key',
  pages: true,
  params: { mint },
  query: {
    order: choiceParameter(['desc', 'asc'], 'desc', 'invalid_order', 'Newest or oldest first.'),
    cursor: swapCursorParameter(),
    limit: limitParameter(100, 500),
    failed: flagParameter('1 interleaves reverted attempts.'),
    transfers: flagParameter('1 interleaves token sends.'),
  },
  price: {
    rule: `${ROW_RULE}, +2 when failed=1, +2 when transfers=1`,
    compute: (query) => rowPrice(query.limit) + (query.failed ? 2 : 0) + (query.transfers ? 2 : 0),
  },
  pricedBy: ['limit', 'failed', 'transfers'],
  response: Page(SwapRow),
  absent: 'token_not_found',
  examples: {
    swaps: { data: [swapExample], next_cursor: '2026-08-01T10:00:00.651230001234000017Z' },
    interleaved: { data: [failedSwapExample, tokenSendExample] },
  },
});

export const listCandles = defineRoute({
  path: '/tokens/{mint}/candles',
  tag: 'tokens',
  name: 'listCandles',
  summary: 'Candles of a token',
  description:
    'Ascending, half-open [from, to) on the start of the bucket. Without `from` the newest `limit` buckets before `to`; with `from` the oldest after it. Open is the first trade of the bucket; empty buckets are left out unless fill=1. Without `quote` candles are of trades in SOL, in SOL per token (of a tokenized equity in its stablecoin): a token that trades in another quote has them under `quote` only, its `quote_mint`.',
  access: 'key',
  pages: true,
  params: { mint },
  query: {
    tf: choiceParameter(CANDLE_INTERVALS, '1m', 'invalid_tf', 'Interval.'),
    from: timeParameter('First bucket start: RFC 3339, Unix seconds or milliseconds.'),
    to: timeParameter('End, exclusive.'),
    limit: limitParameter(300, 1500),
    quote: quoteParameter("Quote mint, empty for SOL. Left out: SOL, or an equity's stablecoin."),
    fill: flagParameter('1 repeats the previous close in buckets without a trade.'),
  },
  price: {
    rule: '2 + ceil(max(0, L-100)/500)',
    compute: (query) => 2 + Math.ceil(Math.max(0, query.limit - 100) / 500),
  },
  pricedBy: ['limit'],
  response: List(Candle),
  absent: 'token_not_found',
  examples: { candles: { data: [candleExample] } },
});

export const getTicks = defineRoute({
  path: '/tokens/{mint}/ticks',
  tag: 'tokens',
  name: 'getTicks',
  summary: 'Every trade as columns, for charts',
  description:
    'The swaps that candles are made of, of every trade kind. Follow `older` until history_start is true; pass `newer` as `after` to catch up: an empty page repeats the cursor sent. The newest page when neither cursor is sent.',
  access: 'key',
  pages: true,
  params: { mint },
  query: {
    quote: quoteParameter("Quote mint, empty for SOL; the token's own when left out."),
    before: tickCursorParameter('`older` of a page: the swaps before it, exclusive.'),
    after: tickCursorParameter('`newer` of a page: the swaps after it, exclusive.'),
    limit: limitParameter(2000, 5000),
  },
  conflicts: [['before', 'after']],
  price: {
    rule: '2 + 2*ceil(max(0, L-500)/1500)',
    compute: (query) => 2 + 2 * Math.ceil(Math.max(0, query.limit - 500) / 1500),
  },
  pricedBy: ['limit'],
  response: Ticks,
  absent: 'token_not_found',
  examples: { ticks: ticksExample },
});

export const getActivity = defineRoute({
  path: '/tokens/{mint}/activity',
  tag: 'tokens',
  name: 'getActivity',
  summary: 'Volume and trades of the last 5 minutes, hour and day',
  description:
    "Counted over every swap, `vol` over those in SOL; protocol's own wallets are no buyers and sellers. Swaps of a stream that are no older than recent_since and not in recent_ids are not in yet.",
  access: 'key',
  pages: true,
  params: { mint },
  price: flatPrice(2),
  response: Activity,
  absent: 'token_not_found',
  examples: { activity: activityExample },
});

export const listHolders = defineRoute({
  path: '/tokens/{mint}/holders',
  tag: 'tokens',
  name: 'listHolders',
  summary: 'Positions by balance, largest first',
  description:
    'Balances by trades alone: token sends do not count. Profit by average cost, left out while unknown: when tokens were sold that nobody saw bought, or the token was traded in several quotes.',
  access: 'key',
  pages: true,
  params: { mint },
  query: { limit: limitParameter(50, 500) },
  price: { rule: ROW_RULE, compute: (query) => rowPrice(query.limit) },
  pricedBy: ['limit'],
  response: List(Holder),
  absent: 'token_not_found',
  examples: { holders: { data: [holderExample] } },
});
