import { type Static, Type } from 'typebox';
import {
  Address,
  BlockIndex,
  Count,
  Decimal,
  Digits,
  Mark,
  Partial,
  QuoteDecimals,
  QuoteMint,
  QuoteSymbol,
  SignedDigits,
  Slot,
  Text,
  Timestamp,
} from '../../contract/scalars.ts';
import { Swap } from '../../contract/swap.ts';
import { BOARD_SIZE, MEMPOOL_ROWS } from './contract-limits.ts';

const Percent = (description: string) => Type.Number({ minimum: 0, description });
const PartialLaunch = Mark(
  'The creation or some of the transactions were not seen with their whole block, are missing, or are not kept any more: what needs them is left out. For a moment also while it is not known yet who funded the newest buyers: their bundles may still turn out to be of one_funder.',
);

export const LaunchBundle = Type.Object(
  {
    slot: Slot,
    start_index: BlockIndex,
    size: Count('Transactions: the legs of one count once.'),
    is_bundle: Type.Optional(
      Type.Boolean({
        description:
          'Two wallets or more bought in one transaction or in transactions next to each other, the creator counted and the protocol’s own not. Absent where neighbours are not known.',
      }),
    ),
    evidence: Type.Optional(
      Type.Enum(['one_transaction', 'one_payer', 'one_funder', 'adjacent'], {
        type: 'string',
        description:
          'Of bundles, what speaks for one hand, the strongest: wallets that bought in one transaction, one that paid the fees of several, one that funded several before they bought, or nothing but that they stand next to each other.',
      }),
    ),
    has_dev: Type.Optional(
      Type.Boolean({ description: 'The creator bought in it; absent while the creator is not known.' }),
    ),
    wallets: Type.Array(Address('Wallet that bought in it.')),
    sol_total: Digits('Lamports that the wallets paid, net of fees; 0 in another quote.'),
    tokens_bought: Digits('Raw units that the wallets bought.'),
    pct_supply: Type.Optional(Percent('tokens_bought in percent of the supply.')),
    swaps: Type.Array(Swap),
    partial: Type.Optional(Partial),
  },
  { $id: 'LaunchBundle' },
);
export type LaunchBundle = Static<typeof LaunchBundle>;

export const Launch = Type.Object(
  {
    mint: Address('Token address.'),
    creator: Type.Optional(Address("The launch's signer.")),
    bundled_pct_supply: Type.Optional(Percent('Bought in bundles, percent of the supply.')),
    dev_bundle_pct_supply: Type.Optional(
      Percent('Bought in bundles in which the creator bought, percent of the supply.'),
    ),
    bundle_count: Type.Optional(
      Count('Entries of `bundles` that are bundles; absent where neighbours of some are not known.'),
    ),
    bundles: Type.Array(LaunchBundle, {
      description: 'The swaps that were looked at, in runs of transactions without a gap: single ones, too.',
    }),
    partial: Type.Optional(PartialLaunch),
  },
  { $id: 'Launch' },
);
export type Launch = Static<typeof Launch>;

const KEPT_ATTEMPTS = 'absent where reverted attempts are not kept any more';

export const RaceSlot = Type.Object(
  {
    slots_after_creation: Count('0 is the slot of the creation.'),
    attempts: Type.Optional(Count(`Transactions that bought or tried to; ${KEPT_ATTEMPTS}.`)),
    landed: Count('Those that bought.'),
    wallets: Type.Optional(Count('Distinct wallets behind the attempts; absent as `attempts` is.')),
    median_tip: Digits('Lamports that those that landed paid, 0 where one paid none or nothing landed.'),
    median_tip_declared: Type.Optional(
      Digits(
        'Lamports, over all attempts of the slot, what a reverted one declared as far as its payer had it. Absent as `attempts` is, and where attempts were stored before payers were looked at.',
      ),
    ),
    partial: Type.Optional(
      Mark('More may have happened in the slot: counts are of what is known, and medians of that alone.'),
    ),
  },
  { $id: 'RaceSlot' },
);
export type RaceSlot = Static<typeof RaceSlot>;

