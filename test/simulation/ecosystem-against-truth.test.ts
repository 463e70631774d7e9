import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/chain/address.ts';
import { slotOfBody } from '../../src/contract/stamp.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { createEcosystemAnswers } from '../../src/features/ecosystem/answers.ts';
import { bundledLaunches } from '../../src/features/ecosystem/bundle-rules.ts';
import type { EcosystemReport } from '../../src/features/ecosystem/contract.ts';
import type { EcosystemHistory } from '../../src/features/ecosystem/contract-history.ts';
import { HISTORY_METRICS } from '../../src/features/ecosystem/contract-limits.ts';
import {
  readBundled,
  readCreators,
  readDevSales,
  readVolumes,
} from '../../src/features/ecosystem/report-list-reads.ts';
import { readSpan } from '../../src/features/ecosystem/report-span.ts';
import {
  readHour,
  readTipped,
  readTippers,
  readTokens,
  readWindow,
} from '../../src/features/ecosystem/report-sum-reads.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createSweep } from '../../src/store/clickhouse/derived/sweep.ts';
import { DEV_SALES_SWEEP } from '../../src/store/clickhouse/derived/swept-tables.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { foldedBatches } from '../support/folded-batches.ts';
import { createHandClock } from '../support/hand-clock.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { address } from '../support/token-world-rows.ts';
import { timeOf } from './discovery-truth.ts';
import {
  beginnings,
  inSol,
  isTraded,
  trueBundle,
  trueFigure,
  trueReport,
  trueVolumes,
  type WindowName,
} from './ecosystem-truth.ts';

const SEED = 'ecosystem';
const BLOCKS = 300;
const WINDOWS = ['1h', '24h', '7d'] as const;
const START = 1_790_000_007;

/** Eight days and some hours: blocks an hour and a half apart, then ten minutes, then less than one. */
const secondOf = (block: number) =>
  START + Math.min(block, 120) * 5_400 + Math.min(Math.max(0, block - 120), 100) * 600 + Math.max(0, block - 220) * 43;

/** The same block at another time. */
function movedTo(time: number, facts: BlockFacts): BlockFacts {
  const moved = Object.entries(facts).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((fact: object) => ({ ...fact, time })) : value,
  ]);
  return { ...Object.fromEntries(moved), time } as BlockFacts;
}

const facts: BlockFacts[] = [];
/** Two launches in whose bundle the same wallet buys beside the creator, who sells one of them soon afterwards. */
function addLaunches(): void {
  const buy = facts.flatMap(({ swaps }) => swaps).find((swap) => swap.venue === 0 && swap.isBuy && inSol(swap))!;
  const launch = facts.flatMap(({ created }) => created).find(({ mayhem, quoteMint }) => !mayhem && !quoteMint)!;
  const [developer, sniper, ...mints] = [201, 202, 203, 204].map(address) as [Address, Address, ...Address[]];
  const at = (block: number, blockIndex: number, ixIndex: number) => {
    const signature = new Uint8Array(64).fill(blockIndex % 251);
    return { slot: facts[block]!.slot, time: facts[block]!.time, blockIndex, ixIndex, signature };
  };
  const trade = (trader: Address, mint: Address, quoteAmount: bigint, tokenAmount: bigint) => {
    const amounts = { quoteAmount, tokenAmount, priceQuote: quoteAmount, priceToken: tokenAmount };
    return { ...buy, ...amounts, mint, trader, feePayer: trader, priced: true, bundled: true };
  };
  for (const [place, mint] of mints.entries()) {
    const first = 5_000 + 10 * place;
    const created = { ...launch, ...at(290, first, 1), mint, creator: developer };
    const bought = [
      { ...trade(developer, mint, 2n * SOL, 10n ** 14n), ...at(290, first, 3) },
      { ...trade(sniper, mint, 12n * SOL, 5n * 10n ** 13n), ...at(290, first + 1, 3) },
    ];
    const block = facts[290]!;
    facts[290] = { ...block, created: [...block.created, created], swaps: [...block.swaps, ...bought] };
  }
  const sale = { ...trade(developer, mints[0]!, (3n * SOL) / 2n, 9n * 10n ** 13n), ...at(295, 5_000, 3) };
  const block = facts[295]!;
  facts[295] = { ...block, swaps: [...block.swaps, { ...sale, isBuy: false, bundled: false }] };
}

const SOL = 10n ** 9n;
let batches: readonly RowBatch[];
let test: TestStore;
/** Of the stored blocks, one that comes late; no creator trades their own token in it. */
let late: number;

beforeAll(async () => {
  const simulator = createSimulator({ seed: SEED, sign: false });
  for (let block = 0; block < BLOCKS; block += 1) {
    facts.push(movedTo(secondOf(block), simulator.next().truth.facts('decoded')));
  }
  addLaunches();
  batches = foldedBatches(facts);
  const creators = new Set(facts.flatMap(({ created }) => created.map(({ mint, creator }) => `${mint} ${creator}`)));
  late = facts.findIndex(
    ({ swaps }, block) =>
      block > 100 && swaps.length > 3 && !swaps.some((each) => creators.has(`${each.mint} ${each.trader}`)),
  );
  test = await openTestStore();
  await test.store.writer.flush(batches.filter((_, block) => block !== late));
});
afterAll(() => test?.close());

