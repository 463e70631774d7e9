import { type Static, Type } from 'typebox';
import { durationParameter } from '../../contract/duration.ts';
import { tokenExample } from '../../contract/examples.ts';
import { anyAddressListParameter, limitParameter, parameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import {
  Address,
  Count,
  Decimal,
  Digits,
  List,
  ListSince,
  QuoteMint,
  Text,
  Timestamp,
} from '../../contract/scalars.ts';
import {
  EVENT_KINDS,
  EVENT_MIN_SOL,
  MAX_EVENTS,
  MAX_NAMES,
  MAX_PAIRS,
  MAX_SIDE,
  MAX_TWEETS,
} from './contract-limits.ts';
import { launchpadDay, tipsByProvider } from './contract-sums.ts';

const ShownSymbol = Type.Optional(Text('As its maker wrote it, without control characters; absent while unknown.'));

export const CrossPair = Type.Object(
  { mint: Address('Token address.'), wallet: Address('A wallet that traded it.') },
  { $id: 'CrossPair' },
);
export type CrossPair = Static<typeof CrossPair>;

export const NameRow = Type.Object(
  {
    name: Text('As served: without control characters and marks of direction.'),
    tokens: Count('Tokens created in the window under this very name, two at least.'),
    max_price: Type.Optional(
      Decimal('The highest of their newest prices, SOL per token; absent while none of them was priced in SOL.'),
    ),
    top_mint: Address('The one with most volume in SOL in the window; of equal ones the newest.'),
    top_symbol: ShownSymbol,
    last_at: Timestamp('Block time of the newest creation among them.'),
  },
  { $id: 'NameRow' },
);
export type NameRow = Static<typeof NameRow>;

export const TweetToken = Type.Object(
  {
    mint: Address('Token address.'),
    symbol: ShownSymbol,
    name: Type.Optional(Text('As symbol.')),
    created_at: Type.Optional(Timestamp('Block time of the creation.')),
    twitter: Text('Link to the post, as the document of the token has it.'),
    status: Type.Optional(Type.Enum(['bonding', 'graduated'], { type: 'string', description: 'As of a snapshot.' })),
    last_price: Type.Optional(Decimal('SOL per token; 0 beside quote_mint. Absent before the first trade.')),
    quote_mint: Type.Optional(QuoteMint),
    last_quote_price: Type.Optional(Decimal('Quote per token, for a non-SOL quote.')),
  },
  { $id: 'TweetToken' },
);
export type TweetToken = Static<typeof TweetToken>;

export const MarketEvent = Type.Object(
  {
    kind: Type.Enum([...EVENT_KINDS], { type: 'string', description: 'A trade, or a migration to the AMM.' }),
    time: Timestamp('Block time.'),
    mint: Address('Token address.'),
    symbol: ShownSymbol,
    actor: Type.Optional(Address('Who traded, or who migrated; absent where an older store does not know.')),
    is_buy: Type.Optional(Type.Boolean({ description: 'Of trades.' })),
    sol_amount: Type.Optional(Digits('Lamports of a trade, net of fees.')),
    mayhem: Type.Optional(Type.Boolean({ description: 'The token was created in mayhem mode; absent while unknown.' })),
  },
  { $id: 'MarketEvent' },
);
export type MarketEvent = Static<typeof MarketEvent>;

const WALLET = 'Eo6pYFYmbXKmvQDzpQ7aUnwhpiebp8pDLtanSqFEv8g1';

export const crossExample = { data: [{ mint: tokenExample.mint, wallet: WALLET } satisfies CrossPair] };

export const namesExample = {
  data: [
    {
      name: 'Example',
      tokens: 12,
      max_price: '0.0000000301',
      top_mint: tokenExample.mint,
      top_symbol: 'EXMPL',
      last_at: '2026-08-01T09:59:58Z',
    } satisfies NameRow,
  ],
  since: '2026-08-01T02:14:09Z',
};

export const tweetsExample = {
  data: [
    {
      mint: tokenExample.mint,
      symbol: 'EXMPL',
      name: 'Example',
      created_at: '2026-08-01T09:59:58Z',
      twitter: 'https://x.com/example/status/1900000000000000001',
      status: 'bonding',
      last_price: '0.0000000301',
    } satisfies TweetToken,
  ],
};

export const eventsExample = {
  data: [
    {
      kind: 'graduation',
      time: '2026-08-01T10:31:07Z',
      mint: tokenExample.mint,
      symbol: 'EXMPL',
      actor: WALLET,
      mayhem: false,
    },
    {
      ...{ kind: 'trade', time: '2026-08-01T10:00:00Z', mint: tokenExample.mint, symbol: 'EXMPL', actor: WALLET },
      ...{ is_buy: true, sol_amount: '4000000000', mayhem: false },
    },
  ] satisfies MarketEvent[],
};

export const crossCheck = defineRoute({
  path: '/cross',
  tag: 'tokens',
  name: 'crossCheck',
  summary: 'Which of some wallets ever traded which of some tokens',
  description: `Pairs that have a position, by mint, then by wallet. An address that is named twice counts once. More than ${MAX_SIDE} mints, ${MAX_SIDE} wallets or ${MAX_PAIRS} pairs of them are too_many_items.`,
  access: 'key',
  query: {
    mints: anyAddressListParameter(
      MAX_SIDE,
      'invalid_mint',
      'Token addresses, separated by commas or sent one by one.',
    ),
    wallets: anyAddressListParameter(MAX_SIDE, 'invalid_wallet', 'Wallets, separated by commas or sent one by one.'),
  },
  price: flatPrice(5),
  response: List(CrossPair),
  errors: ['too_many_items'],
  examples: { pairs: crossExample },
});

export const listTrendingNames = defineRoute({
  path: '/trending-names',
  tag: 'tokens',
  name: 'listTrendingNames',
  summary: 'Names that several new tokens share',
  description:
    'Tokens created in the window that ends with the newest block, by their very name: most tokens first, then the newest creation. Look-alikes are names of their own. `since` says from when on no block is missing, where that is later than the window begins.',
  access: 'key',
  pages: true,
  query: {
    window: durationParameter({
      ...{ fallback: '24h', min: '1m', max: '168h' },
      error: 'invalid_window',
      steps: [
        { above: '1h', step: '15m' },
        { above: '24h', step: '1h' },
      ],
      description:
        'How far back, as a duration of hours, minutes and seconds. A part of a minute counts as one, above an hour of a quarter of an hour, and above a day of an hour.',
    }),
    limit: limitParameter(50, MAX_NAMES),
  },
  price: flatPrice(1),
  response: ListSince(NameRow),
  errors: ['warming_up'],
  examples: { names: namesExample },
});

export const listTweetTokens = defineRoute({
  path: '/tweet-tokens',
  tag: 'tokens',
  name: 'listTweetTokens',
  summary: 'Newest tokens whose document links a post on X',
  description:
    'Newest first. A post is `/<name>/status/<number>` on x.com or twitter.com; profiles and communities are none. Tokens whose creation was not seen are not listed. `since` is there when the list could not be filled without looking further back than it does.',
  access: 'key',
  pages: true,
  query: { limit: limitParameter(50, MAX_TWEETS) },
  price: flatPrice(1),
  response: ListSince(TweetToken),
  examples: { tokens: tweetsExample },
});

/** Amounts are 64 bits wide. */
const MAX_LAMPORTS = 2n ** 64n - 1n;

export const listEvents = defineRoute({
  path: '/events',
  tag: 'tokens',
  name: 'listEvents',
  summary: 'Large trades and graduations of the last 24 hours',
  description:
    'Newest first, of the 24 hours that end with the newest block, from memory. Trades are those in SOL on the launchpad and its AMM, without those of the protocol itself. 503 warming_up until they have been read after a start. `since` says from when on nothing is missing, where that is less than 24 hours ago.',
  access: 'key',
  pages: true,
  query: {
    min_sol: parameter<bigint>({
      schema: Type.String({
        pattern: '^\\d{9,20}$',
        default: String(EVENT_MIN_SOL.fallback),
        description: `Smallest trade, in lamports and not in SOL; at least ${EVENT_MIN_SOL.least}. Graduations have no size and are always there.`,
      }),
      parse(text) {
        if (!/^\d{9,20}$/.test(text)) return undefined;
        const lamports = BigInt(text);
        return lamports < EVENT_MIN_SOL.least || lamports > MAX_LAMPORTS ? undefined : lamports;
      },
      absent: EVENT_MIN_SOL.fallback,
      error: 'invalid_param',
      expected: `must be lamports from ${EVENT_MIN_SOL.least} to ${MAX_LAMPORTS}`,
      details: { min: String(EVENT_MIN_SOL.least) },
    }),
    limit: limitParameter(50, MAX_EVENTS),
  },
  price: flatPrice(2),
  response: ListSince(MarketEvent),
  errors: ['warming_up'],
  examples: { events: eventsExample },
});

export const DISCOVERY_ROUTES: readonly RouteContract[] = [
  crossCheck,
  listTrendingNames,
  listTweetTokens,
  listEvents,
  tipsByProvider,
  launchpadDay,
];
