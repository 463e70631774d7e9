import type { FailedSwap, Swap, TokenSend } from './swap.ts';
import type { TokenListRow, TokenSnapshot } from './token.ts';

/** Made-up but consistent answers for the documentation: one token, seconds after its launch. */
export const MINT = '2i29BGMb2w6dDgTLiBQDuLd9SWd49g2PP1vg9AgfxQRs';

const CREATOR = 'Eo6pYFYmbXKmvQDzpQ7aUnwhpiebp8pDLtanSqFEv8g1';

export const TRADER = '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6';

const FRIEND = '5jmG7k3SQEA21UGV6oJtFCxsG3bfTrDqbg9fMVKV4ia5';
const CURVE = 'ETghYmaLuWDJjm7vHKTq1m1sHYuGpckNZmgNTMGqc4Y7';
const TIP_WALLET = '3eSGzexHbegAwNjvXYerfGriNKM5b4pUkWK4GEQeBCnd';
const POOL = 'CYdBaC8bAvMZgiQHNriEDSngZMvRhFBauqKSciaMcUFZ';

export const SIGNATURE = '4HxKByB8vHF8pGdUzn6Bhf2959NQC5abfGSF13o8Ndv39kQMkqmcC1C6byRJVV5d8w2rLvwCZmdfj8Qr1tk3LvYq';

export const tokenExample: TokenSnapshot = {
  mint: MINT,
  creator: CREATOR,
  name: 'Example',
  symbol: 'EXMPL',
  uri: 'https://example.com/exmpl.json',
  decimals: 6,
  bonding_curve: CURVE,
  created_at: '2026-08-01T09:59:58Z',
  created_slot: 351265118,
  status: 'bonding',
  last_price: '0.0000000301',
  last_trade_at: '2026-08-01T10:00:00Z',
  mayhem: false,
  curve_progress_pct: 3.42,
  price_usd: '0.000004285337',
  market_cap_usd: '4285.34',
  liquidity_usd: '281.22',
  ath_price: '0.0000000412',
  ath_symbol: 'SOL',
  ath_at: '2026-08-01T09:59:59Z',
};

export const tokenListRowExample: TokenListRow = {
  ...tokenExample,
  status: 'graduated',
  curve_progress_pct: 100,
  graduated_at: '2026-08-01T10:31:07Z',
  amm_pool: POOL,
  vol_1h: '412000000000',
  vol_1h_symbol: 'SOL',
  vol_1h_decimals: 9,
  trades_1h: 1893,
  change_1h: 214.07,
  change_5m: -3.2,
  traders: 640,
};

export const swapExample: Swap = {
  time: '2026-08-01T10:00:00Z',
  mint: MINT,
  trader: TRADER,
  is_buy: true,
  sol_amount: '987654321',
  token_amount: '34612903225806',
  price: '0.00000002853427895',
  fee: '9382716',
  creator_fee: '2962963',
  lp_fee: '0',
  creator: CREATOR,
  tip: '1000000',
  tip_wallet: TIP_WALLET,
  v_sol_reserves: '30987654321',
  v_token_reserves: '1038387096774194',
  real_sol_reserves: '987654321',
  real_token_reserves: '758487096774194',
  fee_payer: TRADER,
  cu_price: '2500000',
  cu_limit: '120000',
  priority_fee: '300000',
  slot: 351265123,
  block_index: 1234,
  ix_index: 17,
  sig: SIGNATURE,
  bundled: false,
  venue: 0,
  priced: true,
};

export const failedSwapExample: FailedSwap = {
  time: '2026-08-01T10:00:00Z',
  mint: MINT,
  trader: FRIEND,
  is_buy: true,
  creator: CREATOR,
  tip: '0',
  fee_payer: FRIEND,
  cu_price: '100000',
  cu_limit: '200000',
  priority_fee: '20000',
  slot: 351265122,
  block_index: 977,
  ix_index: 2,
  sig: SIGNATURE,
  bundled: false,
  venue: 0,
  outcome: 'rejected',
  why: 'TooMuchSolRequired',
  failed: true,
};

export const tokenSendExample: TokenSend = {
  time: '2026-08-01T09:59:59Z',
  mint: MINT,
  trader: TRADER,
  to: FRIEND,
  token_amount: '1000000000000',
  slot: 351265121,
  block_index: 64,
  ix_index: 9,
  sig: SIGNATURE,
  transfer: true,
};