const upTo = (block: number, withLate: boolean) => facts.slice(0, block).filter((_, at) => withLate || at !== late);

/** Answers of a service that starts now. */
function open(committed = BLOCKS) {
  const clock = createHandClock(facts.at(-1)!.time * 1_000);
  const feed = createFeed({ maxHeldBatches: 10 });
  feed.commit(committed === 0 ? facts[0]!.slot - 1 : facts[committed - 1]!.slot, 0);
  return createEcosystemAnswers({ client: test.store.client, feed, clock, log: silentLogger });
}

async function report(window: WindowName): Promise<{ report: EcosystemReport; slot: number | undefined }> {
  const body = await open().report(window);
  return { report: JSON.parse(body.toString()) as EcosystemReport, slot: slotOfBody(body) };
}

/** Without what the truth does not tell of tokens. */
function plain({ bundled_launches, dev_dumps, crashes, ...rest }: EcosystemReport) {
  const bare = <T extends { symbol?: string; status?: string }>({ symbol: _s, status: _t, ...row }: T) => row;
  return {
    ...rest,
    bundled_launches: bundled_launches.map(bare),
    dev_dumps: dev_dumps?.map((row) => {
      const { created_at: _at, hold_pct: _held, realized_pnl: _pnl, ...told } = bare(row);
      return told;
    }),
    crashes: crashes.map(bare),
  };
}

async function compareReports(withLate: boolean) {
  const known = upTo(BLOCKS, withLate);
  for (const window of WINDOWS) {
    const { report: told, slot } = await report(window);
    expect(slot).toBe(facts.at(-1)!.slot);
    const truth = trueReport(known, window);
    const hole = timeOf(facts[late + 1]!.time);
    const isCut = !withLate && window === '7d';
    // Where blocks are missing nobody knows that a wallet was not tipped.
    const tipped = truth.tip_wallets.map(({ recurring, ...row }) =>
      isCut && !recurring ? row : { ...row, recurring },
    );
    expect(plain(told)).toEqual({ ...truth, tip_wallets: tipped, ...(isCut ? { since: hole } : {}) });
  }
}

describe('the ecosystem report', () => {
  it('is that of the chain, whatever has been swept up, and when a block has come late', async () => {
    await compareReports(false);
    const sweep = await createSweep(test.store.client, DEV_SALES_SWEEP);
    await sweep.step(40);
    await compareReports(false);
    while ((await sweep.step()) !== undefined);
    await compareReports(false);
    await test.store.writer.flush([batches[late]!]);
    await compareReports(true);
  });

  it('has something to tell in each of its lists', async () => {
    const { report: told } = await report('1h');
    const { tip_wallets, tippers, providers, bundled_launches, bundlers, creators, dev_dumps, crashes } = told;
    const lists = { tip_wallets, tippers, providers, bundled_launches, bundlers, creators, dev_dumps, crashes };
    for (const [name, rows] of Object.entries(lists)) expect([name, (rows ?? []).length > 0]).toEqual([name, true]);
    const created = new Map(facts.flatMap((block) => block.created).map((each) => [each.mint as string, each]));
    const migrated = new Set(facts.flatMap((block) => block.graduated).map(({ mint }) => mint as string));
    for (const { mint, symbol, status } of [...bundled_launches, ...(dev_dumps ?? []), ...crashes]) {
      expect(symbol).toBe(created.get(mint)?.symbol.replace('\u200b', ''));
      expect(status).toBe(migrated.has(mint) ? 'graduated' : 'bonding');
    }
  });

  it('tells nothing newer than its slot, at whatever part of a minute and an hour that is', async () => {
    const { client } = test.store;
    for (const newest of [7, 131, 258]) {
      const known = upTo(newest + 1, true);
      const { slot, time } = facts[newest]!;
      for (const window of WINDOWS) {
        const span = (await readSpan(client, { mark: slot, wall: time }, window))!;
        const { from, byHours } = beginnings(window, time);
        expect([span.from, span.hours.from]).toEqual([from, byHours]);
        const truth = trueReport(known, window);
        const whole = window === '1h' ? await readHour(client, span) : await readWindow(client, span);
        expect([String(whole.volume), Number(whole.trades)]).toEqual([truth.volume, truth.trades]);
        expect(Number((await readHour(client, span)).active_traders)).toBe(truth.active_traders_1h);
        expect(await readTokens(client, span)).toEqual({ new_tokens: truth.new_tokens, graduated: truth.graduated });
        const tipped = (await readTipped(client, span)).reduce((sum, { lamports }) => sum + lamports, 0n);
        expect(String(tipped)).toBe(truth.tips_total);
        const tippers = (await readTippers(client, span)).map(({ wallet, count, lamports }) => ({
          ...{ wallet, count: Number(count), lamports: String(lamports) },
        }));
        expect(tippers).toEqual(truth.tippers);
        expect(await readCreators(client, span)).toEqual(truth.creators);
        const swaps = known.filter((block) => block.time >= byHours).flatMap((block) => block.swaps.filter(isTraded));
        const volumes = await readVolumes(client, span, 0n);
        expect(
          volumes.map(({ mint, volume, price_quote, price_token }) => [mint, volume, price_quote, price_token]),
        ).toEqual(
          trueVolumes(swaps)
            .slice(0, volumes.length)
            .map(({ mint, volume, high }) => [mint, volume, high?.priceQuote ?? 0n, high?.priceToken ?? 0n]),
        );
        expect(volumes.length).toBe(Math.min(600, trueVolumes(swaps).length));
        const launches = bundledLaunches(await readBundled(client, span));
        const bundles = known
          .filter((block) => block.time >= time - (window === '1h' ? 3_600 : 21_600))
          .flatMap((block) => block.created.flatMap((creation) => trueBundle(creation, block) ?? []));
        const ofMint = (rows: readonly { mint: Address; tokens: bigint }[]) =>
          new Map(rows.map(({ mint, tokens }) => [mint, tokens]));
        expect(ofMint(launches)).toEqual(ofMint(bundles));
      }
    }
  });

  it('tells of no dumps while the sales of too many slots are still to be swept up', async () => {
    const { client } = test.store;
    const { slot, time } = facts.at(-1)!;
    const span = (await readSpan(client, { mark: slot, wall: time }, '1h'))!;
    const whole = [{ first: 0, last: span.mark }];
    expect(await readDevSales(client, span, whole)).toHaveLength(1);
    expect(await readDevSales(client, { ...span, fromSlot: 0 }, whole)).toBeUndefined();
  });

  it('is none without a block', async () => {
    await expect(open(0).report('1h')).rejects.toMatchObject({ code: 'warming_up' });
    const none = { metric: 'volume', step: '1h', from: undefined, to: undefined } as const;
    await expect(open(0).history(none)).rejects.toMatchObject({ code: 'warming_up' });
  });
});

