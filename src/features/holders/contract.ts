import { type Static, Type } from 'typebox';
import { MINT, TRADER } from '../../contract/examples.ts';
import { HolderStats, holderStatsExample, onchainStatsExample } from '../../contract/holder-stats.ts';
import { addressParameter, choiceParameter, limitParameter } from '../../contract/parameter.ts';
import { flatPrice, ROW_RULE, rowPrice } from '../../contract/price.ts';
import { defineRoute } from '../../contract/route.ts';
import {
  Address,
  Count,
  Decimal,
  Digits,
  Mark,
  QuoteDecimals,
  QuoteMint,
  QuoteSymbol,
  SignedDigits,
  Text,
  Timestamp,
} from '../../contract/scalars.ts';

export const Holder = Type.Object(
  {
    trader: Address('Wallet.'),
    mint: Address('Token address.'),
    symbol: Type.Optional(Text("The token's symbol.")),
    name: Type.Optional(Text("The token's name.")),
    token_balance: Type.Optional(
      Digits('Raw units held, see `source`; absent while not known: more was sold than was seen to arrive.'),
    ),
    sol_invested: Type.Optional(
      Digits('Lamports (raw quote units with quote_mint); absent after trades in several quotes.'),
    ),
    sol_received: Type.Optional(Digits('As sol_invested.')),
    tokens_bought: Digits('Raw units.'),
    tokens_sold: Digits('Raw units.'),
    realized_pnl: Type.Optional(
      SignedDigits(
        'Lamports by running average cost, over trades, sends and all else in order; absent while a basis is unknown.',
      ),
    ),
    avg_cost: Type.Optional(Decimal('Quote per token of what is held; absent without a known basis.')),
    current_price: Type.Optional(
      Decimal('Quote per token; absent while the token is priced in another quote than the row.'),
    ),
    first_trade_at: Type.Optional(Timestamp('First trade.')),
    last_trade_at: Type.Optional(Timestamp('Newest trade.')),
    trade_count: Count('Trades.'),
    quote_mint: Type.Optional(QuoteMint),
    quote_symbol: Type.Optional(QuoteSymbol),
    quote_decimals: Type.Optional(QuoteDecimals),
    partial: Type.Optional(Mark('What the wallet holds is not known, and neither is its profit.')),
  },
  { $id: 'Holder' },
);
export type Holder = Static<typeof Holder>;

/** Said where wallets of a list may be missing or their figures be short. */
const ListPartial = Mark(
  'Not all is known: blocks of the token’s life are missing, or came late and are not counted in yet, its movements are older than what is kept, or wallets are left out whose balance is not known.',
);

export const Holders = Type.Object({
  data: Type.Array(Holder),
  source: Type.Enum(['swap_estimate', 'onchain'], {
    type: 'string',
    description:
      'Where the balances come from. `swap_estimate`: trades, and what transactions with a trade moved besides; sends are not in it. `onchain`: every token account of the mint, at most a minute old, sends and all.',
  }),
  slot: Type.Optional(Count('Slot of the snapshot; onchain only.')),
  partial: Type.Optional(ListPartial),
});
export type Holders = Static<typeof Holders>;

const { symbol: _symbolField, name: _nameField, ...positionFields } = Holder.properties;

/** A holder's row without the token's name, of anybody who traded. */
export const Trader = Type.Object(positionFields, { $id: 'Trader' });
export type Trader = Static<typeof Trader>;

export const Traders = Type.Object({ data: Type.Array(Trader), partial: Type.Optional(ListPartial) });
export type Traders = Static<typeof Traders>;

export const HISTORY_INTERVALS = ['5m', '1h', '1d'] as const;
export type HistoryInterval = (typeof HISTORY_INTERVALS)[number];

export const HolderCount = Type.Object(
  {
    time: Timestamp('Start of the bucket; buckets are aligned to the Unix epoch.'),
    holders: Count('Wallets that hold by trades at the end of the bucket, or now in the last one.'),
  },
  { $id: 'HolderCount' },
);
export type HolderCount = Static<typeof HolderCount>;

export const HolderHistory = Type.Object({
  data: Type.Array(HolderCount),
  partial: Type.Optional(
    Mark(
      'Not all of the token’s swaps are known: its creation was not seen, blocks since then are missing, or older ones are not kept. Or there are too many to be read. Wallets that left and came back may count as never gone.',
    ),
  ),
});
export type HolderHistory = Static<typeof HolderHistory>;

