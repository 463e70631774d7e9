import { type Static, Type } from 'typebox';
import {
  Address,
  BlockIndex,
  Decimal,
  Digits,
  IxIndex,
  Mark,
  Partial,
  QuoteDecimals,
  QuoteMint,
  QuoteSymbol,
  Slot,
  Text,
  Timestamp,
  Venue,
} from './scalars.ts';

const placeFields = {
  time: Type.Optional(Timestamp('Block time; absent while the source did not tell it.')),
  mint: Address('Token address.'),
  slot: Slot,
  block_index: BlockIndex,
  ix_index: IxIndex,
  sig: Text('Transaction signature.'),
  partial: Type.Optional(Partial),
};

const transactionFields = {
  creator: Type.Optional(Address("The launch's signer; absent while the creation was not seen.")),
  tip: Digits('Lamports: all tips of the transaction.'),
  tip_wallet: Type.Optional(Address('Receiver of the largest tip.')),
  fee_payer: Address('Payer of the transaction.'),
  cu_price: Digits('Micro-lamports per compute unit.'),
  cu_limit: Digits('Requested compute units.'),
  priority_fee: Digits('Lamports; see budget_source.'),
  budget_source: Type.Optional(
    Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
      description:
        'Absent or 0: compute-budget instructions. 1: a v1 budget that was read. 2: a v1 budget that was not available: only priority_fee is known.',
    }),
  ),
  router: Type.Optional(Address('Top-level program that orchestrated the swap; absent for a direct call.')),
  router_name: Type.Optional(Text('Trading platform the router belongs to.')),
};

export const Swap = Type.Object(
  {
    ...placeFields,
    ...transactionFields,
    trader: Address('Wallet that traded.'),
    is_buy: Type.Boolean(),
    sol_amount: Digits('Lamports, net of fees; 0 on rows quoted in another token, except equities.'),
    token_amount: Digits('Raw units.'),
    price: Type.Optional(Decimal('SOL per token; 0 on non-SOL rows; US dollars per share on equities.')),
    fee: Digits(
      'Protocol fee, lamports (raw quote units on non-SOL curve rows, raw token units where fee_mint is given).',
    ),
    creator_fee: Digits('Creator fee, in the unit of fee.'),
    lp_fee: Digits('Liquidity providers’ fee, in the unit of fee.'),
    fee_mint: Type.Optional(
      Address('The token itself, where a pool charges its fees in it: fee, creator_fee and lp_fee are its raw units.'),
    ),
    tip_repeated: Type.Optional(
      Mark(
        'Another swap of the transaction, perhaps of another token, carries the same tip without this mark: a sum of tips leaves this one out.',
      ),
    ),
    fee_creator: Type.Optional(Address('Earner of the creator fee, as the event names it.')),
    v_sol_reserves: Type.Optional(Digits('Virtual quote reserves after the swap.')),
    v_token_reserves: Type.Optional(Digits('Virtual token reserves after the swap.')),
    real_sol_reserves: Type.Optional(Digits('Quote reserves held after the swap.')),
    real_token_reserves: Type.Optional(Digits('Token reserves held after the swap.')),
    bundled: Type.Optional(
      Type.Boolean({ description: 'Another transaction on the token landed next to this one in its slot.' }),
    ),
    quote_mint: Type.Optional(QuoteMint),
    quote_amount: Type.Optional(Digits('Raw quote units, net of fees.')),
    quote_symbol: Type.Optional(QuoteSymbol),
    quote_decimals: Type.Optional(QuoteDecimals),
    venue: Venue,
    pool: Type.Optional(Address('Pool that it was swapped in, on the AMM.')),
    priced: Type.Boolean({
      description: 'Its price counts as a price of the token: of AMM swaps only those of the canonical pool do.',
    }),
  },
  { $id: 'Swap' },
);
export type Swap = Static<typeof Swap>;

export const FailedSwap = Type.Object(
  {
    ...placeFields,
    ...transactionFields,
    trader: Address('Wallet that tried to trade, or the payer when no instruction was recorded.'),
    is_buy: Type.Optional(Type.Boolean()),
    bundled: Type.Optional(Type.Literal(false, { description: 'A reverted attempt is never bundled.' })),
    venue: Venue,
    outcome: Type.Enum(['rejected', 'self_abort', 'failed_unknown'], { type: 'string' }),
    why: Type.Optional(Text('The decoded reason.')),
    error_code: Type.Optional(Type.Integer()),
    program: Type.Optional(Address('Program that stopped the transaction.')),
    network_fee: Type.Optional(Digits('Lamports, paid all the same.')),
    failed: Mark('A reverted attempt: nothing was exchanged.'),
  },
  { $id: 'FailedSwap' },
);
export type FailedSwap = Static<typeof FailedSwap>;

export const TokenSend = Type.Object(
  {
    ...placeFields,
    trader: Address('Sender.'),
    to: Address('Receiver.'),
    token_amount: Digits('Raw units.'),
    ambiguous: Type.Optional(Mark('Several senders and receivers: one possible pairing.')),
    transfer: Mark('A token send, not a trade.'),
  },
  { $id: 'TokenSend' },
);
export type TokenSend = Static<typeof TokenSend>;

/** A row of the swaps page: which of the three, the marks `failed` and `transfer` tell. */
export const SwapRow = Type.Union([Swap, FailedSwap, TokenSend]);
export type SwapRow = Static<typeof SwapRow>;
