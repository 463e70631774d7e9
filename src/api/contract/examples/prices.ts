import type { CreatorFees, Pool, SolPrice, TokenPrice, TokenPrices } from '../resources/price.ts';
import { tokenExample } from './tokens.ts';

const { mint } = tokenExample;
const CREATOR = 'Eo6pYFYmbXKmvQDzpQ7aUnwhpiebp8pDLtanSqFEv8g1';
const POOL = 'CYdBaC8bAvMZgiQHNriEDSngZMvRhFBauqKSciaMcUFZ';
const SIDE_POOL = '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

export const solPriceExample: SolPrice = { usd: 142.37, stale_s: 2 };

export const tokenPriceExample: TokenPrice = {
  mint,
  price: '0.0000000301',
  price_usd: '0.000004285337',
  slot: 351265123,
  time: '2026-08-01T10:00:00Z',
  venue: 0,
};

export const tokenPricesExample: TokenPrices = {
  data: [tokenPriceExample],
  missing: ['ETghYmaLuWDJjm7vHKTq1m1sHYuGpckNZmgNTMGqc4Y7'],
};

export const poolExample: Pool = {
  pool: POOL,
  venue: 1,
  canonical: true,
  creator: CREATOR,
  created_at: '2026-08-01T10:31:07Z',
  created_slot: 351269780,
  price: '0.00000041',
  price_usd: '0.0000583717',
  quote_reserves: '84829000000',
  token_reserves: '206900000000000',
  liquidity_usd: '24154.21',
  last_trade_at: '2026-08-01T10:40:00Z',
  last_slot: 351271112,
};

export const sidePoolExample: Pool = {
  pool: SIDE_POOL,
  venue: 1,
  canonical: false,
  quote_mint: USDC,
  quote_symbol: 'USDC',
  quote_decimals: 6,
  creator: CREATOR,
  created_at: '2026-08-01T10:35:00Z',
  created_slot: 351270311,
  quote_reserves: '250000000',
  token_reserves: '4200000000000',
  liquidity_usd: '500',
};

export const creatorFeesExample: CreatorFees = {
  mint,
  creator: CREATOR,
  fee_creator: SIDE_POOL,
  data: [{ earned: '1834200911', swaps: 1893, paid: '900000000', payouts: 2, last_paid_at: '2026-08-01T10:38:12Z' }],
  recipients: [
    { wallet: CREATOR, earned: '1000000000', paid: '900000000' },
    { wallet: SIDE_POOL, earned: '834200911', paid: '0' },
  ],
  changes: [
    {
      time: '2026-08-01T10:20:00Z',
      slot: 351268120,
      previous: CREATOR,
      fee_creator: SIDE_POOL,
      reason: 'migrate_creator',
    },
  ],
};