export const holderExample: Holder = {
  trader: TRADER,
  mint: MINT,
  symbol: 'EXMPL',
  name: 'Example',
  token_balance: '33612903225806',
  sol_invested: '987654321',
  sol_received: '0',
  tokens_bought: '34612903225806',
  tokens_sold: '0',
  realized_pnl: '0',
  avg_cost: '0.00000002853427895',
  current_price: '0.0000000301',
  first_trade_at: '2026-08-01T10:00:00Z',
  last_trade_at: '2026-08-01T10:00:00Z',
  trade_count: 1,
};

/** The same made-up token as in the other examples. */
const { symbol: _symbol, name: _name, avg_cost: _cost, ...position } = holderExample;

export const traderExample: Trader = {
  ...position,
  token_balance: '0',
  sol_received: '1245000000',
  tokens_sold: position.tokens_bought,
  realized_pnl: '257345679',
  last_trade_at: '2026-08-01T10:04:11Z',
  trade_count: 2,
};

export const holderCountExample: HolderCount = { time: '2026-08-01T10:00:00Z', holders: 214 };

const mint = addressParameter('invalid_mint', 'Token address.');

export const listHolders = defineRoute({
  path: '/tokens/{mint}/holders',
  tag: 'tokens',
  name: 'listHolders',
  summary: 'Positions by balance, largest first',
  description:
    'Balances by trades and by what transactions with a trade moved besides; token sends count where `source` says `onchain`: when a node is configured and has told all accounts of the mint within the last minute, which is never waited for. Profit by average cost over everything in order, left out while unknown: when tokens were sold that nobody saw bought, or the token was traded in several quotes. A wallet whose balance is not known is left out.',
  access: 'key',
  pages: true,
  params: { mint },
  query: { limit: limitParameter(50, 500) },
  price: { rule: ROW_RULE, compute: (query) => rowPrice(query.limit) },
  pricedBy: ['limit'],
  response: Holders,
  absent: 'token_not_found',
  examples: { holders: { data: [holderExample], source: 'swap_estimate' } },
});

export const listTraders = defineRoute({
  path: '/tokens/{mint}/traders',
  tag: 'tokens',
  name: 'listTraders',
  summary: 'Wallets that traded a token, best first',
  description:
    'By `realized`, known profits come first, largest first, those in the token’s own quote before those in others; unknown ones come last, by trades. `volume` and `bought` are in the token’s own quote. Equal ones are in order of address.',
  access: 'key',
  params: { mint },
  query: {
    sort: choiceParameter(
      ['realized', 'volume', 'bought', 'trades'],
      'realized',
      'invalid_param',
      'Order: realized profit, paid and received, paid, or number of trades.',
    ),
    limit: limitParameter(50, 500),
  },
  price: { rule: ROW_RULE, compute: (query) => rowPrice(query.limit) },
  pricedBy: ['limit'],
  response: Traders,
  absent: 'token_not_found',
  examples: { traders: { data: [traderExample] } },
});

export const getHolderHistory = defineRoute({
  path: '/tokens/{mint}/holders/history',
  tag: 'tokens',
  name: 'getHolderHistory',
  summary: 'How many wallets held a token over time',
  description:
    'Counted by trades alone: a wallet holds while it has bought more than it sold. Neither token sends nor what transactions with a trade moved besides count, so that the last row may differ from /holder-stats. One row for each bucket from the first trade on, ascending, buckets without a trade repeat what was: the last day in 5m, the last week in 1h, the last year in 1d.',
  access: 'key',
  params: { mint },
  query: { tf: choiceParameter(HISTORY_INTERVALS, '1h', 'invalid_tf', 'Interval.') },
  price: flatPrice(3),
  response: HolderHistory,
  absent: 'token_not_found',
  examples: { history: { data: [holderCountExample] } },
});

export const getHolderStats = defineRoute({
  path: '/tokens/{mint}/holder-stats',
  tag: 'tokens',
  name: 'getHolderStats',
  summary: 'How many hold a token, and how much the largest do',
  description:
    'As trades tell, and what transactions with a trade moved besides, or as the chain does when a node is configured and has answered: it is asked beside the question, and the estimate is served until then. Made again every 2 seconds while somebody asks; updated_at tells the age.',
  access: 'key',
  pages: true,
  params: { mint },
  price: flatPrice(1),
  response: HolderStats,
  absent: 'token_not_found',
  examples: { swap_estimate: holderStatsExample, onchain: onchainStatsExample },
});
