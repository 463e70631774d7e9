import { describe, expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import { EQUITIES, QUOTE_MINTS } from '../../programs/registry/index.ts';
import type { EquityStepRow } from './equity-reads.ts';
import { equityRow, type KnownEquity, tickerOf } from './equity-rules.ts';
import type { ClosingPrice } from './outside.ts';

/** An afternoon in New York, of a Wednesday. */
const NOW = Date.parse('2026-11-25T19:00:00Z') / 1_000;
const listed = EQUITIES.find(({ symbol }) => symbol === 'AAPLx')!;
const usdc = QUOTE_MINTS.find(({ symbol }) => symbol === 'USDC')!.mint;
const step = (number: number, at: bigint, dollars: number): EquityStepRow => ({
  ...{ mint: listed.mint, quote_mint: usdc as Address | '', step: number, at, price: dollars / 100 },
  ...{ volume: 5_000_000n, trades: 1n },
});
const mint = { supply: 100_000_000_000n, decimals: 8, scaling: undefined, readAt: NOW * 1_000 };
const close: ClosingPrice = { usd: 200, date: '2026-11-24' };
const known: KnownEquity = { listed, steps: [step(47, 9n, 202)], latest: undefined, mint, close, image: undefined };
const rowOf = (changes: Partial<KnownEquity>) => equityRow({ ...known, ...changes }, { now: NOW, since: undefined });

describe('the row of a tokenized share', () => {
  it('compares what a share costs here with its last close', () => {
    expect(rowOf({})).toMatchObject({
      ...{ last_price_usd: '202', supply: 1_000, multiplier: 1, market: 'open', vol_usd_24h: 5, trades_24h: 1 },
      ...{ underlying_close_usd: '200', underlying_close_date: '2026-11-24', premium_pct: 1, spark: [202] },
    });
    const scaling = { multiplier: 1.01, nextMultiplier: 10.1, nextFrom: BigInt(NOW + 1) };
    expect(rowOf({ mint: { ...mint, scaling } })).toMatchObject({ multiplier: 1.01, premium_pct: 0 });
    const closed = BigInt(Date.parse('2026-11-24T21:00:00Z') / 1_000);
    expect(rowOf({ mint: { ...mint, scaling: { ...scaling, nextFrom: closed } } })).toMatchObject({
      ...{ multiplier: 10.1, premium_pct: -90, supply: 1_000 },
    });
    // As it was kept from before that close: nobody has seen since whether it split.
    const [kept, read] = [-1, 0].map((before) => rowOf({ mint: { ...mint, readAt: Number(closed) * 1_000 + before } }));
    expect(kept).toMatchObject({ multiplier: 1, supply: 1_000, supply_as_of: '2026-11-24T20:59:59.999Z' });
    expect([kept!.premium_pct, read!.premium_pct]).toEqual([undefined, 1]);
    // Ten for one behind that close, which is of shares from before it.
    for (const nextFrom of [closed + 1n, BigInt(NOW)]) {
      expect(rowOf({ mint: { ...mint, scaling: { ...scaling, nextFrom } } })).toMatchObject({
        ...{ multiplier: 10.1, premium_pct: undefined, underlying_close_usd: '200' },
      });
    }
  });

  it.each<[string, Partial<KnownEquity>]>([
    ['the mint was not read', { mint: undefined }],
    ['the chain told but a part of the mint', { mint: { ...mint, scaling: 'unknown' } }],
    ['it was not traded in a day', { steps: [step(23, 9n, 202)] }],
    ['it was never traded', { steps: [] }],
    ['nobody tells a close', { close: undefined }],
    ['the close is of over a week ago', { close: { usd: 200, date: '2026-11-17' } }],
    ['the close is to come', { close: { usd: 200, date: '2026-11-26' } }],
    // The clock on the wall may have it where the chain stands.
    ['the close is of a session that is under way on the chain', { close: { usd: 200, date: '2026-11-25' } }],
    ['the last price is over twice that of before', { steps: [step(40, 8n, 100), step(47, 9n, 202)] }],
    ['the last price is under half of that of before', { steps: [step(40, 8n, 405), step(47, 9n, 202)] }],
    ['it was that of a day ago', { steps: [step(20, 8n, 405), step(47, 9n, 202)] }],
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY].map((multiplier): [string, Partial<KnownEquity>] => [
      `the issuer says that ${multiplier} shares are one token`,
      { mint: { ...mint, scaling: { multiplier, nextMultiplier: multiplier, nextFrom: 0n } } },
    ]),
  ])('compares nothing where %s', (_, changes) => {
    expect(rowOf(changes).premium_pct).toBeUndefined();
  });

  it('compares what most was paid, whatever else single trades were', () => {
    const dear = { ...step(41, 8n, 100_000), volume: 4_999_999n };
    expect(rowOf({ steps: [step(40, 7n, 210), dear, step(47, 9n, 202)] }).premium_pct).toBe(1);
    const most = { ...dear, volume: 5_000_001n * 100n };
    expect(rowOf({ steps: [step(40, 7n, 210), most, step(47, 9n, 202)] }).premium_pct).toBeUndefined();
    expect(rowOf({ steps: [step(40, 8n, 101), step(47, 9n, 202)] }).premium_pct).toBe(1);
  });

  it('tells no close that is too old', () => {
    expect(rowOf({ close: { usd: 200, date: '2026-11-18' } }).underlying_close_usd).toBe('200');
    expect(rowOf({ close: { usd: 200, date: '2026-11-17' } })).toMatchObject({
      ...{ underlying_close_usd: undefined, underlying_close_date: undefined },
    });
  });

  it('has the last price by place, though the block of another tells a later time', () => {
    const steps = [step(30, 8n, 210), step(40, 7n, 190), step(20, 5n, 205)];
    const { spark, spark_prev, change_24h } = rowOf({ steps });
    expect(spark).toEqual(Array.from({ length: 24 }, (_, point) => (point < 6 ? 205 : 210)));
    expect(spark_prev).toEqual([205, 205, 205, 205]);
    expect(change_24h).toBe(2.44);
  });

  it('takes the decimals of the chain before those of a list, and those of a trade where neither tells', () => {
    const latest = { ...{ mint: listed.mint, at: 9n, time: NOW }, price_quote: 2n, price_token: 1n, token_decimals: 6 };
    const unlisted = { ...listed, decimals: undefined } as unknown as typeof listed;
    expect(rowOf({ mint: { ...mint, decimals: 5 }, latest }).decimals).toBe(5);
    expect(rowOf({ mint: undefined, latest }).decimals).toBe(8);
    expect(rowOf({ listed: unlisted, mint: undefined, latest }).decimals).toBe(6);
    const unknown = rowOf({ listed: unlisted, mint: undefined });
    expect([unknown.decimals, unknown.last_price_usd, unknown.spark]).toEqual([undefined, undefined, undefined]);
    expect(unknown.trades_24h).toBe(1);
  });

  it('has a ticker where the share is listed in the United States', () => {
    const tickers = EQUITIES.map((each) => tickerOf(each));
    expect(tickers.filter((ticker) => ticker === undefined)).toHaveLength(5);
    expect(tickers).toContain('BRK.B');
    expect(tickerOf({ underlying: 'SpaceX (private)' })).toBeUndefined();
  });
});
