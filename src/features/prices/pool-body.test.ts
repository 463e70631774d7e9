import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { MarketRow } from '../../token/facts.ts';
import { listPools } from './contract.ts';
import { poolStates, poolsBody } from './pool-body.ts';
import { MAX_POOLS, type PoolFacts, type PoolLiquidityRow, type PoolMadeRow } from './pool-reads.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const TIME = Date.UTC(2026, 7, 1, 10) / 1000;
const POOL = address(61);
const SIDE = address(62);

const at = (slot: number) => ({ slot, block_index: 3, ix_index: 5, time: TIME });

const made: PoolMadeRow = {
  ...at(100),
  pool: SIDE,
  partial: false,
  quote_mint: '',
  inverted: false,
  canonical: false,
  creator: address(7),
  quote_decimals: 9,
  token_amount: 4_000_000n,
  quote_amount: 2_000_000_000n,
};

const newest: MarketRow = {
  ...at(200),
  venue: 1,
  pool: POOL,
  quote_mint: '',
  quote_decimals: 9,
  token_decimals: 6,
  price_quote: 1_000n,
  price_token: 1_000_000n,
  virtual_quote_reserves: 60_000_000_000n,
  virtual_token_reserves: 200_000_000_000_000n,
  real_quote_reserves: 50_000_000_000n,
  real_token_reserves: 200_000_000_000_000n,
  reserves_known: true,
  fee_in_token: false,
};

const change = (slot: number, more: Partial<PoolLiquidityRow> = {}): PoolLiquidityRow => ({
  ...at(slot),
  pool: POOL,
  is_deposit: true,
  token_amount: 1_000n,
  quote_amount: 700n,
  ...more,
});

const NONE: PoolFacts = { markets: [], made: [], liquidity: [], accounts: [], slot: 0 };

function rows(facts: Partial<PoolFacts>, canonical: Address | '' = '', solUsd: number | undefined = 100) {
  const body = JSON.parse(poolsBody(poolStates({ ...NONE, ...facts }, canonical), solUsd).toString());
  expect(answerFaults(listPools, body)).toEqual([]);
  return body.data;
}

describe('the pools of a token', () => {
  it('tell what their newest swap left, what it was worth, and which one is canonical', () => {
    expect(rows({ markets: [newest] }, POOL)).toEqual([
      {
        pool: POOL,
        venue: 1,
        canonical: true,
        price: '0.000001',
        price_usd: '0.0001',
        quote_reserves: '50000000000',
        token_reserves: '200000000000000',
        v_quote_reserves: '60000000000',
        liquidity_usd: '10000',
        last_trade_at: '2026-08-01T10:00:00Z',
        last_slot: 200,
      },
    ]);
  });

  it('tell what one was made with until it trades', () => {
    expect(rows({ made: [made] })).toEqual([
      {
        pool: SIDE,
        venue: 1,
        canonical: false,
        creator: address(7),
        created_at: '2026-08-01T10:00:00Z',
        created_slot: 100,
        quote_reserves: '2000000000',
        token_reserves: '4000000',
        liquidity_usd: '400',
      },
    ]);
  });

  it('count what was put in and taken out since, and nothing from before', () => {
    const liquidity = [
      change(205, { is_deposit: false, token_amount: 3n, quote_amount: 2n }),
      change(201),
      change(199, { quote_amount: 10n ** 15n }),
      change(300, { pool: SIDE, quote_amount: 5n, token_amount: 5n }),
    ];
    const [deep, side] = rows({ markets: [newest], made: [made], liquidity });
    expect(deep).toMatchObject({ quote_reserves: '50000000698', token_reserves: '200000000000997' });
    expect(deep.v_quote_reserves).toBe('60000000698');
    expect(side).toMatchObject({ quote_reserves: '2000000005', token_reserves: '4000005' });
  });

  it('are never below nothing', () => {
    const drained = change(201, { is_deposit: false, quote_amount: 10n ** 12n, token_amount: 10n ** 18n });
    expect(rows({ markets: [newest], liquidity: [drained] })[0]).toMatchObject({
      quote_reserves: '0',
      token_reserves: '0',
      liquidity_usd: '0',
    });
  });

  it('are known by their accounts where nobody saw them made', () => {
    const account = { pool: POOL, quote_mint: '' as const, inverted: true, canonical: false, creator: address(9) };
    expect(rows({ markets: [newest], accounts: [account] })[0]).toMatchObject({ inverted: true, creator: address(9) });
    expect(rows({ markets: [{ ...newest, fee_in_token: true }] })[0]).toMatchObject({ inverted: true });
  });

  it('stand in order of depth: SOL and dollars, then other quotes, then what told no reserves', () => {
    const dollars = {
      ...newest,
      pool: address(63),
      quote_mint: USDC,
      quote_decimals: 6,
      real_quote_reserves: 10n ** 10n,
    };
    const other = { ...newest, pool: address(64), quote_mint: address(31), real_quote_reserves: 10n ** 18n };
    const untold = { ...newest, pool: address(65), venue: 2, reserves_known: false };
    const order = rows({ markets: [untold, other, newest, dollars], made: [made] }).map(
      ({ pool }: { pool: Address }) => pool,
    );
    expect(order).toEqual([dollars.pool, POOL, SIDE, other.pool, untold.pool]);
  });

  it('leave the curve out, and no more than a hundred', () => {
    const curve = { ...newest, pool: '' as const, venue: 0 };
    const many = Array.from({ length: 150 }, (_, i) => ({ ...newest, pool: address(300 + i) }));
    expect(rows({ markets: [curve] })).toEqual([]);
    expect(rows({ markets: [curve, ...many] })).toHaveLength(MAX_POOLS);
  });

  it('are not valued while the price of SOL is not known', () => {
    const body = JSON.parse(poolsBody(poolStates({ ...NONE, markets: [newest] }, ''), undefined).toString());
    expect(body.data[0]).not.toHaveProperty('price_usd');
    expect(body.data[0]).not.toHaveProperty('liquidity_usd');
  });
});