/** One of each table. */
const SOME_METRICS = ['graduated', 'tips_total', 'active_traders_1h', 'volume', 'fees_1h'] as const;
const SECONDS = { '1h': 3_600, '1d': 86_400 } as const;

describe('histories of its figures', () => {
  it('are those of the chain, step by step, the running one too', async () => {
    for (const newest of [BLOCKS - 1, 225]) {
      const known = upTo(newest + 1, true);
      const now = known.at(-1)!.time;
      for (const step of newest === BLOCKS - 1 ? (['1h', '1d'] as const) : (['1h'] as const)) {
        const width = SECONDS[step];
        const from = START - 86_400;
        const starts: number[] = [];
        for (let start = from - (from % width); start <= now; start += width) if (start > START) starts.push(start);
        for (const metric of newest === BLOCKS - 1 ? HISTORY_METRICS : SOME_METRICS) {
          const body = await open(newest + 1).history({ metric, step, from, to: undefined });
          expect(slotOfBody(body)).toBe(facts[newest]!.slot);
          const { t, v } = JSON.parse(body.toString()) as EcosystemHistory;
          expect([metric, t]).toEqual([metric, starts]);
          for (const [at, start] of starts.entries()) {
            const truth = trueFigure(
              metric,
              known.filter(({ time }) => time >= start && time < start + width),
            );
            if (metric === 'active_traders_1h') {
              expect(Math.abs(Number(v[at]) - Number(truth))).toBeLessThanOrEqual(Math.max(2, 0.08 * Number(truth)));
            } else expect([metric, start, String(v[at])]).toEqual([metric, start, String(truth)]);
          }
          const isAmount = /volume|tips_total|fees/.test(metric);
          expect(v.every((value) => typeof value === (isAmount ? 'string' : 'number'))).toBe(true);
        }
      }
    }
  });

  it('are as long as nothing else is said, begin with the step that `from` is in, and end before `to`', async () => {
    const now = facts.at(-1)!.time;
    const ask = async (from?: number, to?: number) =>
      JSON.parse((await open().history({ metric: 'trades', step: '1h', from, to })).toString()) as EcosystemHistory;
    const hour = now - (now % 3_600);
    const whole = await ask();
    expect([whole.t.length, whole.t.at(-1)]).toEqual([169, hour]);
    expect((await ask(hour - 3_600 + 1, hour)).t).toEqual([hour - 3_600]);
    expect((await ask(hour, hour)).t).toEqual([]);
    expect((await ask(now + 86_400, now + 90_000)).t).toEqual([]);
    expect((await ask(undefined, -86_400)).t).toEqual([]);
    expect((await ask(hour - 999 * 3_600, hour + 3_600)).t.length).toBeGreaterThan(100);
    await expect(ask(hour - 1_000 * 3_600, hour + 1)).rejects.toMatchObject({ code: 'invalid_param' });
    await expect(ask(0, 253_402_300_799)).rejects.toMatchObject({ code: 'invalid_param' });
  });
});
