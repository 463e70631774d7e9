import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trueRouters } from '../../../test/simulation/fee-market-truth.ts';
import { createFactsMaker, type FactsMaker } from '../../../test/support/block-facts.ts';
import { extent } from '../../../test/support/extent.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../../test/support/store-hosts.ts';
import type { Attempt, BlockFacts, Swap } from '../../facts/fact.ts';
import { createFeed } from '../../feed/in-process.ts';
import { silentLogger } from '../../kernel/log.ts';
import { runStatement, type StoreClient } from '../../store/clickhouse/client.ts';
import { createFeeMarketAnswers } from './answers.ts';
import type { RouterFlow } from './contract-routers.ts';
import type { FeeWindowName } from './contract-windows.ts';
import { createLandingAnswers } from './landing-answers.ts';

const FIRST_SLOT = 1_000_000;
/** A whole minute of 2026-07-20: routers are told since 2026-07-06. */
const START = Date.UTC(2026, 6, 20) / 1_000;
const BLOCKS = 16;
const STEP_S = 20;
const secondOf = (block: number) => START + block * STEP_S;
/** Single transactions of the first slot of all, of a minute and of the running one, of one between whole blocks, and behind all. */
const PARTIAL: ReadonlySet<number> = new Set([0, 3, 7, 12, 15]);
const NOW = secondOf(BLOCKS - 2);
const MARK = FIRST_SLOT + BLOCKS - 1;

let hosts: StoreHosts;
let client: StoreClient;
let maker: FactsMaker;
let blocks: BlockFacts[];

beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts?.close());
beforeEach(async () => {
  client = await hosts.openDatabase();
  maker = createFactsMaker({ seed: 81, swapsPerBlock: 8, firstSlot: FIRST_SLOT });
  blocks = Array.from({ length: BLOCKS }, (_, block): BlockFacts => {
    const facts = maker.next();
    const at = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, time: secondOf(block) }));
    const attempts = facts.swaps.slice(0, 4).map(failed);
    return {
      ...facts,
      time: secondOf(block),
      created: [],
      transfers: [],
      swaps: at(facts.swaps),
      attempts: at(attempts),
    };
  });
});

/** What was tried beside a swap, by the router of that. */
function failed({ slot, signature, mint, trader, budget, router, blockIndex }: Swap): Attempt {
  return {
    ...{ slot, signature, mint, trader, budget, router, blockIndex: 500 + blockIndex, ixIndex: 1, time: 0, venue: 0 },
    ...{ isBuy: true, outcome: 'rejected', why: '', errorCode: undefined, program: undefined, feePayer: trader },
    ...{ tip: 0n, tipPayable: 0n, tipWallet: undefined, networkFee: 5_000n, signatures: 1 },
  };
}

/** Every other transaction of a block, as it comes without it. */
function half(facts: BlockFacts, of: 0 | 1): BlockFacts {
  const isIn = ({ blockIndex }: Swap | Attempt) => (blockIndex >> 1) % 2 === of;
  return {
    ...{ ...facts, whole: false, blockhash: '', parentSlot: 0 },
    ...{ swaps: facts.swaps.filter(isIn), attempts: facts.attempts.filter(isIn) },
  };
}

const halves = (of: 0 | 1) => blocks.filter((_, block) => PARTIAL.has(block)).map((facts) => half(facts, of));
const wholes = () => blocks.filter((_, block) => !PARTIAL.has(block));
const batchesOf = (facts: readonly BlockFacts[]) => facts.map((each) => maker.toBatch(each));

function answers(committed = MARK) {
  const clock = createHandClock(NOW * 1_000);
  const feed = createFeed({ maxHeldBatches: 10 });
  feed.commit(committed, 0);
  return createFeeMarketAnswers({ client, feed, clock, solUsd: () => undefined });
}

async function routers(window: FeeWindowName): Promise<RouterFlow> {
  return JSON.parse(String(await answers().routers({ window, venue: undefined })));
}