export const RaceAttempt = Type.Object(
  {
    wallet: Address('Wallet that bought or tried to.'),
    slots_after_creation: Count('0 is the slot of the creation.'),
    block_index: BlockIndex,
    outcome: Type.Enum(['won', 'dev_buy', 'landed', 'rejected', 'self_abort', 'failed_unknown'], { type: 'string' }),
    why: Type.Optional(Text('The decoded reason of an attempt that did not land.')),
    dev: Type.Optional(Mark('The creator’s hand: it bought in the transaction, or paid for it.')),
    first_outside: Type.Optional(Mark('The winner: the first wallet in by another hand than the creator’s.')),
    cu_price: Digits('Micro-lamports per compute unit.'),
    cu_limit: Digits('Requested compute units.'),
    priority_fee: Digits('Lamports; see budget_source.'),
    budget_source: Type.Optional(
      Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], { description: 'As on swap rows.' }),
    ),
    tip: Digits('Lamports; declared, and not paid, by an attempt that reverted.'),
    provider: Type.Optional(Text('The relay that the tip is for.')),
    fee: Digits(
      'Landed: protocol fee of the buy, in lamports, or in raw units of `quote_mint` where there is one. Reverted: lamports paid to the network.',
    ),
    fee_mint: Type.Optional(Address('The token itself, where a pool charges its fees in it.')),
    price: Type.Optional(Decimal('Landed: as on the swap row.')),
    sol: Type.Optional(Type.Number({ minimum: 0, description: 'Landed in SOL: what was paid, in SOL, net of fees.' })),
    quote_mint: Type.Optional(QuoteMint),
    quote_amount: Type.Optional(Digits('Landed in another quote: what was paid, raw quote units, net of fees.')),
    quote_symbol: Type.Optional(QuoteSymbol),
    quote_decimals: Type.Optional(QuoteDecimals),
    program: Type.Optional(Address('Router, or the contract that aborted; absent for a direct call.')),
    program_name: Type.Optional(Text('Trading platform that the program belongs to.')),
    bundled: Type.Optional(Type.Boolean({ description: 'Something else on the token landed next to it in its slot.' })),
    leader: Type.Optional(Address('Validator that led the slot; absent while its schedule is not known.')),
    leader_name: Type.Optional(Text('Name of that validator; absent when it told none.')),
    leader_client: Type.Optional(Text('Client that it ran; `unknown` while not known.')),
    sig: Text('Transaction signature.'),
    partial: Type.Optional(Partial),
  },
  { $id: 'RaceAttempt' },
);
export type RaceAttempt = Static<typeof RaceAttempt>;

export const LaunchRace = Type.Object(
  {
    mint: Address('Token address.'),
    symbol: Type.Optional(Type.String()),
    created_slot: Type.Optional(
      Count('Slot of the creation; absent while it is not known: then there is no race to tell.'),
    ),
    created_block_index: Type.Optional(BlockIndex),
    slots: Count("Slots that were looked at, the creation's first."),
    attempts: Type.Optional(Count(`Transactions that bought or tried to; ${KEPT_ATTEMPTS}.`)),
    landed: Type.Optional(Count("Those that bought, the creator's hand among them.")),
    contenders: Type.Optional(Count('Wallets that tried by another hand than the creator’s.')),
    winner: Type.Optional(Address('The first wallet in by another hand than the creator’s.')),
    winner_cu_price: Digits('Micro-lamports per compute unit; 0 without a winner, or when its bid is not known.'),
    winner_bid_known: Type.Boolean(),
    losing_cu_price_max: Type.Optional(
      Digits(
        'Micro-lamports per compute unit, of the known bid by another hand than the creator’s, turned down by a venue, that paid most beyond signatures.',
      ),
    ),
    self_aborts: Type.Optional(Count('Attempts that their own contract stopped.')),
    unknown_outcome: Type.Optional(Count('Attempts that reverted before the stopping program was recorded.')),
    bundle_size: Type.Optional(
      Count("Bundled attempts in the creation's slot; absent where neighbours of some are not known."),
    ),
    headline: Text('The race in words.'),
    by_slot: Type.Array(RaceSlot, { description: 'Slots with attempts.' }),
    board: Type.Array(RaceAttempt, {
      description: `Attempts in order of arrival: the first ${BOARD_SIZE}, and the winner.`,
    }),
    board_omitted: Type.Optional(Count('Attempts that the figures count and the board does not show.')),
    partial: Type.Optional(
      Mark(
        'The creation or some of the transactions were not seen with their whole block, are missing, or are not kept any more, or there were more than are read. Counts are then of what is known, and left out where that is nothing.',
      ),
    ),
  },
  { $id: 'LaunchRace' },
);
export type LaunchRace = Static<typeof LaunchRace>;

