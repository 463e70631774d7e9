import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../test/support/answer-schema.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { getToken } from '../features/tokens/contract.ts';
import type { HydratedTokenRow } from '../store/clickhouse/schema/background-tables.ts';
import type { TokenCreationRow } from '../store/clickhouse/schema/tables.ts';
import type { LatestSwapRow } from './facts.ts';
import { foldToken, nameOf, snapshotBody, type TokenState } from './state.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const CREATOR = address(7);

const origin = {
  mint: address(1),
  slot: 351_265_123,
  block_index: 12,
  ix_index: 4,
  time: Date.UTC(2026, 6, 6, 0, 0, 10) / 1000,
  signature: new Uint8Array(64).fill(9),
  partial: false,
};

const swap: LatestSwapRow = {
  ...origin,
  venue: 0,
  pool: '',
  quote_mint: '',
  quote_decimals: 9,
  token_decimals: 6,
  price_quote: 1_000_000_000n,
  price_token: 35_000_000_000_000n,
  real_quote_reserves: 1_000_000_000n,
  real_token_reserves: 758_100_000_000_000n,
  reserves_known: true,
};

const creation: TokenCreationRow = {
  ...origin,
  creator: CREATOR,
  fee_creator: CREATOR,
  name: 'Na"me\u2028\ud800',
  symbol: 'SYM',
  uri: 'https://example.invalid/\\a',
  bonding_curve: address(51),
  decimals: 6,
  token_program: '',
  quote_mint: '',
  mayhem: true,
  cashback: false,
  holder_reward: false,
  creator_fee_bps: 0,
  curve_depth: 0,
  virtual_token_reserves: 0n,
  virtual_quote_reserves: 0n,
  real_token_reserves: 0n,
  supply: 2n * 10n ** 15n,
};

const newborn: TokenState = {
  mint: address(1),
  creation,
  completion: undefined,
  graduation: undefined,
  creatorChange: undefined,
  lastSwap: undefined,
  lastPriced: undefined,
};