function landing() {
  const clock = createHandClock(NOW * 1_000);
  const feed = createFeed({ maxHeldBatches: 10 });
  feed.commit(MARK, 0);
  return createLandingAnswers({
    ...{ client, feed, clock, log: silentLogger },
    ...{ leaders: { scheduleAt: () => undefined }, known: () => ({}) as never },
  });
}

/** Both kinds of windows against a count of all that is there. */
async function expectExactly(known: readonly BlockFacts[]): Promise<void> {
  for (const window of ['5m', '24h'] as const) {
    const { flow, traders } = trueRouters(known, { window, now: NOW });
    const found = await routers(window);
    expect({ ...found, whole_since: undefined }).toEqual({
      ...{ ...flow, whole_since: undefined },
      data: flow.data.map((row) => ({ ...row, traders: traders.get(row.router) })),
    });
  }
}

/** What a question was refused by, or its answer. */
const told = async (body: Buffer | Promise<Buffer>) =>
  Promise.resolve(body).then(
    (bytes) => JSON.parse(String(bytes)),
    (error: unknown) => (error as { code?: unknown }).code,
  );

describe('a store without a whole slot', () => {
  it('has no window while there are single transactions alone: no block tells what time it is', async () => {
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await writer.flush(batchesOf([...halves(0), ...halves(1)]));
    await writer.close(1_000);
    for (const window of ['5m', '24h'] as const) {
      expect(await told(answers().routers({ window, venue: undefined }))).toBe('warming_up');
      expect(await told(answers().tips(window, undefined))).toBe('warming_up');
      expect(await told(landing().conditions(window, 0))).toBe('warming_up');
    }
  });

  it('tells of no time that all of it is there, though it has blocks', async () => {
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await writer.flush(batchesOf([...wholes(), ...halves(0)]));
    await writer.close(1_000);
    // As it stands while a flush is written: its slots are noted last.
    await runStatement(client, 'TRUNCATE TABLE coverage');
    const now = new Date(NOW * 1_000).toISOString().replace('.000', '');
    for (const window of ['5m', '24h'] as const) {
      const { whole_since, data } = await told(answers().routers({ window, venue: undefined }));
      expect([whole_since, data[0].revert_rate]).toEqual([now, undefined]);
      expect((await told(answers().tips(window, undefined))).since).toBe(now);
      expect((await told(landing().conditions(window, 0))).since).toBe(now);
    }
  });
});

describe('single transactions of slots without their block', () => {
  it('are added up exactly when those of a slot come at several times, and replaced by their block', async () => {
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await writer.flush(batchesOf([...wholes(), ...halves(0)]));
    await expectExactly([...wholes(), ...halves(0)]);
    await writer.flush(batchesOf(halves(1)));
    await expectExactly(blocks);
    await writer.flush(batchesOf(blocks.filter((_, block) => PARTIAL.has(block) && block < BLOCKS - 1)));
    await expectExactly(blocks);
    await writer.close(1_000);
  });

  it('are added once though their host is killed between any two of their tables', async () => {
    for (const asks of [3, 7, 12, 16].slice(0, extent(2, 4))) {
      client = await hosts.openDatabase();
      const folder = await hosts.newFolder();
      const life = (epoch: number, kill?: number) =>
        takeOver(client, { folder, epoch, owner: `life-${epoch}`, ...(kill === undefined ? {} : { asks: kill }) });
      const first = await life(1);
      await first.flush(batchesOf([...wholes(), ...halves(0)]));
      await first.close(1_000);
      const killed = await life(2, asks);
      await expect(killed.flush(batchesOf(halves(1)))).rejects.toThrow('killed');
      await killed.close(0);
      const last = await life(3);
      await expectExactly(blocks);
      await last.close(1_000);
    }
  });

  it('are in no landing conditions and no tips, which are of whole blocks', async () => {
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await writer.flush(batchesOf(wholes()));
    const tell = async () => [
      String(await landing().conditions('1h', 0)),
      String(await landing().conditions('5m', 0)),
      String(await answers().tips('5m', undefined)),
    ];
    const before = await tell();
    await writer.flush(batchesOf([...halves(0), ...halves(1)]));
    expect(await tell()).toEqual(before);
    await writer.close(1_000);
  });
});
