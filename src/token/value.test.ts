import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { UNKNOWN_DECIMALS } from '../store/clickhouse/schema/codes.ts';
import type { TokenCreationRow } from '../store/clickhouse/schema/tables.ts';
import { curveProgress } from './curve-progress.ts';
import type { LatestSwapRow, MarketRow } from './facts.ts';
import { moneyRatio } from './price-string.ts';
import { snapshotBody, type TokenState } from './state.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const JITO_SOL = 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn' as Address;
const AAPLX = 'XsbEhLAtcf6HdfpFZ5xEMdqW8nfAvcsP5bdudRLJzJp' as Address;
const SOL_USD = 142.37;
const TIME = Date.UTC(2026, 7, 1, 10) / 1000;

const place = { slot: 400, block_index: 3, ix_index: 5, time: TIME };

/** 30 SOL against 1,000,000,000 tokens: 0.00000003 SOL each. */
const onCurve: LatestSwapRow = {
  ...place,
  venue: 0,
  pool: '',
  quote_mint: '',
  quote_decimals: 9,
  token_decimals: 6,
  price_quote: 30_000_000_000n,
  price_token: 1_000_000_000_000_000n,
  real_quote_reserves: 12_500_000_000n,
  real_token_reserves: 594_825_000_000_000n,
  reserves_known: true,
};

const inPool: MarketRow = {
  ...onCurve,
  venue: 1,
  pool: address(61),
  virtual_quote_reserves: 12_500_000_000n,
  virtual_token_reserves: 594_825_000_000_000n,
  fee_in_token: false,
};

const creation: TokenCreationRow = {
  ...place,
  mint: address(1),
  signature: new Uint8Array(64),
  partial: false,
  creator: address(7),
  fee_creator: address(7),
  name: 'Example',
  symbol: 'EXMPL',
  uri: '',
  bonding_curve: address(51),
  decimals: 6,
  token_program: '',
  quote_mint: '',
  mayhem: false,
  cashback: false,
  holder_reward: false,
  creator_fee_bps: 0,
  curve_depth: 0,
  virtual_token_reserves: 1_073_000_000_000_000n,
  virtual_quote_reserves: 30_000_000_000n,
  real_token_reserves: 793_100_000_000_000n,
  supply: 1_000_000_000_000_000n,
};

const NOTHING: TokenState = {
  mint: address(1),
  creation: undefined,
  completion: undefined,
  graduation: undefined,
  creatorChange: undefined,
  lastSwap: undefined,
  lastPriced: undefined,
};

function snapshot(state: Partial<TokenState>, solUsd: number | 'unknown' = SOL_USD) {
  const body = snapshotBody({ ...NOTHING, ...state }, solUsd === 'unknown' ? undefined : solUsd);
  return JSON.parse(body.toString());
}

const traded = (swap: LatestSwapRow) => ({ creation, lastSwap: swap, lastPriced: swap });

describe('a token in dollars', () => {
  it('on the curve: SOL per token times SOL, all that was made of it, both sides of what lies there', () => {
    expect(snapshot(traded(onCurve))).toMatchObject({
      last_price: '0.00000003',
      // 0.00000003 × 142.37
      price_usd: '0.0000042711',
      market_cap_usd: '4271.1',
      // 2 × 12.5 × 142.37
      liquidity_usd: '3559.25',
      // (793.1 − 594.825) / 793.1
      curve_progress_pct: 25,
    });
  });

  it('has a supply of two billion in mayhem mode', () => {
    const mayhem = { ...creation, mayhem: true, supply: 2_000_000_000_000_000n };
    expect(snapshot({ ...traded(onCurve), creation: mayhem }).market_cap_usd).toBe('8542.2');
  });

  it('is not valued while the price of SOL is not known, and nothing of it is zero', () => {
    const body = snapshot(traded(onCurve), 'unknown');
    expect(body).not.toHaveProperty('price_usd');
    expect(body).not.toHaveProperty('market_cap_usd');
    expect(body).not.toHaveProperty('liquidity_usd');
    expect(body.last_price).toBe('0.00000003');
  });

  it('needs no price of SOL in a stablecoin', () => {
    const inUsdc = { ...onCurve, quote_mint: USDC, quote_decimals: 6, price_quote: 4_292_000_000n };
    expect(snapshot(traded({ ...inUsdc, real_quote_reserves: 1_234_567_890n }), 'unknown')).toMatchObject({
      last_price: '0',
      last_quote_price: '0.000004292',
      price_usd: '0.000004292',
      market_cap_usd: '4292',
      liquidity_usd: '2469.14',
    });
  });

  it('is not valued in a quote whose own price nobody tells', () => {
    for (const quote of [JITO_SOL, address(31)]) {
      const body = snapshot(traded({ ...onCurve, quote_mint: quote, quote_decimals: 9 }));
      expect(body).not.toHaveProperty('price_usd');
      expect(body).not.toHaveProperty('liquidity_usd');
      expect(body.last_quote_price).toBe('0.00000003');
    }
  });

  it('has no depth where the swap told no reserves, and no cap without a supply', () => {
    const body = snapshot({ lastSwap: onCurve, lastPriced: { ...onCurve, reserves_known: false } });
    expect(body.price_usd).toBe('0.0000042711');
    expect(body).not.toHaveProperty('liquidity_usd');
    expect(body).not.toHaveProperty('market_cap_usd');
  });

  it('values a tokenized share by its stablecoin', () => {
    const share = {
      ...onCurve,
      ...{ venue: 2, pool: address(62), quote_mint: USDC, quote_decimals: 6, token_decimals: 8, reserves_known: false },
      ...{ price_quote: 231_120_000n, price_token: 100_000_000n },
    };
    expect(snapshot({ mint: AAPLX, lastSwap: share, lastPriced: share })).toMatchObject({
      last_price: '231.12',
      last_quote_price: '231.12',
      quote_mint: USDC,
      price_usd: '231.12',
    });
  });
});

