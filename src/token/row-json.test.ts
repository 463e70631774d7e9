import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../test/support/answer-schema.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { listSwaps } from '../features/trades/contract.ts';
import type { AttemptRow, SwapRow, TransferRow } from '../store/clickhouse/schema/tables.ts';
import { attemptJson, ROUTER_SINCE, swapJson, transferJson } from './row-json.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address;
const CREATOR = address(7);

const origin = {
  mint: address(1),
  slot: 351_265_123,
  block_index: 12,
  ix_index: 4,
  time: ROUTER_SINCE + 10,
  signature: new Uint8Array(64).fill(9),
  partial: false,
};

const transaction = {
  fee_payer: address(3),
  router: '' as const,
  tip: 0n,
  tip_wallet: '' as const,
  cu_price: 1_000n,
  cu_limit: 200_000,
  priority_fee: 200n,
  budget_source: 0,
  network_fee: 5_200n,
  signatures: 1,
};

const swap: SwapRow = {
  ...origin,
  ...transaction,
  venue: 0,
  pool: '',
  trader: address(2),
  is_buy: true,
  quote_mint: '',
  quote_decimals: 9,
  token_decimals: 6,
  quote_amount: 1_000_000_000n,
  token_amount: 35_000_000_000_000n,
  price_quote: 1_000_000_000n,
  price_token: 35_000_000_000_000n,
  price: 1 / 35_000,
  fee: 10n,
  creator_fee: 5n,
  lp_fee: 2n,
  fee_in_token: false,
  fee_creator: '',
  virtual_quote_reserves: 31n,
  virtual_token_reserves: 32n,
  real_quote_reserves: 33n,
  real_token_reserves: 34n,
  reserves_known: true,
  priced: true,
  protocol_actor: false,
  bundled: 1,
};

const attempt: AttemptRow = {
  ...origin,
  ...transaction,
  venue: 0,
  trader: address(2),
  side: 1,
  outcome: 1,
  tip_payable: 0n,
  signatures: 1,
  why: 'TooMuch"SolRequired',
  error_code: 6_002,
  program: address(5),
};

const transfer: TransferRow = {
  ...origin,
  sender: address(2),
  receiver: address(4),
  amount: 77n,
  decimals: 6,
  ambiguous: false,
  hidden: false,
};

/** A row as a client reads it, held against the contract of the route. */
function read(json: string): Record<string, unknown> {
  const row = JSON.parse(json);
  expect(answerFaults(listSwaps, { data: [row] })).toEqual([]);
  return row;
}

const ofSwap = (changes: Partial<SwapRow>, creator: Address | undefined = CREATOR) =>
  read(swapJson({ ...swap, ...changes }, creator));

