import { type Static, Type } from 'typebox';
import { tokenExample, tokenSendExample } from '../../contract/examples.ts';
import {
  Address,
  BlockIndex,
  Count,
  Digits,
  IxIndex,
  Mark,
  Page,
  Partial,
  Slot,
  Text,
  Timestamp,
} from '../../contract/scalars.ts';
import { EARLY_BUYERS } from './contract-limits.ts';

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

export const TransferPage = Type.Object({
  ...Page(TokenTransfer).properties,
  partial: Type.Optional(
    Mark(
      'Sends between those of the page, or before the last page, may be missing: the creation was not seen, there are holes in the data, or they are not kept any more.',
    ),
  ),
});

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
    early_buyers: Count(`Wallets looked at: the first ${EARLY_BUYERS} that bought, without the creator.`),
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

const HiddenSends = Type.Object(
  {
    sends: Count('Sends.'),
    receivers: Count('Wallets that got some.'),
    tokens: Tokens('Whole tokens.'),
  },
  {
    description:
      'Sends between people inside transactions that call the launchpad or the AMM: a first buy that is split, a buy that is sent on at once. Shares that platforms take of their customers’ trades are left out. The verdict, flagged and the headline count them, the other figures do not. Absent when none is known.',
  },
);

export const Sends = Type.Object(
  {
    mint: Address('Token address.'),
    window: Type.Enum(['1h', '24h', '7d'], { type: 'string' }),
    sends: Count('Sends between people in the window, in transactions that call neither the launchpad nor the AMM.'),
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
        description:
          'How the sends spread the token, relay_chain before all others: all of them or, where that is graver, those outside or inside trades alone. Absent when nothing was sent.',
      }),
    ),
    headline: Text('The same in words, for people.'),
    distributors: Type.Array(Distributor, { description: 'Senders, those with the most receivers first, 20 at most.' }),
    hidden: Type.Optional(HiddenSends),
    left_out: Count('Sends of the window from and to curves, pools, protocol wallets, exchanges and other markets.'),
    since: Type.Optional(Timestamp('Oldest send looked at.')),
    covered_since: Type.Optional(
      Timestamp(
        'From here on all sends are known, where the window begins before the data or behind a hole in it, or before all sends inside trades were told.',
      ),
    ),
    partial: Type.Optional(
      Mark(
        'Not all of the window: only its newest 5,000 sends, and as many inside trades, were looked at, or some may be missing (see covered_since). Counts are of those that are known.',
      ),
    ),
  },
  { $id: 'Sends' },
);
export type Sends = Static<typeof Sends>;

/** Made-up but consistent answers about the token of the other examples. */
const FUNDER = 'CYdBaC8bAvMZgiQHNriEDSngZMvRhFBauqKSciaMcUFZ';
const WALLETS = [tokenSendExample.trader, tokenSendExample.to];

export const tokenTransferExample: TokenTransfer = {
  time: '2026-08-01T09:59:59Z',
  slot: tokenSendExample.slot,
  block_index: tokenSendExample.block_index,
  sig: tokenSendExample.sig,
  ix_index: tokenSendExample.ix_index,
  mint: tokenExample.mint,
  from: tokenSendExample.trader,
  to: tokenSendExample.to,
  amount: tokenSendExample.token_amount,
  decimals: 6,
  amount_token: 1_000_000,
  ambiguous: false,
};

export const fundingClustersExample: FundingClusters = {
  early_buyers: 41,
  clustered: 2,
  unknown: 17,
  clusters: [{ funder: FUNDER, count: 2, is_dev: false, wallets: WALLETS }],
};

export const sendsExample: Sends = {
  mint: tokenExample.mint,
  window: '24h',
  sends: 12,
  senders: 1,
  receivers: 12,
  ambiguous: 0,
  fresh_receivers: 12,
  fresh_pct: 100,
  fresh_trader_pct: 0,
  relay_receivers: 0,
  relay_pct: 0,
  flagged: true,
  verdict: 'manufactured_holders',
  headline: 'Holders made by hand: 12 of 12 receivers had never bought the token.',
  distributors: [
    {
      wallet: tokenSendExample.trader,
      sends: 12,
      receivers: 12,
      fresh_receivers: 12,
      fresh_pct: 100,
      max_fanout: 6,
      tokens: 12_000_000,
    },
  ],
  left_out: 0,
  since: '2026-08-01T09:59:59Z',
};

export const quietSendsExample: Sends = {
  mint: tokenExample.mint,
  window: '1h',
  sends: 0,
  senders: 0,
  receivers: 0,
  ambiguous: 0,
  fresh_receivers: 0,
  fresh_pct: 0,
  relay_receivers: 0,
  relay_pct: 0,
  flagged: false,
  headline: 'Nobody sent the token to anybody in the last hour.',
  distributors: [],
  left_out: 0,
};