describe('the highest price', () => {
  it('is that of the own quote', () => {
    const high = { ...onCurve, price: 9e-5, price_quote: 90_000_000_000n, time: TIME - 60 };
    const other = { ...high, quote_mint: USDC, price: 1, price_quote: 1n, quote_decimals: 6 };
    expect(snapshot({ ...traded(onCurve), highs: [other, high] })).toMatchObject({
      ath_price: '0.00000009',
      ath_at: '2026-08-01T09:59:00Z',
    });
    expect(snapshot({ ...traded(onCurve), highs: [other] })).not.toHaveProperty('ath_price');
  });
});

describe('the progress of a curve', () => {
  const progress = (state: Partial<TokenState>, graduated = false) =>
    curveProgress({ ...NOTHING, ...state }, graduated);
  const left = (real_token_reserves: bigint) => ({ ...onCurve, real_token_reserves });

  it('starts at nothing, ends at all, and is never all before the end', () => {
    expect(progress({ creation })).toBe(0);
    expect(progress({ creation, lastPriced: left(793_100_000_000_000n) })).toBe(0);
    expect(progress({ creation, lastPriced: left(1n) })).toBe(99.99);
    expect(progress({ creation, lastPriced: left(0n), completion: place })).toBe(100);
    expect(progress({ creation, lastPriced: inPool }, true)).toBe(100);
  });

  it('is none of a mayhem curve that holds more than it started with', () => {
    const mayhem = { ...creation, mayhem: true };
    expect(progress({ creation: mayhem, lastPriced: left(900_000_000_000_000n) })).toBe(0);
  });

  it('is unknown where what the curve started with is', () => {
    expect(progress({ lastPriced: onCurve })).toBeUndefined();
    const untold = { ...creation, mayhem: true, real_token_reserves: 0n };
    expect(progress({ creation: untold, lastPriced: onCurve })).toBeUndefined();
    expect(progress({ creation: { ...untold, mayhem: false }, lastPriced: onCurve })).toBe(25);
  });
});

describe('a token that nothing prices but pools of anybody', () => {
  const unpriced = (markets: readonly MarketRow[], more: Partial<TokenState> = {}) => ({
    lastSwap: markets[0],
    markets,
    ...more,
  });
  const shallow = { ...inPool, pool: address(62), real_quote_reserves: 1_000_000_000n, price_quote: 1n };

  it('stands at the price of its deepest pool by quote, whichever traded last', () => {
    for (const markets of [
      [shallow, inPool],
      [inPool, shallow],
    ]) {
      expect(snapshot(unpriced(markets))).toMatchObject({
        last_price: '0.00000003',
        price_usd: '0.0000042711',
        liquidity_usd: '3559.25',
      });
    }
  });

  it('has not graduated by that, and no curve', () => {
    const body = snapshot(unpriced([inPool]));
    for (const field of ['status', 'amm_pool', 'curve_progress_pct']) expect(body).not.toHaveProperty(field);
  });

  it('compares SOL with dollars, and lets other quotes stand behind', () => {
    const dollars = (real_quote_reserves: bigint) => ({
      ...{ ...inPool, pool: address(63), quote_mint: USDC, quote_decimals: 6 },
      real_quote_reserves,
    });
    const other = { ...inPool, pool: address(64), quote_mint: address(31), real_quote_reserves: 10n ** 18n };
    // 12.5 SOL stand for 1,250 dollars.
    expect(snapshot(unpriced([other, dollars(1_249_000_000n), inPool]))).not.toHaveProperty('quote_mint');
    expect(snapshot(unpriced([other, dollars(1_251_000_000n), inPool])).quote_mint).toBe(USDC);
    expect(snapshot(unpriced([other])).quote_mint).toBe(address(31));
  });

  it('does not stand at a pool of which nobody can tell how deep it is, while there is another', () => {
    const untold = { ...inPool, pool: address(62), quote_mint: address(31), quote_decimals: UNKNOWN_DECIMALS };
    const told = { ...inPool, pool: address(63), quote_mint: address(32), real_quote_reserves: 1n };
    expect(snapshot(unpriced([untold, told])).quote_mint).toBe(address(32));
    expect(snapshot(unpriced([untold])).quote_mint).toBe(address(31));
  });

  it('takes an inverted pool as any other, its swaps being turned round already', () => {
    expect(snapshot(unpriced([{ ...inPool, fee_in_token: true }])).last_price).toBe('0.00000003');
  });

  it('is a matter of tokens without a curve: others wait for their own market', () => {
    expect(snapshot(unpriced([inPool], { creation }))).not.toHaveProperty('last_price');
  });

  it('has no price in pools that told no reserves', () => {
    expect(snapshot(unpriced([{ ...inPool, reserves_known: false }]))).not.toHaveProperty('last_price');
  });
});

describe('money', () => {
  it('is printed to the cent', () => {
    expect(moneyRatio(1n, 3n)).toBe('0.33');
    expect(moneyRatio(1n, 200n)).toBe('0.01');
    expect(moneyRatio(1n, 201n)).toBe('0');
    expect(moneyRatio(5n, 2n)).toBe('2.5');
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 24n });
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 1n, max: 10n ** 15n }), (numerator, denominator) => {
        const [whole = '', cents = ''] = moneyRatio(numerator, denominator).split('.');
        const printed = BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'));
        const error = printed * denominator - 100n * numerator;
        expect(2n * (error < 0n ? -error : error)).toBeLessThanOrEqual(denominator);
      }),
    );
  });
});
