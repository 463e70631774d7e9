import { describe, expect, it } from 'vitest';
import { address } from '../../../test/support/token-world-rows.ts';
import { UNKNOWN_DECIMALS } from '../../store/clickhouse/schema/codes.ts';
import { cutTicks, type TickSubject, ticksBody } from './tick-page.ts';
import type { TickRow } from './tick-reads.ts';

const CREATOR = address(21);
const OTHER_COIN = address(31);
const SUBJECT: TickSubject = { mint: address(11), quote: OTHER_COIN, quoteDecimals: undefined, creator: CREATOR };

function tick(slot: number, change: Partial<TickRow> = {}): TickRow {
  return {
    slot,
    block_index: 1,
    ix_index: 2,
    time: 1_790_000_000,
    venue: 0,
    trader: address(22),
    is_buy: true,
    quote_mint: OTHER_COIN,
    quote_decimals: UNKNOWN_DECIMALS,
    token_decimals: 6,
    quote_amount: 12_345_678n,
    price_quote: 12_345_678n,
    price_token: 1_000_000_000n,
    ...change,
  };
}

function answer(
  rows: readonly TickRow[],
  subject: TickSubject = SUBJECT,
  cursors: { before?: string; after?: string } = {},
) {
  const page = { quote: undefined, before: cursors.before, after: cursors.after, limit: 2 };
  return JSON.parse(ticksBody(subject, cutTicks({ rows, complete: true }, page)!, page).toString());
}

describe('ticks', () => {
  it('are in raw quote units while nobody knows the decimals of the quote', () => {
    const body = answer([tick(5)]);
    expect(body).toMatchObject({ quote_mint: OTHER_COIN, a: [12_345_678], p: [12_345.678] });
    expect(body).not.toHaveProperty('quote_decimals');
  });

  it('are in whole units as soon as anything tells the decimals: a swap of the page, or the token', () => {
    const told = { quote_decimals: 4, a: [1_234.5678, 1_234.5678], p: [1.2345678, 1.2345678] };
    expect(answer([tick(5, { quote_decimals: 4 }), tick(6)])).toMatchObject(told);
    expect(answer([tick(5), tick(6)], { ...SUBJECT, quoteDecimals: 4 })).toMatchObject(told);
    expect(answer([], { ...SUBJECT, quoteDecimals: 4 })).toMatchObject({ quote_decimals: 4, t: [] });
  });

  it('point out the creator, and the swaps of one second in milliseconds of it', () => {
    const body = answer([tick(5, { trader: CREATOR, is_buy: false }), tick(6)]);
    expect(body).toMatchObject({ dev: [0], s: [0, 1], t: [1_790_000_000_000, 1_790_000_000_000] });
  });

  it('are walked back by `older` until history starts, and caught up on by `newer`, which an empty page repeats', () => {
    const rows = [5, 6, 7].map((slot) => tick(slot));
    const newest = answer(rows);
    expect([newest.t.length, newest.history_start]).toEqual([2, false]);
    const oldest = answer(rows, SUBJECT, { before: newest.older });
    expect([oldest.t.length, oldest.history_start]).toEqual([1, true]);
    expect(answer(rows, SUBJECT, { before: oldest.older })).toMatchObject({ older: oldest.older, history_start: true });
    const caughtUp = answer(rows, SUBJECT, { after: newest.newer });
    expect(caughtUp).toMatchObject({ t: [], newer: newest.newer, history_start: false });
    expect(answer([...rows, tick(9)], SUBJECT, { after: caughtUp.newer }).t).toHaveLength(1);
    expect(answer(rows, SUBJECT, { after: oldest.older })).toMatchObject({ newer: newest.newer, history_start: false });
  });
});
