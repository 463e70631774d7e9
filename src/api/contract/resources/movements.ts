import { type Static, Type } from 'typebox';
import { Address, BlockIndex, Count, Digits, IxIndex, Mark, Partial, Slot, Text, Timestamp } from './scalars.ts';

const Percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });
const Tokens = (description: string) => Type.Number({ minimum: 0, description });

export const TokenTransfer = Type.Object(
  {
    time: Type.Optional(Timestamp('Block time, which many rows share; absent while the source did not tell it.')),
    slot: Slot,
    block_index: BlockIndex,
    sig: Text('Transaction signature.'),
    ix_index: IxIndex,
    mint: Address('Token address.'),
    from: Address('Wallet that sent.'),
    to: Address('Wallet that got them.'),
    amount: Digits('Raw units; this is the authoritative amount.'),
    decimals: Type.Integer({ minimum: 0, maximum: 255, description: 'Decimals of the token.' }),
    amount_token: Tokens('amount in whole tokens, as near as a number can say.'),
    ambiguous: Type.Boolean({
      description:
        'Several wallets sent and several got in one transaction: who sent to whom is one possible pairing, the movement happened.',
    }),
    partial: Type.Optional(Partial),
  },
  { $id: 'TokenTransfer' },
);
export type TokenTransfer = Static<typeof TokenTransfer>;

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

export const MempoolBuyers = Type.Object(
  {
    since_days: Type.Integer({ minimum: 1, description: 'Days looked back, as asked for.' }),
    per_wallet: Type.Array(MempoolWallet, { description: 'Those that tried the most tokens first, 500 at most.' }),
    events: Type.Array(MempoolEvent, { description: 'One for each wallet and token, newest first, 500 at most.' }),
  },
  { $id: 'MempoolBuyers' },
);
export type MempoolBuyers = Static<typeof MempoolBuyers>;

export const FunderCluster = Type.Object(
  {
    funder: Address('Wallet that funded them.'),
    funder_label: Type.Optional(
      Text('Exchange, bridge, market maker or platform that the wallet is said to be of, by other people’s lists.'),
    ),
    count: Count('Entries of wallets.'),
    is_dev: Type.Boolean({ description: "The funder is the token's creator, or funded the creator too." }),
    wallets: Type.Array(Address('Early buyer.')),
  },
  { $id: 'FunderCluster' },
);

export const FundingClusters = Type.Object(
  {
    early_buyers: Count('Wallets looked at: the first 100 that bought, without the creator.'),
    clustered: Count('How many of them are in a cluster.'),
    unknown: Count('How many of them nobody is known to have funded before they bought.'),
    clusters: Type.Array(FunderCluster, { description: 'Largest first.' }),
    partial: Type.Optional(Mark('The creation was not seen: there may have been buyers before those looked at.')),
  },
  { $id: 'FundingClusters' },
);
export type FundingClusters = Static<typeof FundingClusters>;

export const Distributor = Type.Object(
  {
    wallet: Address('Wallet that sent.'),
    sends: Count('Its sends.'),
    receivers: Count('Wallets that it sent to.'),
    fresh_receivers: Count('Those of them that had never bought the token.'),
    fresh_pct: Percent('fresh_receivers in percent of receivers.'),
    max_fanout: Count('Receivers of its widest single transaction.'),
    tokens: Tokens('Whole tokens that it sent.'),
  },
  { $id: 'Distributor' },
);

export const Sends = Type.Object(
  {
    mint: Address('Token address.'),
    window: Type.Enum(['1h', '24h', '7d'], { type: 'string' }),
    sends: Count('Sends between people in the window.'),
    senders: Count('Wallets that sent.'),
    receivers: Count('Wallets that got some.'),
    ambiguous: Count('Sends whose pairing is one of several possible ones.'),
    fresh_receivers: Count('Receivers that had not bought the token before they got the first of these.'),
    fresh_pct: Percent('fresh_receivers in percent of receivers.'),
    fresh_trader_pct: Type.Optional(
      Percent(
        'Of the fresh receivers that were looked up, how many percent bought the token later or trade others; absent without any.',
      ),
    ),
    relay_receivers: Count('Receivers that sent on at least half of what they had got.'),
    relay_pct: Percent('relay_receivers in percent of receivers.'),
    flagged: Type.Boolean({
      description: 'relay_chain or manufactured_holders with five receivers or more. Evidence, not proof.',
    }),
    verdict: Type.Optional(
      Type.Enum(['relay_chain', 'manufactured_holders', 'to_existing_holders', 'mixed'], {
        type: 'string',
        description: 'How the sends spread the token, relay_chain before all others; absent when nothing was sent.',
      }),
    ),
    headline: Text('The same in words, for people.'),
    distributors: Type.Array(Distributor, { description: 'Senders, those with the most receivers first, 20 at most.' }),
    left_out: Count('Sends of the window from and to curves, pools, protocol wallets, exchanges and other markets.'),
    since: Type.Optional(Timestamp('Oldest send looked at.')),
    partial: Type.Optional(Mark('More was sent: only the newest 5,000 sends of the window were looked at.')),
  },
  { $id: 'Sends' },
);
export type Sends = Static<typeof Sends>;
