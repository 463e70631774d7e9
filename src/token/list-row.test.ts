import { describe, expect, it } from 'vitest';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import type { LatestSwapRow } from './facts.ts';
import { listRow } from './list-row.ts';

const NOW = 1_790_000_000;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

function rowOf(quote_mint: Address | '', quote_decimals: number) {
  const swap = {
    ...{ slot: 9, block_index: 0, ix_index: 0, time: NOW, venue: 0, pool: '', quote_mint, quote_decimals },
    ...{ token_decimals: 6, price_quote: 30n, price_token: 1_000n },
    ...{ real_quote_reserves: 1n, real_token_reserves: 1n, reserves_known: true },
  } satisfies LatestSwapRow;
  const facts = {
    ...{ creation: undefined, completion: undefined, graduation: undefined, creatorChange: undefined },
    ...{ lastSwap: swap, lastPriced: swap },
  };
  const own = { quote_mint, volume: 77n, beforeFive: 0, beforeHour: 0 };
  return listRow(
    { mint: address(1), facts, traders: { count: 2, quotes: 1, quote: quote_mint, wallets: undefined } },
    { now: NOW, trades: 2, quotes: [own] },
    150,
  );
}

describe('the volume of a list row', () => {
  it.each([
    ['lamports', '', 9, 'SOL', 9],
    ['millionths of a dollar', USDC, 6, 'USDC', 6],
    ['units of a quote that no list names', address(99), 4, undefined, 4],
    ['units of which nobody told how many make a whole', address(99), 255, undefined, undefined],
  ] as const)('says that it is counted in %s', (_what, quote, decimals, symbol, told) => {
    const row = rowOf(quote as Address | '', decimals);
    expect(row).toMatchObject({ vol_1h: '77', trades_1h: 2 });
    expect([row.vol_1h_symbol, row.vol_1h_decimals]).toEqual([symbol, told]);
    expect(row.quote_mint).toBe(quote === '' ? undefined : quote);
  });
});