describe('a swap row', () => {
  it('has every field of a direct curve buy in SOL, and no others', () => {
    expect(ofSwap({})).toEqual({
      time: '2026-07-06T00:00:10Z',
      mint: address(1),
      trader: address(2),
      is_buy: true,
      sol_amount: '1000000000',
      token_amount: '35000000000000',
      price: '0.000000028571428571',
      fee: '10',
      creator_fee: '5',
      lp_fee: '2',
      creator: CREATOR,
      tip: '0',
      v_sol_reserves: '31',
      v_token_reserves: '32',
      real_sol_reserves: '33',
      real_token_reserves: '34',
      fee_payer: address(3),
      cu_price: '1000',
      cu_limit: '200000',
      priority_fee: '200',
      slot: 351_265_123,
      block_index: 12,
      ix_index: 4,
      sig: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{87,88}$/),
      bundled: true,
      venue: 0,
      priced: true,
    });
  });

  it('says which swap of a transaction stands for its tip: the one that paid the fee of the network', () => {
    const tip = { tip: 12n, tip_wallet: address(6) };
    expect(ofSwap(tip)).not.toHaveProperty('tip_repeated');
    expect(ofSwap({ ...tip, network_fee: 0n })).toMatchObject({ tip: '12', tip_repeated: true });
    expect(ofSwap({ network_fee: 0n })).not.toHaveProperty('tip_repeated');
  });

  it('names the pool on the AMM alone, and says whether its price counts', () => {
    expect(ofSwap({ venue: 1, pool: address(44), priced: false })).toMatchObject({ pool: address(44), priced: false });
    expect(ofSwap({ venue: 0, pool: address(44) })).not.toHaveProperty('pool');
    expect(ofSwap({ venue: 1, pool: '' })).toMatchObject({ priced: true });
    expect(ofSwap({ venue: 1, pool: '' })).not.toHaveProperty('pool');
  });

  it('gives a curve row of another quote its quote fields, and no SOL amount or price', () => {
    const row = ofSwap({ quote_mint: USDC, quote_decimals: 6, quote_amount: 25n });
    expect(row).toMatchObject({ sol_amount: '0', price: '0', fee: '10', creator_fee: '5', lp_fee: '2' });
    expect(row).toMatchObject({ quote_mint: USDC, quote_amount: '25', quote_symbol: 'USDC', quote_decimals: 6 });
  });

  it('shows no fees on an AMM row of another quote, and all of them on one in SOL', () => {
    const other = ofSwap({ venue: 1, quote_mint: USDC, quote_decimals: 6 });
    expect(other).toMatchObject({ fee: '0', creator_fee: '0', lp_fee: '0', sol_amount: '0', price: '0' });
    expect(ofSwap({ venue: 1 })).toMatchObject({ fee: '10', creator_fee: '5', lp_fee: '2', sol_amount: '1000000000' });
  });

  it('names the token as what the fees are in, where a pool charges them in it, and only beside fees', () => {
    const inToken = { venue: 1, fee_in_token: true };
    expect(ofSwap(inToken)).toMatchObject({ fee: '10', creator_fee: '5', lp_fee: '2', fee_mint: ofSwap({}).mint });
    expect(ofSwap({ venue: 1 })).not.toHaveProperty('fee_mint');
    expect(ofSwap({ ...inToken, quote_mint: USDC, quote_decimals: 6 })).not.toHaveProperty('fee_mint');
  });

  it('repeats the quote of an equity as sol_amount, with its price in dollars per share', () => {
    const row = ofSwap({
      venue: 2,
      quote_mint: USDC,
      quote_decimals: 6,
      token_decimals: 8,
      quote_amount: 301_500_000n,
      price_quote: 301_500_000n,
      price_token: 200_000_000n,
    });
    expect(row).toMatchObject({ sol_amount: '301500000', quote_amount: '301500000', price: '150.75', fee: '10' });
  });

  it('leaves out decimals, symbol and price that nobody knows', () => {
    const row = ofSwap({ quote_mint: address(99), quote_decimals: 255 });
    expect(row).not.toHaveProperty('quote_decimals');
    expect(row).not.toHaveProperty('quote_symbol');
    expect(ofSwap({ token_decimals: 255 })).not.toHaveProperty('price');
  });

  it('tells the compute budget on the curve alone', () => {
    const budget = { cu_price: 9n, cu_limit: 7, priority_fee: 5n, budget_source: 1 };
    expect(ofSwap(budget)).toMatchObject({ cu_price: '9', cu_limit: '7', priority_fee: '5', budget_source: 1 });
    for (const venue of [1, 2]) {
      const row = ofSwap({ ...budget, venue });
      expect(row).toMatchObject({ cu_price: '0', cu_limit: '0', priority_fee: '0' });
      expect(row).not.toHaveProperty('budget_source');
    }
    expect(ofSwap({})).not.toHaveProperty('budget_source');
  });

  it('names the router since the day it was first recorded, and its platform in all history', () => {
    expect(ofSwap({ router: JUPITER })).toMatchObject({ router: JUPITER, router_name: expect.any(String) });
    const old = ofSwap({ router: JUPITER, time: ROUTER_SINCE - 1 });
    expect(old).not.toHaveProperty('router');
    expect(old).toHaveProperty('router_name');
    expect(ofSwap({ router: address(98) })).not.toHaveProperty('router_name');
    const ofAttempt = (time: number) => read(attemptJson({ ...attempt, router: JUPITER, time }, undefined));
    expect(ofAttempt(ROUTER_SINCE)).toMatchObject({ router: JUPITER, router_name: expect.any(String) });
    for (const time of [ROUTER_SINCE - 1, 0]) {
      expect(ofAttempt(time)).not.toHaveProperty('router');
      expect(ofAttempt(time)).toHaveProperty('router_name');
    }
  });

  it('omits what partial input cannot know, and says that it is partial', () => {
    const row = ofSwap({ partial: true, bundled: 2, reserves_known: false, time: 0 });
    expect(row).toMatchObject({ partial: true });
    for (const field of ['bundled', 'v_sol_reserves', 'real_token_reserves', 'time']) {
      expect(row).not.toHaveProperty(field);
    }
    expect(read(swapJson(swap, undefined))).not.toHaveProperty('creator');
  });

  it('tells tips and who earns the fees', () => {
    const row = ofSwap({ tip: 12n, tip_wallet: address(6), fee_creator: address(8), bundled: 0 });
    expect(row).toMatchObject({ tip: '12', tip_wallet: address(6), fee_creator: address(8), bundled: false });
  });
});

describe('rows between the swaps', () => {
  it('tell a reverted attempt without amounts and price', () => {
    const row = read(attemptJson(attempt, CREATOR));
    expect(row).toMatchObject({
      failed: true,
      is_buy: true,
      bundled: false,
      outcome: 'rejected',
      why: 'TooMuch"SolRequired',
      error_code: 6_002,
      network_fee: '5200',
    });
    for (const field of ['sol_amount', 'token_amount', 'price']) expect(row).not.toHaveProperty(field);
    const unknown = read(
      attemptJson({ ...attempt, side: 2, outcome: 3, why: '', error_code: 0, program: '' }, undefined),
    );
    expect(unknown).toMatchObject({ outcome: 'failed_unknown' });
    const refused = attemptJson({ ...attempt, outcome: 3, why: '', error_code: 1, program: '' }, undefined);
    // Stored as none: a code tells that there was a program.
    expect(read(refused).program).toBe('11111111111111111111111111111111');
    for (const field of ['is_buy', 'why', 'error_code', 'program']) expect(unknown).not.toHaveProperty(field);
  });

  it('tell a send by its two sides', () => {
    const row = read(transferJson(transfer));
    expect(row).toMatchObject({ transfer: true, trader: address(2), to: address(4), token_amount: '77' });
    expect(row).not.toHaveProperty('ambiguous');
    expect(read(transferJson({ ...transfer, ambiguous: true }))).toMatchObject({ ambiguous: true });
  });
});
