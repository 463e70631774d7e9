import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/chain/address.ts';
import { slotOfBody } from '../../src/contract/stamp.ts';
import type { BlockFacts, Swap, TipTotal } from '../../src/facts/fact.ts';
import { readTips } from '../../src/features/discovery/tip-reads.ts';
import { createFeeMarketAnswers } from '../../src/features/fee-market/answers.ts';
import { MAX_ROUTERS, type RouterFlow, VENUES } from '../../src/features/fee-market/contract-routers.ts';
import type { TipMarket } from '../../src/features/fee-market/contract-tip-market.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { QUOTE_MINTS, TIP_PROVIDERS, tipProvider } from '../../src/programs/registry/index.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { byProvider } from '../../src/token/tip-providers.ts';
import { foldedBatches } from '../support/folded-batches.ts';
import { createHandClock } from '../support/hand-clock.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { address } from '../support/token-world-rows.ts';
import { timeOf } from './discovery-truth.ts';
import {
  beginOf,
  FEE_WINDOWS,
  type FeeWindow,
  type PaidTip,
  tipsOfTransaction,
  trueRouters,
  trueTipMarket,
} from './fee-market-truth.ts';

const SEED = 'fee market';
const BLOCKS = 240;
const START = 1_790_000_007;
const SOL_USD = 150n;

/** Eight days: blocks two hours apart, then ten minutes, then less than one, and a few of them to a second. */
const secondOf = (block: number) =>
  START +
  Math.min(block, 90) * 7_200 +
  Math.min(Math.max(0, block - 90), 70) * 600 +
  Math.max(0, (block - 160) >> 1) * 43;

function movedTo(time: number, facts: BlockFacts): BlockFacts {
  const moved = Object.entries(facts).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((fact: object) => ({ ...fact, time })) : value,
  ]);
  return { ...Object.fromEntries(moved), time } as BlockFacts;
}

const random = createRandom(SEED);
const WALLETS = TIP_PROVIDERS.flatMap(({ accounts }) => accounts.map((account) => account.address)).filter(
  (wallet) => tipProvider(wallet) !== undefined,
);
const ROUTERS = [61, 62, 63].map(address);
const DOLLARS = QUOTE_MINTS.filter(({ class: kind }) => kind === 'usd').map(({ mint }) => mint);
const facts: BlockFacts[] = [];
const paid: PaidTip[] = [];

/** Transactions that tip some wallets each, several of one provider among them, as a block's facts sum them up. */
function tipsOf(time: number): TipTotal[] {
  const totals = new Map<Address, { count: number; repeated: number; lamports: bigint; paid: bigint[] }>();
  for (let transaction = random.below(9); transaction > 0; transaction -= 1) {
    const tips = Array.from({ length: random.between(1, 3) }, () => ({
      wallet: random.pick(WALLETS.slice(0, 24)),
      lamports: random.chance(0.5) ? 10n ** BigInt(random.between(3, 9)) : BigInt(random.between(1, 2_000_000_000)),
    }));
    for (const [provider, lamports] of tipsOfTransaction(tips)) paid.push({ time, provider, lamports });
    const seen: Address[] = [];
    for (const { wallet, lamports } of tips) {
      const total = totals.get(wallet) ?? { count: 0, repeated: 0, lamports: 0n, paid: [] };
      totals.set(wallet, total);
      const isFirst = !seen.some((each) => tipProvider(each) === tipProvider(wallet));
      if (!seen.includes(wallet)) {
        total.count += 1;
        if (!isFirst) total.repeated += 1;
      }
      total.lamports += lamports;
      if (isFirst) total.paid.push(tipsOfTransaction(tips).get(tipProvider(wallet)!)!);
      seen.push(wallet);
    }
  }
  return [...totals]
    .map(([tipWallet, total]) => ({ tipWallet, ...total }))
    .sort((a, b) => (a.tipWallet < b.tipWallet ? -1 : 1));
}