describe('a snapshot', () => {
  const snapshot = (state: TokenState, solUsd?: number) => JSON.parse(snapshotBody(state, solUsd).toString());

  it('is a bonding token without price before its first trade, whatever its name holds', () => {
    const body = snapshot(newborn);
    expect(answerFaults(getToken, body)).toEqual([]);
    expect(body).toEqual({
      mint: address(1),
      creator: CREATOR,
      name: 'Na"me',
      symbol: 'SYM',
      uri: creation.uri,
      bonding_curve: address(51),
      created_at: '2026-07-06T00:00:10Z',
      created_slot: 351_265_123,
      decimals: 6,
      status: 'bonding',
      curve_progress_pct: 0,
      mayhem: true,
    });
  });

  it('stays bonding when the curve is full, and graduates with its pool', () => {
    const completed = { ...newborn, completion: origin };
    expect(snapshot(completed)).toMatchObject({ status: 'bonding', complete_at: '2026-07-06T00:00:10Z' });
    const graduated = snapshot({ ...completed, graduation: { ...origin, pool: address(61) } });
    expect(graduated).toMatchObject({
      status: 'graduated',
      amm_pool: address(61),
      graduated_at: '2026-07-06T00:00:10Z',
      complete_at: '2026-07-06T00:00:10Z',
    });
  });

  it('prices a token of another quote in that quote', () => {
    const last = { ...swap, quote_mint: USDC, quote_decimals: 6, price_quote: 15_000n, price_token: 1_000_000n };
    expect(snapshot({ ...newborn, lastSwap: last, lastPriced: last })).toMatchObject({
      last_price: '0',
      quote_mint: USDC,
      quote_symbol: 'USDC',
      quote_decimals: 6,
      last_quote_price: '0.015',
    });
    const high = { ...last, price: 0.015 };
    const priced = snapshot({ ...newborn, lastSwap: last, lastPriced: last, highs: [high] });
    // The zero is no price of the unit that the highest one is in, which is named beside it.
    expect(priced).toMatchObject({ last_price: '0', ath_price: '0.015', ath_symbol: 'USDC' });
    const unlisted = { ...high, quote_mint: address(99) };
    const other = snapshot({ ...newborn, lastSwap: unlisted, lastPriced: unlisted, highs: [unlisted] });
    expect(other).toMatchObject({ ath_price: '0.015', quote_mint: address(99) });
    expect(other).not.toHaveProperty('ath_symbol');
    const inSol = { ...swap, price: 1 / 35_000 };
    expect(snapshot({ ...newborn, lastSwap: inSol, lastPriced: inSol, highs: [inSol] }).ath_symbol).toBe('SOL');
  });

  it('says what is known of a token that was created before the index began', () => {
    const last = { ...swap, venue: 1, pool: address(61) };
    const body = snapshot({ ...newborn, creation: undefined, lastSwap: last, lastPriced: last });
    expect(body).toEqual({
      mint: address(1),
      decimals: 6,
      status: 'graduated',
      curve_progress_pct: 100,
      amm_pool: address(61),
      last_price: '0.000000028571428571',
      last_trade_at: '2026-07-06T00:00:10Z',
      partial: true,
    });
  });

  const hydrated: HydratedTokenRow = {
    ...{ mint: address(1), slot: origin.slot, checked_at: 1, retry_at: 0, found: true, named: true },
    ...{ name: 'Older', symbol: 'OLD', uri: 'https://example.invalid/o', decimals: 6, supply: 10n ** 15n },
    ...{ token_program: address(3), bonding_curve: address(51), complete: false, fee_creator: address(8) },
    ...{ quote_mint: '', mayhem: false, cashback: true, holder_reward: false, creator_fee_bps: 0, curve_depth: 0 },
    pool: '',
  };
  const before: TokenState = { ...newborn, creation: undefined, lastSwap: swap, lastPriced: swap, hydrated };

  it('says of such a token what its accounts tell, and nothing of who launched it and when', () => {
    const body = snapshot(before);
    expect(answerFaults(getToken, body)).toEqual([]);
    expect(body).toEqual({
      ...{ mint: address(1), name: 'Older', symbol: 'OLD', uri: 'https://example.invalid/o', decimals: 6 },
      ...{ fee_creator: address(8), bonding_curve: address(51), status: 'bonding', mayhem: false, cashback: true },
      ...{ last_price: '0.000000028571428571', last_trade_at: '2026-07-06T00:00:10Z', curve_progress_pct: 4.41 },
      // Its first trades are not known, whatever accounts tell.
      partial: true,
    });
  });

  it('takes the pool from the accounts when nothing else tells it, and from no accounts what a fact tells', () => {
    const full = { ...hydrated, complete: true, pool: address(61) };
    expect(snapshot({ ...before, hydrated: full })).toMatchObject({ status: 'graduated', amm_pool: address(61) });
    expect(snapshot({ ...before, creation })).toEqual(snapshot({ ...newborn, lastSwap: swap, lastPriced: swap }));
    const change = { ...origin, creator: address(9) };
    expect(snapshot({ ...before, creatorChange: change }).fee_creator).toBe(address(8));
    const later = { ...change, slot: origin.slot + 1 };
    expect(snapshot({ ...before, creatorChange: later }).fee_creator).toBe(address(9));
  });

  it('leaves out what accounts of a token that never was on the launchpad do not have', () => {
    const other = {
      ...hydrated,
      named: false,
      name: '',
      uri: '',
      bonding_curve: '' as const,
      fee_creator: '' as const,
    };
    const last = { ...swap, venue: 1, pool: address(70) };
    const state = { ...before, hydrated: { ...other, cashback: false }, lastSwap: last, lastPriced: undefined };
    const lastTrade = '2026-07-06T00:00:10Z';
    expect(snapshot(state)).toEqual({ mint: address(1), decimals: 6, last_trade_at: lastTrade, partial: true });
  });

  it('keeps what accounts told while news come in', () => {
    const none = { completions: [], graduations: [], creatorChanges: [], swaps: [] };
    const folded = foldToken(before, { ...none, creations: [] });
    expect(snapshot(folded)).toEqual(snapshot(before));
    expect(snapshot(foldToken(folded, { ...none, creations: [creation] })).name).toBe('Na"me');
  });

  it('names a tokenized share as the registry does, in its holders too', () => {
    const mint = 'XsbEhLAtcf6HdfpFZ5xEMdqW8nfAvcsP5bdudRLJzJp' as Address;
    const names = { symbol: 'AAPLx', name: expect.stringContaining('Apple') };
    const state = { ...newborn, mint, creation: undefined };
    expect(snapshot(state)).toEqual({ mint, ...names, partial: true });
    expect(JSON.parse(JSON.stringify(nameOf(state)))).toMatchObject(names);
  });

  it('names who earns the fees once it is somebody else', () => {
    const change = { ...origin, creator: address(73) };
    expect(snapshot({ ...newborn, creatorChange: change })).toMatchObject({
      creator: CREATOR,
      fee_creator: address(73),
    });
  });
});
