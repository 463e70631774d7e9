import { type Static, Type } from 'typebox';
import { failedSwapExample, MINT, SIGNATURE, swapExample, tokenSendExample } from '../../contract/examples.ts';
import {
  addressParameter,
  choiceParameter,
  flagParameter,
  limitParameter,
  quoteParameter,
  swapCursorParameter,
  tickCursorParameter,
  timeParameter,
} from '../../contract/parameter.ts';
import { flatPrice, ROW_RULE, rowPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import {
  Address,
  Count,
  Decimal,
  Digits,
  List,
  Page,
  QuoteDecimals,
  QuoteSymbol,
  Text,
  Timestamp,
} from '../../contract/scalars.ts';
import { SwapRow } from '../../contract/swap.ts';

export const ActivityWindow = Type.Object(
  {
    w: Type.Enum(['5m', '1h', '24h'], { type: 'string' }),
    vol: Digits('Lamports, SOL-quoted swaps only.'),
    vol_quote: Type.Optional(Digits('Raw quote units, when quote_mint is set.')),
    txns: Count('Swaps.'),
    buys: Count('Buys.'),
    sells: Count('Sells.'),
    buyers: Count('Wallets that bought.'),
    sellers: Count('Wallets that sold.'),
  },
  { $id: 'ActivityWindow' },
);

export const FlowMinute = Type.Object(
  {
    t: Type.Integer({ description: 'Start of the minute, Unix seconds.' }),
    buy: Digits('Bought, in the unit of the token’s volume.'),
    sell: Digits('Sold, in the unit of the token’s volume.'),
  },
  { $id: 'FlowMinute' },
);

export const Activity = Type.Object(
  {
    quote_mint: Text(
      'The mint that more than half of the 24-hour swaps were quoted in; empty for SOL, and with several quotes besides SOL.',
    ),
    quote_symbol: Type.Optional(QuoteSymbol),
    quote_decimals: Type.Optional(QuoteDecimals),
    windows: Type.Array(ActivityWindow),
    flow: Type.Array(FlowMinute),
    recent_ids: Type.Array(Text('`sig:ix_index`.'), {
      description: 'Swaps since recent_since that the answer already holds.',
    }),
    recent_since: Timestamp(
      'Start of recent_ids: swaps that come after the answer are no older, and count unless they are listed.',
    ),
  },
  { $id: 'Activity' },
);
export type Activity = Static<typeof Activity>;

export const CANDLE_INTERVALS = ['1s', '5s', '30s', '1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

export const Candle = Type.Object(
  {
    time: Timestamp('Start of the bucket; buckets are aligned to the Unix epoch.'),
    open: Decimal('Price of the first trade in the bucket.'),
    high: Decimal('Highest price.'),
    low: Decimal('Lowest price.'),
    close: Decimal('Price of the last trade.'),
    volume: Digits('Lamports; raw quote units with `quote`.'),
    trades: Count('Swaps in the bucket.'),
  },
  {
    $id: 'Candle',
    description:
      'SOL per token; with `quote`, raw quote per raw token (times 10^(decimals − quote_decimals) for whole units).',
  },
);
export type Candle = Static<typeof Candle>;

const column = (items: ReturnType<typeof Type.Number> | ReturnType<typeof Type.Integer>, description: string) =>
  Type.Array(items, { description });

export const Ticks = Type.Object(
  {
    mint: Address('Token address.'),
    quote_mint: Text('Empty for SOL.'),
    quote_symbol: Type.Optional(QuoteSymbol),
    quote_decimals: Type.Optional(QuoteDecimals),
    t: column(Type.Integer(), 'Block time, Unix milliseconds at seconds resolution.'),
    p: column(Type.Number(), 'Price per token in the quote unit; raw units while quote_decimals is absent.'),
    s: column(Type.Integer({ minimum: 0, maximum: 1 }), '1 = buy, 0 = sell.'),
    a: column(Type.Number(), 'Amount in the quote unit; raw units while quote_decimals is absent.'),
    dev: column(Type.Integer({ minimum: 0 }), "Indexes of the creator's trades."),
    older: Type.Optional(Text('Opaque: pass it as `before`.')),
    newer: Type.Optional(Text('Opaque: pass it as `after`; repeats the cursor sent when nothing is newer.')),
    history_start: Type.Boolean({ description: 'No earlier swap is indexed.' }),
  },
  { $id: 'Ticks', description: 'Columns of equal length, oldest first.' },
);
export type Ticks = Static<typeof Ticks>;

export const candleExample: Candle = {
  time: '2026-08-01T10:00:00Z',
  open: '0.00000002853',
  high: '0.0000000312',
  low: '0.0000000279',
  close: '0.0000000301',
  volume: '41200000000',
  trades: 57,
};

export const ticksExample: Ticks = {
  mint: MINT,
  quote_mint: '',
  quote_symbol: 'SOL',
  quote_decimals: 9,
  t: [1785578398000, 1785578400000],
  p: [2.796e-8, 2.853e-8],
  s: [1, 1],
  a: [0.5, 0.987654321],
  dev: [0],
  older: 'p1-5t4tf2-4-2',
  newer: 'p1-5t4tf7-ya-h',
  history_start: true,
};

export const activityExample: Activity = {
  quote_mint: '',
  windows: [
    { w: '5m', vol: '41200000000', txns: 57, buys: 40, sells: 17, buyers: 31, sellers: 12 },
    { w: '1h', vol: '41200000000', txns: 57, buys: 40, sells: 17, buyers: 31, sellers: 12 },
    { w: '24h', vol: '41200000000', txns: 57, buys: 40, sells: 17, buyers: 31, sellers: 12 },
  ],
  flow: [{ t: 1785578400, buy: '30100000000', sell: '11100000000' }],
  recent_since: '2026-08-01T10:00:00Z',
  recent_ids: [`${SIGNATURE}:17`],
};

const mint = addressParameter('invalid_mint', 'Token address.');

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

export const TRADE_ROUTES: readonly RouteContract[] = [listSwaps, listCandles, getTicks, getActivity];
