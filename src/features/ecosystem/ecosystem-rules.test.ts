import { describe, expect, it } from 'vitest';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { LatestSwapRow } from '../../token/facts.ts';
import { sketchedCount } from '../../token/trader-sketch.ts';
import { bundledLaunches, bundlersOf } from './bundle-rules.ts';
import { crashOf } from './crash-rules.ts';
import { dumpOf } from './dump-rules.ts';
import { edgesOf, gapsOf, knownSteps, stepCount } from './history-rules.ts';
import { type BundledTrade, type DevHolding, type DevPosition, unswept } from './report-list-reads.ts';
import { bundledRows } from './report-lists.ts';
import { isRecurring } from './tip-wallet-rules.ts';

const [DEV, ANN, BOB, AGENT] = [address(1), address(2), address(3), address(4)];
const [MINT, OTHER, THIRD] = [address(11), address(12), address(13)];

function trade(block_index: number, trader: Address, more: Partial<BundledTrade> = {}): BundledTrade {
  return {
    ...{ mint: MINT, creator: DEV, block_index, trader, protocol_actor: false, is_buy: true },
    ...{ tokens: 1_000_000n, lamports: 5n, ...more },
  };
}

describe('a bundled launch', () => {
  it('has transactions of the creator and of others next to each other', () => {
    const [launch] = bundledLaunches([trade(4, DEV), trade(5, ANN), trade(6, BOB), trade(6, ANN)]);
    expect(launch).toMatchObject({ mint: MINT, tokens: 4_000_000n, lamports: 20n });
    expect([...launch!.wallets]).toEqual([
      [DEV, 5n],
      [ANN, 10n],
      [BOB, 5n],
    ]);
  });

  it.each([
    ['the creator’s buy alone', [trade(4, DEV)]],
    ['two transactions of the creator', [trade(4, DEV), trade(5, DEV)]],
    ['legs of one transaction', [trade(4, DEV), trade(4, ANN)]],
    ['buys with a stranger’s transaction in between', [trade(4, DEV), trade(6, ANN)]],
    ['the creator beside the protocol’s own agent', [trade(4, DEV), trade(5, AGENT, { protocol_actor: true })]],
    ['nothing', []],
  ])('is not %s', (_, trades) => {
    expect(bundledLaunches(trades)).toEqual([]);
  });

  it('counts what wallets bought in its bundles alone', () => {
    const [launch] = bundledLaunches([
      ...[trade(4, DEV), trade(5, DEV), trade(8, ANN), trade(9, BOB, { is_buy: false, tokens: 9n })],
      trade(10, AGENT, { protocol_actor: true, tokens: 100n }),
    ]);
    expect(launch).toMatchObject({ tokens: 1_000_000n, lamports: 5n });
    expect([...launch!.wallets.keys()]).toEqual([ANN]);
  });

  it('is listed by its share of the supply, of which a mayhem coin has twice as much', async () => {
    const launches = bundledLaunches([
      ...[trade(4, DEV, { tokens: 10n ** 14n }), trade(5, ANN, { tokens: 2n * 10n ** 14n })],
      ...[4, 5].map((place) => trade(place, ANN, { mint: OTHER, tokens: 10n ** 14n, lamports: 0n })),
      ...[4, 5].map((place) => trade(place, BOB, { mint: THIRD, tokens: 1n })),
    ]);
    const facts = (mint: Address) => ({
      ...{ completion: undefined, graduation: undefined, creatorChange: undefined, lastSwap: undefined },
      lastPriced: undefined,
      creation: mint === THIRD ? undefined : ({ mint, decimals: 6, mayhem: mint === MINT, time: 0 } as never),
    });
    const rows = await bundledRows(launches, async (mints) => mints.map(facts));
    // Of a token that nobody saw created no share is known.
    expect(rows.map(({ mint, pct_supply, wallets, lamports }) => [mint, pct_supply, wallets, lamports])).toEqual([
      [OTHER, 20, 1, '0'],
      [MINT, 15, 2, '10'],
    ]);
  });

  it('makes a bundler of who bought in several', () => {
    const launches = bundledLaunches([
      ...[MINT, OTHER].flatMap((mint) => [trade(1, DEV, { mint }), trade(2, ANN, { mint, lamports: 7n })]),
      ...[trade(1, DEV, { mint: THIRD }), trade(2, BOB, { mint: THIRD })],
    ]);
    expect(bundlersOf(launches)).toEqual([
      { wallet: DEV, tokens: 3, lamports: 15n },
      { wallet: ANN, tokens: 2, lamports: 14n },
    ]);
  });
});

