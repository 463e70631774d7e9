import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../../test/support/store-hosts.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';
import type { Attempt, BlockFacts, Swap } from '../../facts/fact.ts';
import { QUOTE_MINTS, TIP_PROVIDERS } from '../../programs/registry/index.ts';
import { runStatement, type StoreClient } from '../../store/clickhouse/client.ts';
import { fillSumsStep } from '../../store/clickhouse/derived/fill-sums.ts';
import { MAX_ROUTERS, type RouterFlow } from './contract-routers.ts';
import type { TipMarket } from './contract-tip-market.ts';
import { FEE_WINDOW_NAMES, type FeeWindowName } from './contract-windows.ts';
import { createLandingReads } from './landing-reads.ts';
import { routersBody } from './routers.ts';
import { readTipMarket, tipMarketBody } from './tip-market.ts';

/** Routers were first told on this day, and the blocks are of it and the one before. */
const JULY_6 = Date.UTC(2026, 6, 6) / 1_000;
const BLOCKS = 40;
const FIRST_SLOT = 1_000_000;
const MARK = FIRST_SLOT + BLOCKS - 1;
/** A minute apart, so that half of them are from before that day. */
const secondOf = (block: number) => JULY_6 + (block - BLOCKS / 2) * 60;
const NOW = secondOf(BLOCKS - 1);
const WALLET = TIP_PROVIDERS[0]!.accounts[0]!.address;
/** Blocks that a version before stored, which knew sums of tips alone. */
const OLDER = 5;
const MANY = 1_200;
/** The one of them that swaps for dollars, behind the first 1,000 by address. */
const IN_DOLLARS = 1_100;
const USD = QUOTE_MINTS.find(({ class: kind }) => kind === 'usd')!.mint;

/** Addresses in the order of their places. */
const programOf = (place: number) =>
  encodeAddress(Uint8Array.from({ length: 32 }, (_, at) => (at < 2 ? place >> (8 * (1 - at)) : 9)));

let hosts: StoreHosts;
let client: StoreClient;
beforeAll(async () => {
  hosts = await openStoreHosts();
  client = await hosts.openDatabase();
  const maker = createFactsMaker({ seed: 71, swapsPerBlock: 2, firstSlot: FIRST_SLOT });
  const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
  const blocks = Array.from({ length: BLOCKS }, (_, block): BlockFacts => {
    const facts = maker.next();
    const time = secondOf(block);
    const paid = block < OLDER ? [] : [5n, 1_234_567n];
    const tipsByWallet = [{ tipWallet: WALLET, count: 3, repeated: 1, lamports: 1_234_572n, paid }];
    const at = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, time }));
    const swaps = block === BLOCKS - 2 ? [...facts.swaps, ...crowd(facts.swaps[0]!)] : facts.swaps;
    const attempts = at([failed(facts.swaps[0]!)]);
    return {
      ...facts,
      time,
      created: [],
      transfers: [],
      attempts,
      swaps: at(swaps),
      economics: { ...facts.economics, tipsByWallet },
    };
  });
  await writer.flush(blocks.map((facts) => maker.toBatch(facts)));
  await writer.close(1_000);
});
afterAll(() => hosts?.close());

/** A swap through each of more programs than are read, each of more lamports than the one before, but for one in dollars. */
function crowd(swap: Swap): Swap[] {
  return Array.from({ length: MANY }, (_, place) => ({
    ...{ ...swap, blockIndex: 1_000 + place, router: programOf(place + 1) },
    quoteMint: place === IN_DOLLARS ? USD : undefined,
    quoteAmount: 10n ** 12n + BigInt(place),
  }));
}

/** What was tried beside a swap, called directly; the tip that it declares nobody paid. */
function failed({ slot, signature, mint, trader, budget }: Swap): Attempt {
  return {
    ...{ slot, signature, mint, trader, budget, blockIndex: 500, ixIndex: 1, time: 0, venue: 0, isBuy: true },
    ...{ outcome: 'rejected', why: '', errorCode: undefined, program: undefined, router: undefined, feePayer: trader },
    ...{ tip: 10n ** 15n, tipPayable: 0n, tipWallet: WALLET, networkFee: 5_000n, signatures: 1 },
  };
}

