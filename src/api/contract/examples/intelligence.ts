import type { Counters, HolderStats } from '../resources/holder-stats.ts';
import type { Intelligence } from '../resources/intelligence.ts';
import { swapExample, tokenExample } from './tokens.ts';

/** Made-up but consistent answers for the documentation. */
export const holderStatsExample: HolderStats = {
  source: 'swap_estimate',
  updated_at: '2026-08-01T10:00:02.104Z',
  holders: 31,
  held: '151612903225806',
  top10: '120511903225806',
  top25: '147982903225806',
};

export const onchainStatsExample: HolderStats = {
  source: 'onchain',
  slot: 351265126,
  updated_at: '2026-08-01T10:00:03.417Z',
  holders: 34,
  held: '151612903225806',
  top10: '119100903225806',
  top25: '146770903225806',
};

export const countersExample: Counters = {
  updated_at: '2026-08-01T10:00:02.310Z',
  holder_stats: holderStatsExample,
  bundle: 1,
  dev: 12,
};

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
