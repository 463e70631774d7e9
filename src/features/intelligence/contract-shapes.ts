import { type Static, Type } from 'typebox';
import { swapExample, tokenExample } from '../../contract/examples.ts';
import {
  Address,
  BlockIndex,
  Count,
  Decimal,
  Digits,
  IxIndex,
  SignedDigits,
  Slot,
  Text,
  Timestamp,
} from '../../contract/scalars.ts';
import { MAX_EVENTS, MAX_WALLETS } from './contract-limits.ts';

const TOLD = 'Absent when pnl.source is swap_estimate or balances_unreconciled is true.';
const TRACED = 'Only where balances are made of moves: pnl.source is indexed_transfers and they are told.';
const Percent = (description: string) => Type.Number({ minimum: 0, description });

const Roles = Type.Array(
  Type.Enum(['dev', 'sniper', 'bundle', 'funded_by_dev', 'shared_funder', 'fresh', 'whale', 'airdropped'], {
    type: 'string',
  }),
  {
    description:
      'What the wallet is known to be. Bundles and shared funders are evidence, not proof of common control. whale only where ownership is told, airdropped only where it is told by moves.',
  },
);

export const IntelligenceWallet = Type.Object(
  {
    wallet: Address('Wallet.'),
    roles: Roles,
    token_balance: Type.Optional(SignedDigits(`Raw units held. ${TOLD}`)),
    supply_pct: Type.Optional(Percent(`Share of the supply held. ${TOLD}`)),
    tokens_bought: Digits('Raw units.'),
    tokens_sold: Digits('Raw units.'),
    transferred_in: Type.Optional(Digits(`Raw units that came outside of trades. ${TRACED}`)),
    transferred_out: Type.Optional(Digits(`Raw units that left outside of trades, burnt ones too. ${TRACED}`)),
    sol_invested: Type.Optional(Digits('Lamports, net of fees; absent after trades in another quote.')),
    sol_received: Type.Optional(Digits('As sol_invested.')),
    avg_cost: Type.Optional(Decimal(`SOL per token of what is held with a known basis. ${TOLD}`)),
    realized_pnl: Type.Optional(SignedDigits(`Lamports by average cost; absent while a basis is missing. ${TOLD}`)),
    unrealized_pnl: Type.Optional(
      SignedDigits(`Lamports at the current price; absent while a basis is missing. ${TOLD}`),
    ),
    pnl_status: Type.Enum(['profit', 'loss', 'flat', 'unknown'], { type: 'string', description: 'Of both together.' }),
    holding_state: Type.Enum(['holding', 'closed', 'unknown'], {
      type: 'string',
      description: 'closed: 1 % or less of what arrived is left.',
    }),
    first_slot: Type.Optional(Slot),
    slots_after_creation: Type.Optional(Count('Of its first trade.')),
    block_index: Type.Optional(BlockIndex),
    first_trade_at: Type.Optional(Timestamp('First trade.')),
    last_trade_at: Type.Optional(Timestamp('Newest trade.')),
    funder: Type.Optional(Address('Who funded it first, as far as known, before its first trade.')),
    funder_label: Type.Optional(Text("The registry's name of the funder.")),
    bundle: Type.Optional(Count('Index in bundles[] of /launch.')),
  },
  { $id: 'IntelligenceWallet' },
);
export type IntelligenceWallet = Static<typeof IntelligenceWallet>;

export const IntelligenceEvent = Type.Object(
  {
    time: Type.Optional(Timestamp('Block time.')),
    slot: Slot,
    sig: Text('Signature.'),
    ix_index: IxIndex,
    kind: Type.Enum(
      [
        'dev_buy',
        'dev_sell',
        'sniper_exit',
        'bundle_exit',
        'whale_buy',
        'whale_sell',
        'dev_transfer_out',
        'cluster_transfer',
        'burn',
      ],
      { type: 'string' },
    ),
    wallet: Address('Who did it.'),
    roles: Roles,
    is_buy: Type.Optional(Type.Boolean({ description: 'Of swaps only.' })),
    sol_amount: Type.Optional(Digits('Lamports, of swaps in SOL only.')),
    token_amount: Digits('Raw units.'),
    supply_pct: Type.Optional(Percent(`Share of the supply that it moved. ${TOLD}`)),
    counterparty: Type.Optional(
      Address('Receiver, of transfers only; absent where several sent to several in one transaction.'),
    ),
  },
  { $id: 'IntelligenceEvent' },
);
export type IntelligenceEvent = Static<typeof IntelligenceEvent>;

const Pnl = Type.Object(
  {
    total: Type.Optional(Count(`Wallets with a balance. ${TOLD}`)),
    profit: Type.Optional(Count(`Of them. ${TOLD}`)),
    loss: Type.Optional(Count(`Of them. ${TOLD}`)),
    flat: Type.Optional(Count(`Of them, within 1 % of what was invested. ${TOLD}`)),
    unknown: Type.Optional(Count(`Of them, with tokens of which no cost is known. ${TOLD}`)),
    source: Type.Enum(['indexed_transfers', 'swap_estimate', 'onchain'], {
      type: 'string',
      description:
        'What balances are made of: buys - sells + transfers in - out (burns count as out); trades alone, which is no current ownership; the chain itself.',
    }),
  },
  { description: 'Results of the holders by indexed average cost.' },
);

const Snipers = Type.Object(
  {
    total: Count('total = holding + closed + unknown.'),
    holding: Count('0 where ownership is not told.'),
    closed: Count('0 where ownership is not told.'),
    unknown: Count('All of them where ownership is not told.'),
    supply_pct: Type.Optional(Percent(`Share of the supply that they hold. ${TOLD}`)),
    partial: Type.Boolean({ description: 'Some may be missing.' }),
    max_slots: Type.Optional(
      Count(
        "Slots after the creation's within which a first buy is a sniper's: 800 ms of measured slot time. Absent while that is not known; then only the creation's own slot counts.",
      ),
    ),
  },
  { description: 'Wallets that were there within moments of the creation. Absent while nobody saw it.' },
);