const high = { mint: MINT, volume: 10n ** 12n, price_quote: 1_000n, price_token: 10n };
const newest = (price_quote: bigint, more: Partial<LatestSwapRow> = {}): LatestSwapRow => ({
  ...{ slot: 1, block_index: 1, ix_index: 1, time: 1, venue: 0, pool: '', quote_mint: '', quote_decimals: 9 },
  ...{ token_decimals: 6, price_quote, price_token: 10n, real_quote_reserves: 0n, real_token_reserves: 0n },
  ...{ reserves_known: false, ...more },
});

describe('a crash', () => {
  it('is a fall of four fifths, exactly', () => {
    expect(crashOf(high, newest(200n))).toEqual({ high: '0.1', cur: '0.02', drawdown: 80 });
    expect(crashOf(high, newest(201n))).toBeUndefined();
    expect(crashOf(high, newest(1n))).toMatchObject({ drawdown: 99.9 });
  });

  it('is none without prices in SOL', () => {
    expect(crashOf(high, undefined)).toBeUndefined();
    expect(crashOf(high, newest(1n, { quote_mint: OTHER }))).toBeUndefined();
    expect(crashOf({ ...high, price_quote: 0n, price_token: 0n }, newest(1n))).toBeUndefined();
  });
});

const SUPPLY = 10n ** 15n;
const position: DevPosition = {
  ...{ mint: MINT, wallet: DEV, bought: 1_000n, sold: 500n, balance: 500n, quotes: 1, quote_mint: '' },
  ...{ realized_pnl: -7n, pnl_known: true, newest: 1 },
};
const holding: DevHolding = {
  ...{ mint: MINT, wallet: DEV, balance: 5n * 10n ** 13n, known: true, realized_pnl: 3n, pnl_known: true },
  ...{ quotes: 1, quote_mint: '', newest: 1 },
};

describe('a dump by the creator', () => {
  const dump = (more: Partial<DevPosition>, held?: DevHolding, supply: bigint | undefined = SUPPLY) =>
    dumpOf({ position: { ...position, ...more }, holding: held, supply });

  it('is a sale of half of what they bought', () => {
    expect(dump({})).toEqual({ soldPct: 50, holdPct: 0, realizedPnl: -7n });
    expect(dump({ sold: 499n })).toBeUndefined();
    expect(dump({ bought: 0n })).toBeUndefined();
    expect(dumpOf({ position: undefined, holding, supply: SUPPLY })).toBeUndefined();
    expect(dump({ sold: 5_000n, balance: -4_000n })).toEqual({ soldPct: 100, holdPct: undefined, realizedPnl: -7n });
  });

  it('tells what they hold by everything that moved it, and what is not known not at all', () => {
    expect(dump({}, holding)).toMatchObject({ holdPct: 5, realizedPnl: 3n });
    expect(dump({}, { ...holding, known: false })?.holdPct).toBeUndefined();
    expect(dumpOf({ position, holding: undefined, supply: undefined })?.holdPct).toBeUndefined();
    expect(dump({ pnl_known: false })?.realizedPnl).toBeUndefined();
    expect(dump({ quotes: 2 })?.realizedPnl).toBeUndefined();
    expect(dump({ quote_mint: OTHER })?.realizedPnl).toBeUndefined();
  });
});

describe('a tip wallet', () => {
  it('is recurring when it was tipped in all parts, and is not when none is missing', () => {
    expect([isRecurring(0b1111, true), isRecurring(0b1111, false)]).toEqual([true, true]);
    expect([isRecurring(0b1101, true), isRecurring(0b1101, false)]).toEqual([false, undefined]);
  });
});

