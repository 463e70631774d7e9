import { type Static, Type } from 'typebox';
import { addressParameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Address, Count, Decimal, List, Text, Timestamp } from '../../contract/scalars.ts';
import { MAX_CLOSE_DAYS, SPARK_POINTS } from './contract-limits.ts';

const Dollars = (description: string) => Type.Number({ minimum: 0, description });
const Prices = (description: string) =>
  Type.Array(Type.Number({ exclusiveMinimum: 0 }), { minItems: 1, maxItems: SPARK_POINTS, description });

export const Equity = Type.Object(
  {
    mint: Address('Token address.'),
    symbol: Text('Of the token.'),
    underlying: Type.Optional(Text('Ticker of the share; absent for shares of companies that are not listed.')),
    name: Type.Optional(Text('Of the token; absent where no list tells.')),
    decimals: Type.Optional(Count("The token's decimals; absent while unknown.")),
    image: Type.Optional(Text('URL, as the document of the token has it; absent while unknown.')),
    supply: Type.Optional(
      Dollars('Whole tokens that there are, as the chain told last; absent while it was not read.'),
    ),
    supply_as_of: Type.Optional(Timestamp('When the chain told; beside supply.')),
    multiplier: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description:
          'Shares that a whole token stands for: it changes when the share splits, or pays. As of supply_as_of; absent while the chain was not read.',
      }),
    ),
    last_price_usd: Type.Optional(
      Decimal('US dollars per whole token, of the newest trade in a stablecoin; absent before the first.'),
    ),
    last_trade_at: Type.Optional(Timestamp('Block time of that trade; absent while unknown.')),
    change_24h: Type.Optional(
      Type.Number({ description: 'Percent since 24 hours ago; absent where no price was known then.' }),
    ),
    vol_usd_24h: Dollars('US dollars traded for it in 24 hours, in stablecoins.'),
    trades_24h: Count('Trades in stablecoins in 24 hours.'),
    since: Type.Optional(
      Timestamp(
        'Trades of 24 hours are all there from this time on; absent when that is all 24 hours, as spark and change_24h then are.',
      ),
    ),
    spark: Type.Optional(
      Prices(
        'US dollars per whole token at the end of every hour of the last 24, of which the last point is now. Fewer points where its price was not known earlier; absent without a price.',
      ),
    ),
    spark_prev: Type.Optional(Prices('The same of the 24 hours before; absent where no price was known then.')),
    market: Type.Optional(
      Type.Enum(['open', 'closed', 'extended'], {
        type: 'string',
        description:
          'What the exchanges of the United States did at the time of the newest block: their session, none, or trading before or behind it. Absent for shares that are not listed.',
      }),
    ),
    underlying_close_usd: Type.Optional(
      Decimal(
        `US dollars of a share at its last close; absent while nobody tells, or once it is older than ${MAX_CLOSE_DAYS} days.`,
      ),
    ),
    underlying_close_date: Type.Optional(Text('Day of that close in New York, such as 2026-11-25.')),
    premium_pct: Type.Optional(
      Type.Number({
        description:
          'Percent that a share costs more here than at its last close: last_price_usd by multiplier, against underlying_close_usd. Absent where one of them is unknown, without a trade in 24 hours, while multiplier has changed, or was not read, since that close, and while the last price is over twice, or under half, of what most was paid for it in 24 hours.',
      }),
    ),
  },
  { $id: 'Equity' },
);
export type Equity = Static<typeof Equity>;

export const equityExample = {
  ...{ mint: 'XsbEhLAtcf6HdfpFZ5xEMdqW8nfAvcsP5bdudRLJzJp', symbol: 'AAPLx', underlying: 'AAPL' },
  ...{ name: 'Apple xStock', decimals: 8, image: 'https://xstocks-metadata.backed.fi/logos/tokens/AAPLx.png' },
  ...{ supply: 61250.5, supply_as_of: '2026-08-03T14:58:11.000Z', multiplier: 1.0026 },
  ...{ last_price_usd: '268.91', last_trade_at: '2026-08-03T14:59:58Z', change_24h: 0.72 },
  ...{ vol_usd_24h: 812094.37, trades_24h: 1803, spark: [267.1, 268.2, 268.91], spark_prev: [265.4, 266.02, 266.99] },
  ...{ market: 'open', underlying_close_usd: '267.44', underlying_close_date: '2026-07-31', premium_pct: 0.29 },
} satisfies Equity;

export const unseenEquityExample = {
  ...{ mint: 'PreYPq1LdVBhKsYC3nRmZW5Y9yJXwSuDYmUSikFCwGS', symbol: 'XAI', name: 'xAI PreStocks', decimals: 9 },
  ...{ vol_usd_24h: 0, trades_24h: 0 },
} satisfies Equity;

const OF_ALL =
  'Trades are those in a stablecoin, which counts as its dollar. Windows of 24 hours go by minutes and end with the newest block, the running minute besides.';

export const listEquities = defineRoute({
  path: '/equities',
  tag: 'tokens',
  name: 'listEquities',
  summary: 'Tokenized shares: what they cost, through a day, and whether their exchange is open',
  description: `All tokenized shares that are known, traded or not: most traded in 24 hours first, then by symbol. ${OF_ALL} 503 warming_up while there is no block.`,
  access: 'key',
  pages: true,
  price: flatPrice(1),
  response: List(Equity),
  etag: true,
  errors: ['warming_up'],
  examples: { equities: { data: [equityExample, unseenEquityExample] } },
});

export const getEquity = defineRoute({
  path: '/equities/{mint}',
  tag: 'tokens',
  name: 'getEquity',
  summary: 'One tokenized share',
  description: `As its row of the list. ${OF_ALL} Its candles are those of any token.`,
  access: 'key',
  pages: true,
  params: { mint: addressParameter('invalid_mint', 'Token address.') },
  price: flatPrice(1),
  response: Equity,
  absent: 'equity_not_found',
  errors: ['warming_up'],
  examples: { equity: equityExample },
});

export const EQUITY_ROUTES: readonly RouteContract[] = [listEquities, getEquity];