export const Intelligence = Type.Object(
  {
    mint: Address('Token address.'),
    updated_at: Timestamp('When it was made: an answer may be up to a minute old when the store does not keep up.'),
    window_start: Type.Optional(Timestamp("The creation, or the first trade that is indexed when that wasn't seen.")),
    supported: Type.Boolean({
      description:
        'False for tokens that trade in something else than SOL: results, which are counted in SOL, are left out or unknown, everything else is told.',
    }),
    partial: Type.Boolean({
      description:
        'The history is not whole: the token is older than the data, some of it is missing, was let go or was not told when it was stored, or there is too much to be read in time.',
    }),
    supply_source: Type.Optional(
      Type.Enum(['standard_supply_estimate', 'mint_supply'], {
        type: 'string',
        description:
          'What shares are taken of: 1 billion tokens for those of the launchpad (2 billion in mayhem mode), or what the mint itself says.',
      }),
    ),
    pnl: Pnl,
    snipers: Type.Optional(Snipers),
    wallets: Type.Array(IntelligenceWallet, {
      maxItems: MAX_WALLETS,
      description: 'By share of the supply where ownership is told, then by first trade.',
    }),
    events: Type.Array(IntelligenceEvent, { maxItems: MAX_EVENTS, description: 'Newest first.' }),
    buy_sol: Digits('Lamports that traders paid since window_start, net of fees.'),
    sell_sol: Digits('Lamports that they got.'),
    buyers: Count('Wallets.'),
    sellers: Count('Wallets.'),
    pattern: Type.Enum(
      [
        'insufficient_data',
        'organic',
        'sniper_led',
        'bundled_launch',
        'shared_funder',
        'dev_heavy',
        'distributed_by_transfer',
        'insiders_left',
        'exit_in_progress',
      ],
      {
        type: 'string',
        description:
          'What stands out most. Evidence, not proof of common control. organic only where all sends are told.',
      },
    ),
    untraced_supply_pct: Percent('Share of the supply that trades and transfers do not account for.'),
    balances_unreconciled: Type.Boolean({
      description: 'That share is 1 % or more: nothing is told that depends on ownership.',
    }),
  },
  { $id: 'Intelligence' },
);
export type Intelligence = Static<typeof Intelligence>;

const { trader, sig, fee_payer } = swapExample;
const FUNDER = '5jmG7k3SQEA21UGV6oJtFCxsG3bfTrDqbg9fMVKV4ia5';

export const intelligenceExample: Intelligence = {
  mint: tokenExample.mint,
  updated_at: '2026-08-01T10:00:02.512Z',
  window_start: '2026-08-01T09:59:58Z',
  supported: true,
  partial: false,
  supply_source: 'standard_supply_estimate',
  pnl: { total: 31, profit: 18, loss: 6, flat: 5, unknown: 2, source: 'indexed_transfers' },
  snipers: { total: 4, holding: 3, closed: 1, unknown: 0, supply_pct: 6.81, partial: false, max_slots: 4 },
  wallets: [
    {
      wallet: trader,
      roles: ['sniper', 'bundle', 'shared_funder', 'fresh', 'whale'],
      token_balance: '33612903225806',
      supply_pct: 3.36,
      tokens_bought: '34612903225806',
      tokens_sold: '0',
      transferred_in: '0',
      transferred_out: '1000000000000',
      sol_invested: '987654321',
      sol_received: '0',
      avg_cost: '0.00000002853427895',
      realized_pnl: '0',
      unrealized_pnl: '52628149',
      pnl_status: 'profit',
      holding_state: 'holding',
      first_slot: 351265118,
      slots_after_creation: 0,
      block_index: 1234,
      first_trade_at: '2026-08-01T10:00:00Z',
      last_trade_at: '2026-08-01T10:00:00Z',
      funder: FUNDER,
      bundle: 0,
    },
  ],
  events: [
    {
      time: '2026-08-01T10:00:01Z',
      slot: 351265123,
      sig,
      ix_index: 17,
      kind: 'dev_sell',
      wallet: fee_payer,
      roles: ['dev'],
      is_buy: false,
      sol_amount: '412000000',
      token_amount: '14000000000000',
      supply_pct: 1.4,
    },
  ],
  buy_sol: '41200000000',
  sell_sol: '11100000000',
  buyers: 31,
  sellers: 12,
  pattern: 'bundled_launch',
  untraced_supply_pct: 0.02,
  balances_unreconciled: false,
};

export const unreconciledExample: Intelligence = {
  mint: tokenExample.mint,
  updated_at: '2026-08-01T10:00:02.512Z',
  window_start: '2026-08-01T09:41:12Z',
  supported: true,
  partial: true,
  pnl: { source: 'swap_estimate' },
  wallets: [
    {
      wallet: trader,
      roles: ['fresh'],
      tokens_bought: '34612903225806',
      tokens_sold: '0',
      sol_invested: '987654321',
      sol_received: '0',
      pnl_status: 'unknown',
      holding_state: 'unknown',
      first_slot: 351265118,
      first_trade_at: '2026-08-01T10:00:00Z',
      last_trade_at: '2026-08-01T10:00:00Z',
      funder: FUNDER,
    },
  ],
  events: [],
  buy_sol: '41200000000',
  sell_sol: '11100000000',
  buyers: 31,
  sellers: 12,
  pattern: 'insufficient_data',
  untraced_supply_pct: 0,
  balances_unreconciled: false,
};
