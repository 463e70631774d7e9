import { describe, expect, it } from 'vitest';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { HoldingRow, PositionRow } from '../../store/clickhouse/schema/tables.ts';
import type { LatestSwapRow } from '../../token/facts.ts';
import type { TokenState } from '../../token/state.ts';
import { holdersBody, rankHolders } from './holder-body.ts';

const MINT = address(11);
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
/** Listed by the registry. */
const LAUNCHPAD = 'BwWK17cbHxwWBKZkUYvzxLcNQ1YVyaFezduWbtm2de6s' as Address;
const [ONE, BOTH] = [address(21), address(22)];

/** A token that stands at 0.002 of a quote. */
function tokenPricedIn(quote: Address | '', quoteDecimals: number): TokenState {
  const lastPriced: LatestSwapRow = {
    slot: 5,
    block_index: 0,
    ix_index: 0,
    time: 1_790_000_000,
    venue: 0,
    pool: '',
    quote_mint: quote,
    quote_decimals: quoteDecimals,
    token_decimals: 6,
    price_quote: 2n * 10n ** BigInt(quoteDecimals),
    price_token: 10n ** 9n,
    real_quote_reserves: 0n,
    real_token_reserves: 0n,
    reserves_known: false,
  };
  const nothing = { creation: undefined, completion: undefined, graduation: undefined, creatorChange: undefined };
  return { mint: MINT, ...nothing, lastSwap: lastPriced, lastPriced };
}

function position(trader: Address, quote: Address | ''): PositionRow {
  return {
    mint: MINT,
    quote_mint: quote,
    trader,
    slot: 4,
    block_index: 0,
    ix_index: 0,
    token_balance: 400_000_000n,
    tokens_bought: 1_000_000_000n,
    tokens_sold: 600_000_000n,
    quote_invested: 3_000_000n,
    quote_received: 2_400_000n,
    basis: 1_200_000n,
    basis_tokens: 400_000_000n,
    realized_pnl: 600_000n,
    pnl_known: true,
    buys: 2,
    sells: 1,
    first_time: 1_789_990_000,
    first_slot: 2,
    last_time: 1_789_999_000,
  };
}

/** A holding of the same wallet that moved nothing yet. */
function holding(wallet: Address, more: Partial<HoldingRow> = {}): HoldingRow {
  const { trader: _trader, tokens_bought: _bought, tokens_sold: _sold, ...same } = position(wallet, '');
  const { token_balance, quote_invested: _in, quote_received: _out, buys: _buys, sells: _sells, ...folded } = same;
  const moved = { received: 0n, sent: 0n, burnt: 0n, provided: 0n, unexplained: 0n, moves: 1, quotes: 1 };
  const known = { estimate_known: true, balance_known: true, whole: true };
  return { ...folded, wallet, estimate: token_balance, balance: token_balance, ...moved, ...known, ...more };
}

const ESTIMATE = { source: 'swap_estimate', partial: false } as const;

const rows = (token: TokenState, positions: readonly PositionRow[], holdings: readonly HoldingRow[] = []) => {
  const ranked = rankHolders(positions, new Map(holdings.map((row) => [row.wallet, row])));
  return JSON.parse(holdersBody(token, ranked, ESTIMATE).toString()).data;
};

describe('a holder', () => {
  it('is told in the quote that they trade in', () => {
    expect(rows(tokenPricedIn(USDC, 6), [position(ONE, USDC)])).toEqual([
      expect.objectContaining({
        sol_invested: '3000000',
        realized_pnl: '600000',
        avg_cost: '0.003',
        current_price: '0.002',
        quote_mint: USDC,
        quote_symbol: 'USDC',
        quote_decimals: 6,
      }),
    ]);
  });

  it('is told no price in a quote that they do not trade in', () => {
    const [inSol] = rows(tokenPricedIn(USDC, 6), [position(ONE, '')]);
    expect(inSol).toMatchObject({ realized_pnl: '600000', avg_cost: '0.000003' });
    expect(inSol).not.toHaveProperty('current_price');
    const [inDollars] = rows(tokenPricedIn('', 9), [position(ONE, USDC)]);
    expect(inDollars).toMatchObject({ quote_mint: USDC, avg_cost: '0.003' });
    expect(inDollars).not.toHaveProperty('current_price');
  });

  it('has no costs and no profit over several quotes, but one balance', () => {
    const [row] = rows(tokenPricedIn('', 9), [position(BOTH, ''), position(BOTH, USDC), position(ONE, '')]);
    expect(row).toMatchObject({ trader: BOTH, token_balance: '800000000', trade_count: 6, current_price: '0.002' });
    for (const field of ['sol_invested', 'sol_received', 'realized_pnl', 'avg_cost', 'quote_mint']) {
      expect(row).not.toHaveProperty(field);
    }
  });

  it('has an unknown profit once tokens without a cost were sold', () => {
    const costless = holding(ONE, { pnl_known: false, basis: 0n, basis_tokens: 0n });
    const [row] = rows(tokenPricedIn('', 9), [position(ONE, '')], [costless]);
    expect(row).toMatchObject({ sol_invested: '3000000', sol_received: '2400000', token_balance: '400000000' });
    expect(row).not.toHaveProperty('realized_pnl');
    expect(row).not.toHaveProperty('avg_cost');
  });

  it('has what its holding says, and the profit of everything in order', () => {
    const kept = holding(ONE, { estimate: 450_000_000n, balance: 50n, realized_pnl: 7n, basis: 9n, basis_tokens: 50n });
    const [row] = rows(tokenPricedIn('', 9), [position(ONE, '')], [kept]);
    // Sends are in the balance and not in the estimate.
    expect(row).toMatchObject({ token_balance: '450000000', realized_pnl: '7', tokens_bought: '1000000000' });
  });

  it('may never have traded: a router keeps what it was not seen to buy', () => {
    const router = holding(BOTH, { estimate: 900n, basis: 0n, basis_tokens: 0n, quotes: 0 });
    const [row, ...rest] = rows(tokenPricedIn('', 9), [], [router]);
    expect(rest).toEqual([]);
    expect(row).toMatchObject({ trader: BOTH, token_balance: '900', tokens_bought: '0', trade_count: 0 });
    for (const field of ['first_trade_at', 'last_trade_at', 'avg_cost', 'sol_invested', 'partial']) {
      expect(row).not.toHaveProperty(field);
    }
  });

  it('is left out while what it holds is not known, by its trades or its holding', () => {
    const dipped = { ...position(ONE, ''), basis_tokens: 500_000_000n };
    const unknown = holding(BOTH, { estimate_known: false });
    expect(rows(tokenPricedIn('', 9), [dipped, position(BOTH, '')], [unknown])).toEqual([]);
    // What was sold beyond what was seen bought had come without a trade.
    expect(rows(tokenPricedIn('', 9), [dipped], [holding(ONE)])).toHaveLength(1);
  });

  it('is none of those by which the launchpad itself acts', () => {
    expect(rows(tokenPricedIn('', 9), [], [holding(LAUNCHPAD)])).toEqual([]);
  });
});
