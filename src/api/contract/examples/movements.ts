import type { FundingClusters, MempoolBuyers, Sends, TokenTransfer } from '../resources/movements.ts';
import { tokenExample, tokenSendExample } from './tokens.ts';

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

export const mempoolBuyersExample: MempoolBuyers = {
  since_days: 1,
  per_wallet: [
    {
      wallet: tokenSendExample.to,
      tokens: 1,
      attempts: 2,
      max_slots_before: 3,
      landed: 1,
      last_time: '2026-08-01T09:59:58Z',
    },
  ],
  events: [
    {
      wallet: tokenSendExample.to,
      mint: tokenExample.mint,
      symbol: 'EXMPL',
      creator: tokenExample.creator!,
      attempts: 2,
      slots_before: 3,
      slot: 351265115,
      created_slot: 351265118,
      sig: tokenSendExample.sig,
      create_sig: tokenSendExample.sig,
      landed: true,
      time: '2026-08-01T09:59:57Z',
    },
  ],
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