/** Legs of one transaction at every venue and through two programs, in dollars, and a bid that nobody knows. */
function withOddOnes(block: BlockFacts): BlockFacts {
  const [swap] = block.swaps;
  const [attempt] = block.attempts;
  if (swap === undefined) return block;
  const leg = (ixIndex: number, changes: Partial<Swap>): Swap => ({
    ...{ ...swap, blockIndex: 9_000, ixIndex, tip: 12_345_678n, priced: false, pool: undefined },
    ...changes,
  });
  const budget = (cuPrice: bigint, source: 0 | 1 | 2) => ({ cuPrice, cuLimit: 1_000, priorityFee: 0n, source });
  const legs = [
    leg(1, { venue: 0, router: ROUTERS[0], budget: budget(987_654n, 1) }),
    leg(2, { venue: 1, router: ROUTERS[0], quoteMint: random.pick(DOLLARS), budget: budget(0n, 0) }),
    leg(3, { venue: 2, router: ROUTERS[1], quoteMint: DOLLARS[0], budget: budget(0n, 0) }),
    leg(4, { venue: 1, router: undefined, quoteMint: address(77), budget: budget(0n, 0) }),
    leg(5, { blockIndex: 9_002, venue: 0, router: ROUTERS[2], tip: 0n, budget: budget(0n, 2) }),
    leg(6, { blockIndex: 9_004, venue: 0, router: ROUTERS[2], tip: 1n, budget: budget(0n, 0), protocolActor: true }),
  ];
  // What a reverted transaction declares nobody pays, however much it is; of two tokens it reverted once.
  const poison = [1, 2].map((ixIndex) => ({ ...attempt!, blockIndex: 9_006, ixIndex, mint: address(200 + ixIndex) }));
  const reverted = attempt === undefined ? [] : poison.map((row) => ({ ...row, router: ROUTERS[0], tip: 10n ** 15n }));
  return { ...block, swaps: [...block.swaps, ...legs], attempts: [...block.attempts, ...reverted] };
}

let batches: readonly RowBatch[];
let test: TestStore;
/** Of the stored blocks, one that comes late. */
const LATE = 120;

beforeAll(async () => {
  const simulator = createSimulator({ seed: SEED, sign: false });
  for (let block = 0; block < BLOCKS; block += 1) {
    const time = secondOf(block);
    const made = movedTo(time, simulator.next().truth.facts('decoded'));
    const economics = { ...made.economics, tipsByWallet: tipsOf(time) };
    facts.push({ ...(block % 7 === 3 || block === LATE ? withOddOnes(made) : made), economics });
  }
  batches = foldedBatches(facts);
  test = await openTestStore();
  await test.store.writer.flush(batches.filter((_, block) => block !== LATE));
});
afterAll(() => test?.close());

const upTo = (block: number, withLate: boolean) => facts.slice(0, block).filter((_, at) => withLate || at !== LATE);

/** Answers of a service that starts now. */
function open(committed = BLOCKS, solUsd: number | undefined = Number(SOL_USD)) {
  const clock = createHandClock(facts.at(-1)!.time * 1_000);
  const feed = createFeed({ maxHeldBatches: 10 });
  feed.commit(committed === 0 ? facts[0]!.slot - 1 : facts[committed - 1]!.slot, 0);
  return createFeeMarketAnswers({ client: test.store.client, feed, clock, solUsd: () => solUsd });
}

async function told<T>(body: Buffer | Promise<Buffer>, committed = BLOCKS): Promise<T> {
  const bytes = await body;
  expect(slotOfBody(bytes)).toBe(facts[committed - 1]!.slot);
  return JSON.parse(bytes.toString()) as T;
}

async function compareRouters(committed: number, withLate: boolean, windows: readonly FeeWindow[] = FEE_WINDOWS) {
  const known = upTo(committed, withLate);
  const now = known.at(-1)!.time;
  const hole = facts[LATE + 1]!.time;
  for (const window of windows) {
    for (const venue of [undefined, ...VENUES]) {
      const found = await told<RouterFlow>(open(committed).routers({ window, venue }), committed);
      const { flow, traders } = trueRouters(known, {
        ...{ window, now, solUsd: SOL_USD, venue: venue === undefined ? undefined : Number(venue) },
      });
      const { data, whole_since, ...rest } = found;
      expect(data.length).toBeLessThan(MAX_ROUTERS);
      const plain = data.map(({ traders: _traders, ...row }) => row);
      expect({ venue, ...rest, data: plain }).toEqual({ venue, ...flow });
      const isCut = withLate ? facts[0]!.time > beginOf(window, now) : hole > beginOf(window, now);
      expect(whole_since).toBe(isCut ? timeOf(withLate ? facts[0]!.time : hole) : undefined);
      for (const { router, traders: count } of data) {
        const truth = traders.get(router)!;
        const off = window === '5m' || window === '1h' ? 0 : Math.max(2, 0.08 * truth);
        const near = Math.abs(count - truth) <= off ? count : truth;
        expect({ window, venue, router, count }).toEqual({ window, venue, router, count: near });
      }
    }
  }
}