export const FirstBuyer = Type.Object(
  {
    wallet: Address('Wallet that bought.'),
    rank: Type.Integer({ minimum: 1, description: '1 is the first.' }),
    slot: Slot,
    slots_after_creation: Type.Optional(Count('0 is the slot of the creation; absent while that is not known.')),
    block_index: BlockIndex,
    time: Type.Optional(Timestamp('Block time of the first buy.')),
    sig: Text("The first buy's transaction."),
    sol_amount: Digits('Of the first buy, lamports, net of fees; 0 in another quote, except equities.'),
    token_amount: Digits('Of the first buy, raw units.'),
    price: Type.Optional(Decimal('Of the first buy, as on its swap row.')),
    quote_mint: Type.Optional(QuoteMint),
    quote_amount: Type.Optional(Digits('Of the first buy, raw quote units, net of fees.')),
    quote_symbol: Type.Optional(QuoteSymbol),
    quote_decimals: Type.Optional(QuoteDecimals),
    is_dev: Type.Optional(
      Type.Boolean({ description: 'The wallet is the creator; absent while the creator is not known.' }),
    ),
    bundled: Type.Optional(Type.Boolean({ description: 'Of the first buy, as on its swap row.' })),
    tokens_bought: Type.Optional(Digits('Raw units, all buys up to now.')),
    tokens_sold: Type.Optional(Digits('Raw units, all sells up to now.')),
    token_balance: Type.Optional(
      Digits(
        'Raw units held by trades and what transactions with a trade moved besides; absent while not known: more had left than was seen to arrive.',
      ),
    ),
    sold_pct: Type.Optional(
      Percent(
        'tokens_sold in percent of tokens_bought; absent where the balance is not known, and where more was sold than bought.',
      ),
    ),
    holding_state: Type.Optional(
      Type.Enum(['holding', 'closed'], {
        type: 'string',
        description: '`closed` when `token_balance` is 0.',
      }),
    ),
    sol_invested: Type.Optional(
      Digits('Lamports (raw quote units with quote_mint); absent after trades in several quotes.'),
    ),
    sol_received: Type.Optional(Digits('As sol_invested.')),
    realized_pnl: Type.Optional(
      SignedDigits(
        'Lamports by running average cost, over trades, sends and all else in order; absent while a basis is unknown.',
      ),
    ),
    last_trade_at: Type.Optional(Timestamp('Newest trade.')),
    trade_count: Type.Optional(Count('Trades.')),
    partial: Type.Optional(Partial),
  },
  { $id: 'FirstBuyer' },
);
export type FirstBuyer = Static<typeof FirstBuyer>;

export const FirstBuyers = Type.Object({
  data: Type.Array(FirstBuyer),
  partial: Type.Optional(
    Mark(
      'The creation was not seen with its whole block, or swaps of its time are missing or not kept any more: others may have bought before those that are known. Or blocks since then are missing, or came late and are not counted in yet, or movements are older than what is kept: balances and profits may be short.',
    ),
  ),
});
export type FirstBuyers = Static<typeof FirstBuyers>;

export const MempoolWallet = Type.Object(
  {
    wallet: Address('Wallet that tried to buy.'),
    tokens: Count('Tokens that it tried to buy before they were created.'),
    attempts: Count('Attempts that came too soon.'),
    max_slots_before: Count('Slots from the earliest attempt to the creation, the most of any of its tokens.'),
    landed: Count('How many of the tokens it then bought.'),
    last_time: Timestamp('Newest attempt that came too soon.'),
  },
  { $id: 'MempoolWallet' },
);
export type MempoolWallet = Static<typeof MempoolWallet>;

export const MempoolEvent = Type.Object(
  {
    wallet: Address('Wallet that tried to buy.'),
    mint: Address('Token address.'),
    symbol: Text("The token's symbol."),
    creator: Type.Optional(Address("The launch's signer.")),
    attempts: Count('Attempts that came too soon.'),
    slots_before: Count('Slots from the earliest attempt to the creation.'),
    slot: Count('Slot of the earliest attempt.'),
    created_slot: Count('Slot of the creation.'),
    sig: Text('Transaction signature of the earliest attempt.'),
    create_sig: Text('Transaction signature of the creation.'),
    landed: Type.Boolean({ description: 'The wallet then bought the token.' }),
    time: Type.Optional(Timestamp('Time of the earliest attempt.')),
  },
  { $id: 'MempoolEvent' },
);
export type MempoolEvent = Static<typeof MempoolEvent>;

export const MempoolBuyers = Type.Object(
  {
    since_days: Type.Integer({ minimum: 1, description: 'Days looked back, as asked for.' }),
    per_wallet: Type.Array(MempoolWallet, {
      description: `Those that tried the most tokens first, ${MEMPOOL_ROWS} at most.`,
    }),
    events: Type.Array(MempoolEvent, {
      description: `One for each wallet and token, newest first, ${MEMPOOL_ROWS} at most.`,
    }),
    partial: Type.Optional(
      Mark('Slots from before these days are not gone through yet: rows may count too few attempts.'),
    ),
  },
  { $id: 'MempoolBuyers' },
);
export type MempoolBuyers = Static<typeof MempoolBuyers>;
