import { failedSwapExample, swapExample, tokenExample, tokenSendExample } from '../../contract/examples.ts';
import type { Swap } from '../../contract/swap.ts';
import type { FirstBuyer, Launch, LaunchRace, MempoolBuyers } from './contract-shapes.ts';

/** The launch of the example token: the creator bought, and a friend right behind. */
const CREATOR = swapExample.creator ?? '';
const FRIEND = failedSwapExample.trader;
const CREATED = { slot: 351265118, time: '2026-08-01T09:59:58Z' };

const devBuy: Swap = {
  ...swapExample,
  ...CREATED,
  trader: CREATOR,
  fee_payer: CREATOR,
  tip: '0',
  block_index: 411,
  ix_index: 29,
  bundled: true,
};

const friendBuy: Swap = {
  ...swapExample,
  ...CREATED,
  trader: FRIEND,
  fee_payer: FRIEND,
  block_index: 412,
  bundled: true,
};

export const launchExample: Launch = {
  mint: tokenExample.mint,
  creator: CREATOR,
  bundled_pct_supply: 6.92,
  dev_bundle_pct_supply: 6.92,
  bundle_count: 1,
  bundles: [
    {
      slot: CREATED.slot,
      start_index: 411,
      size: 2,
      is_bundle: true,
      evidence: 'adjacent',
      has_dev: true,
      wallets: [CREATOR, FRIEND],
      sol_total: '1975308642',
      tokens_bought: '69225806451612',
      pct_supply: 6.92,
      swaps: [devBuy, friendBuy],
    },
    {
      slot: swapExample.slot,
      start_index: swapExample.block_index,
      size: 1,
      is_bundle: false,
      has_dev: false,
      wallets: [swapExample.trader],
      sol_total: swapExample.sol_amount,
      tokens_bought: swapExample.token_amount,
      pct_supply: 3.46,
      swaps: [swapExample],
    },
  ],
};

export const launchRaceExample: LaunchRace = {
  mint: tokenExample.mint,
  symbol: 'EXMPL',
  created_slot: CREATED.slot,
  created_block_index: 411,
  slots: 30,
  attempts: 3,
  landed: 2,
  contenders: 2,
  winner: FRIEND,
  winner_cu_price: '2500000',
  winner_bid_known: true,
  losing_cu_price_max: '100000',
  self_aborts: 0,
  unknown_outcome: 0,
  bundle_size: 2,
  headline:
    '5jmG…4ia5 was the first outside wallet in, in the creation slot, bidding 2500000 micro-lamports per compute unit, against 1 other wallet. 3 attempts, 2 landed.',
  by_slot: [
    {
      slots_after_creation: 0,
      attempts: 2,
      landed: 2,
      wallets: 2,
      median_tip: '500000',
      median_tip_declared: '500000',
    },
    { slots_after_creation: 4, attempts: 1, landed: 0, wallets: 1, median_tip: '0', median_tip_declared: '0' },
  ],
  board: [
    {
      wallet: CREATOR,
      slots_after_creation: 0,
      block_index: 411,
      outcome: 'dev_buy',
      dev: true,
      cu_price: '2500000',
      cu_limit: '120000',
      priority_fee: '300000',
      tip: '0',
      fee: '9382716',
      price: '0.00000002853427895',
      sol: 0.987654321,
      bundled: true,
      sig: swapExample.sig,
    },
    {
      wallet: FRIEND,
      slots_after_creation: 0,
      block_index: 412,
      outcome: 'won',
      first_outside: true,
      cu_price: '2500000',
      cu_limit: '120000',
      priority_fee: '300000',
      tip: '1000000',
      provider: 'Jito',
      fee: '9382716',
      price: '0.00000002853427895',
      sol: 0.987654321,
      bundled: true,
      sig: swapExample.sig,
    },
    {
      wallet: swapExample.trader,
      slots_after_creation: 4,
      block_index: 977,
      outcome: 'rejected',
      why: 'TooMuchSolRequired',
      cu_price: '100000',
      cu_limit: '200000',
      priority_fee: '20000',
      tip: '0',
      fee: '25000',
      bundled: false,
      sig: failedSwapExample.sig,
    },
  ],
};

export const firstBuyerExample: FirstBuyer = {
  wallet: FRIEND,
  rank: 2,
  slot: CREATED.slot,
  slots_after_creation: 0,
  block_index: 412,
  time: CREATED.time,
  sig: swapExample.sig,
  sol_amount: '987654321',
  token_amount: '34612903225806',
  price: '0.00000002853427895',
  is_dev: false,
  bundled: true,
  tokens_bought: '34612903225806',
  tokens_sold: '8653225806451',
  token_balance: '25959677419355',
  sold_pct: 25,
  holding_state: 'holding',
  sol_invested: '987654321',
  sol_received: '301290322',
  realized_pnl: '54376742',
  last_trade_at: '2026-08-01T10:00:00Z',
  trade_count: 2,
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