async function compareTips(committed: number, withLate: boolean) {
  const known = new Set(upTo(committed, withLate).map(({ time }) => time));
  const lateAt = facts[LATE]!.time;
  const now = facts[committed - 1]!.time;
  for (const window of FEE_WINDOWS) {
    const { since: _since, ...found } = await told<TipMarket>(open(committed).tips(window, undefined), committed);
    expect(found).toEqual(
      trueTipMarket(
        paid.filter(({ time }) => known.has(time) && (withLate || time !== lateAt)),
        window,
        now,
      ),
    );
  }
}

describe('swaps by router', () => {
  it('are those of the chain, in every window and at every venue', async () => {
    await compareRouters(BLOCKS, false);
  });

  it('have something to tell of each kind', async () => {
    const { data } = await told<RouterFlow>(open().routers({ window: '7d', venue: undefined }));
    expect(data[0]!.router).toBe('');
    expect(data.length).toBeGreaterThan(5);
    expect(data.some(({ router_name }) => router_name !== undefined)).toBe(true);
    expect(data.some(({ revert_rate }) => revert_rate !== undefined && revert_rate > 0 && revert_rate < 1)).toBe(true);
    expect(data.find(({ router }) => router === ROUTERS[0])).toMatchObject({ median_tip: '12300000' });
    expect(data.find(({ router }) => router === ROUTERS[1])).not.toHaveProperty('median_cu_price');
  });
});

describe('the tip market', () => {
  it('is that of the chain, in every window', async () => {
    await compareTips(BLOCKS, false);
  });

  it('adds up to the tips by provider', async () => {
    for (const [window, seconds] of [
      ['5m', 300],
      ['1h', 3_600],
      ['24h', 86_400],
    ] as const) {
      const { data } = await told<TipMarket>(open().tips(window, undefined));
      const sums = new Map<string, bigint[]>();
      for (const { provider, count, lamports } of data) {
        const [transactions = 0n, all = 0n] = sums.get(provider) ?? [];
        sums.set(provider, [transactions + BigInt(count), all + BigInt(lamports)]);
      }
      const { slot, time } = facts.at(-1)!;
      const rows = await readTips(test.store.client, slot, { seconds, toTheSecond: seconds <= 3_600 }, time);
      const expected = byProvider(rows!.wallets).map(({ provider, count, lamports }) => [provider, [count, lamports]]);
      expect(sums).toEqual(new Map(expected as [string, bigint[]][]));
    }
  });

  it('is that of one provider where one is named, in whatever case', async () => {
    const all = await told<TipMarket>(open().tips('24h', undefined));
    const { provider } = all.data[0]!;
    const answers = open();
    const own = await told<TipMarket>(answers.tips('24h', provider.toUpperCase()));
    expect(own).toEqual({ ...all, data: all.data.filter((row) => row.provider === provider) });
    expect(() => answers.tips('24h', 'nobody')).toThrow(expect.objectContaining({ code: 'invalid_param' }));
  });
});

describe('both of them', () => {
  it('take in a block that comes late', async () => {
    await test.store.writer.flush([batches[LATE]!]);
    await compareRouters(BLOCKS, true);
    await compareTips(BLOCKS, true);
  });

  it('tell nothing newer than their slot, at whatever part of a minute, a quarter and an hour that is', async () => {
    // The newest of two blocks of the same second.
    for (const newest of [5, 95, 202]) {
      await compareTips(newest, true);
      await compareRouters(newest, true, ['1h', '24h']);
    }
  });

  it('are none without a block', async () => {
    const answers = open(0);
    await expect(answers.routers({ window: '1h', venue: undefined })).rejects.toMatchObject({ code: 'warming_up' });
    await expect(answers.tips('1h', undefined)).rejects.toMatchObject({ code: 'warming_up' });
  });
});