const deps = (kept: Readonly<Record<string, number>> = {}) => ({
  ...{ client, feed: { committedSlot: MARK }, clock: { now: () => NOW * 1_000 }, solUsd: () => undefined },
  blocks: createLandingReads(client).blocks,
  unbroken: async () => ({ first: FIRST_SLOT, since: secondOf(0) }),
  wholeSince: async () => new Map(Object.entries(kept)),
});

async function routers(
  window: FeeWindowName,
  kept?: Readonly<Record<string, number>>,
  usd?: number,
): Promise<RouterFlow> {
  return JSON.parse(String(await routersBody({ ...deps(kept), solUsd: () => usd }, { window, venue: undefined })));
}

async function tips(window: FeeWindowName, kept?: Readonly<Record<string, number>>): Promise<TipMarket> {
  return JSON.parse(String(tipMarketBody(await readTipMarket(deps(kept), window), undefined)));
}

describe('swaps by router', () => {
  it('are none from before the day on which routers were first told', async () => {
    for (const window of FEE_WINDOW_NAMES.slice(1)) {
      const flow = await routers(window);
      expect([window, flow.swaps, flow.since]).toEqual([window, BLOCKS + MANY, '2026-07-06']);
      expect(flow).not.toHaveProperty('whole_since');
    }
  });

  it('are told of so many routers, and summed up of all', async () => {
    for (const window of ['5m', '24h'] as const) {
      const { data, swaps, volume } = await routers(window, {}, 100);
      expect(data).toHaveLength(MAX_ROUTERS);
      expect(data[0]!.router).toBe('');
      expect(swaps).toBeGreaterThanOrEqual(MANY);
      expect(BigInt(volume!)).toBeGreaterThan(BigInt(MANY - 1) * 10n ** 12n);
      const shares = data.reduce((sum, { share }) => sum + share!, 0);
      expect(shares).toBeLessThan(0.1);
    }
  });

  it('begin with those of most volume, in SOL and in dollars, however many others swap as often', async () => {
    const ofDollars = programOf(IN_DOLLARS + 1);
    const most = Array.from({ length: MAX_ROUTERS + 1 }, (_, at) => programOf(MANY - at));
    const inLamports = most.filter((router) => router !== ofDollars);
    for (const window of ['5m', '24h'] as const) {
      const inSol = (await routers(window)).data.slice(1).map(({ router }) => router);
      expect([window, inSol]).toEqual([window, inLamports.slice(0, MAX_ROUTERS - 1)]);
      const inBoth = (await routers(window, {}, 100)).data.slice(1).map(({ router }) => router);
      expect([window, inBoth]).toEqual([window, [ofDollars, ...inLamports.slice(0, MAX_ROUTERS - 2)]]);
    }
  });

  it('tell of reverts as far as what reverted is kept, and say from when on swaps are', async () => {
    for (const window of ['5m', '1h'] as const) {
      const { data } = await routers(window, { attempts: NOW - 10 });
      expect(data.some((row) => 'revert_rate' in row)).toBe(false);
      const { revert_rate } = (await routers(window)).data[0]!;
      expect([revert_rate! > 0, revert_rate! < 1]).toEqual([true, true]);
      expect((await routers(window, { swaps: NOW - 10 })).whole_since).toBe(
        new Date((NOW - 10) * 1_000).toISOString().replace('.000', ''),
      );
    }
    // Rollups were there from the first swap on.
    expect((await routers('7d', { attempts: NOW - 10, swaps: NOW - 10 })).data[0]).toHaveProperty('revert_rate');
  });

  it('say since when sums are kept, which may be less than the window', async () => {
    const cut = NOW - 600;
    const told = new Date(cut * 1_000).toISOString().replace('.000', '');
    for (const table of ['router_minutes', 'router_traders']) {
      const flow = await routers('7d', { [table]: cut });
      expect([flow.whole_since, flow.data[0]!.revert_rate]).toEqual([told, undefined]);
      expect(await routers('1h', { [table]: cut })).not.toHaveProperty('whole_since');
    }
    const { whole_since, data } = await routers('7d', { router_reverts: cut });
    expect([whole_since, data[0]!.revert_rate]).toEqual([undefined, undefined]);
    const all = Object.fromEntries(['router_minutes', 'router_traders', 'router_reverts'].map((name) => [name, cut]));
    expect((await routers('7d', all)).data[0]).toHaveProperty('revert_rate');
  });

  it('tell no reverts of equities, nor where a source leaves out what failed', async () => {
    const ask = async (changes: object, venue?: '0' | '2'): Promise<RouterFlow> =>
      JSON.parse(String(await routersBody({ ...deps(), ...changes }, { window: '1h', venue })));
    const { blocks } = deps();
    const silent: typeof blocks = async (...span) => (await blocks(...span)).map((row) => ({ ...row, failed: 0n }));
    expect((await ask({}, '0')).data[0]).toHaveProperty('revert_rate');
    expect((await ask({}, '2')).data[0]).not.toHaveProperty('revert_rate');
    expect((await ask({ blocks: silent })).data[0]).not.toHaveProperty('revert_rate');
  });

  it('say what they lack while their rollups are filled, and nothing of reverts', async () => {
    const whole = await routers('24h');
    const half = FIRST_SLOT + 30;
    for (const table of ['router_minutes', 'router_reverts']) {
      await runStatement(client, `CREATE TABLE ${table}_before AS ${table}`);
      await runStatement(client, `INSERT INTO ${table}_before SELECT * FROM ${table}`);
      await runStatement(client, `TRUNCATE TABLE ${table}`);
      await runStatement(client, `INSERT INTO due_slots VALUES ('${table}', ${FIRST_SLOT}, ${MARK}, 0)`);
    }
    await fillSumsStep(client, 'router_minutes', { maxSlots: MARK - half + 1 });
    const part = await routers('24h');
    expect([part.swaps, part.whole_since]).toEqual([
      2 * (MARK - half + 1) + MANY,
      new Date((secondOf(30 - 1) + 1) * 1_000).toISOString().replace('.000', ''),
    ]);
    expect(part.data.some((row) => 'revert_rate' in row)).toBe(false);
    // What reverted may be there before what landed.
    while ((await fillSumsStep(client, 'router_reverts')) !== undefined);
    expect((await routers('24h')).data.some((row) => 'revert_rate' in row)).toBe(false);
    while ((await fillSumsStep(client, 'router_minutes')) !== undefined);
    expect(await routers('24h')).toEqual(whole);
  });
});

describe('the tip market', () => {
  it('tells sums alone of blocks that an older version stored', async () => {
    const { data, step } = await tips('24h');
    expect(step).toBe('15m');
    const [first, ...others] = data;
    expect(first).toEqual({ t: JULY_6 - 1_800, provider: '0slot', count: 2 * OLDER, lamports: '6172860' });
    const sizes = { p25: '5', p50: '5', p75: '1230000', p95: '1230000', max: '1234567' };
    expect(others.map(({ t }) => t)).toEqual([JULY_6 - 900, JULY_6, JULY_6 + 900]);
    for (const row of others) expect(row).toMatchObject(sizes);
    const sums = data.reduce((sum, { count }) => sum + count, 0);
    expect(sums).toBe(2 * BLOCKS);
  });

  it('says from when on it is whole, where blocks are missing or slots were let go', async () => {
    const time = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000', '');
    expect((await tips('7d')).since).toBe(time(secondOf(0)));
    expect(await tips('5m')).not.toHaveProperty('since');
    expect((await tips('24h', { slot_tips: NOW })).since).toBe(time(secondOf(0)));
  });
});