describe('steps of a history', () => {
  const span = { from: 0, to: 1_000, step: 100 };
  const known = (gaps: readonly { from: number; to: number }[], since = 0, now = 549) =>
    knownSteps(span, { gaps, since, now });

  it('are told when no block of theirs is missing, the running one as far as it has come', () => {
    expect(
      gapsOf([
        { from: 5, to: 210 },
        { from: 399, to: 549 },
      ]),
    ).toEqual([
      { from: Number.NEGATIVE_INFINITY, to: 5 },
      { from: 210, to: 399 },
    ]);
    expect(
      known(
        gapsOf([
          { from: 5, to: 210 },
          { from: 399, to: 549 },
        ]),
      ),
    ).toEqual([100, 400, 500]);
    expect(known([{ from: 200, to: 300 }])).toEqual([0, 100, 400, 500]);
    expect(known([], 101)).toEqual([200, 300, 400, 500]);
    expect(known([], 0, 99)).toEqual([0]);
    expect([stepCount(span), stepCount({ ...span, to: 1_001 }), stepCount({ ...span, to: 0 })]).toEqual([10, 11, 0]);
  });
});

describe('ranges of whole slots', () => {
  const since = { from: Number.NEGATIVE_INFINITY, to: 100 };

  it('end with a block beside the last one, whatever a single one tells, and begin behind what comes before', () => {
    const steady = { begin: [100, 101, 102], end: [198, 199, 200] };
    expect(edgesOf(steady)).toEqual({ from: 100, second: 101, to: 199 });
    expect(edgesOf({ begin: [90_000, ...steady.begin], end: [...steady.end, 90_000] })).toMatchObject({
      from: 100,
      to: 200,
    });
    expect(edgesOf({ begin: [7], end: [7] })).toEqual({ from: 7, to: 7 });
    const behind = { from: 3, second: 301, to: 400 };
    expect(gapsOf([edgesOf(steady), behind], 400)).toEqual([since, { from: 199, to: 301 }]);
  });

  it('cover nothing behind what comes after them, or behind the time of the chain', () => {
    const ranges = [
      { from: 100, to: 200 },
      { from: 90_000, to: 90_000 },
      { from: 300, to: 400 },
    ];
    expect(gapsOf(ranges, 400)).toEqual([since, { from: 200, to: 300 }]);
    expect(gapsOf([{ from: 100, to: 90_000 }, ranges[2]!], 400)).toEqual([since, { from: 300, to: 300 }]);
    expect(gapsOf([ranges[0]!, ranges[1]!], 200)).toEqual([since]);
    expect(gapsOf([ranges[1]!], 200)).toEqual([{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }]);
    expect(gapsOf([], 200)).toEqual([]);
  });
});

describe('slots that are still to be swept up', () => {
  it('are those that are whole, up to the newest, and not gone through', () => {
    const whole = [
      { first: 10, last: 20 },
      { first: 30, last: 40 },
    ];
    expect(unswept(whole, [{ first: 12, last: 33 }], { first: 5, last: 45 })).toEqual([
      { first: 10, last: 11 },
      { first: 34, last: 45 },
    ]);
    expect(unswept(whole, [{ first: 0, last: 100 }], { first: 5, last: 45 })).toEqual([]);
    expect(unswept(whole, [], { first: 15, last: 35 })).toEqual([
      { first: 15, last: 20 },
      { first: 30, last: 35 },
    ]);
  });
});

describe('wallets out of a sketch', () => {
  /** A generator whose bits are mixed well enough, always the same. */
  function mixed(seed: bigint) {
    let z = (seed * 0x9e37_79b9_7f4a_7c15n) & MASK;
    z = ((z ^ (z >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d0_49bb_1331_11ebn) & MASK;
    return z ^ (z >> 31n);
  }
  const MASK = 2n ** 64n - 1n;

  function ranksOf(wallets: number) {
    const registers = new Uint8Array(4_096);
    for (let wallet = 1; wallet <= wallets; wallet += 1) {
      const hash = mixed(BigInt(wallet));
      let rank = 1;
      for (let rest = hash >> 12n; (rest & 1n) === 0n && rank < 52; rest >>= 1n) rank += 1;
      const register = Number(hash & 4_095n);
      registers[register] = Math.max(registers[register]!, rank);
    }
    const ranks = new Map<number, number>();
    for (const rank of registers) if (rank > 0) ranks.set(rank, (ranks.get(rank) ?? 0) + 1);
    return ranks;
  }

  it('are as many as there are, within four standard errors', () => {
    expect(sketchedCount(new Map())).toBe(0);
    for (const wallets of [1, 5, 60, 700, 5_000, 12_000, 40_000]) {
      const error = Math.abs(sketchedCount(ranksOf(wallets)) - wallets) / wallets;
      expect([wallets, error < 0.065]).toEqual([wallets, true]);
    }
  });
});
