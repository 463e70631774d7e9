import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test/support/block-facts.ts';
import { type FoldedChain, foldChain, sortedChain } from '../../../test/support/folded-chain.ts';
import { createQuickClock } from '../../../test/support/quick-clock.ts';
import { copyDatabase, openTestStore, type TestStore } from '../../../test/support/store.ts';
import { deriveTrades, mintOf, type Trade, tradeBlock } from '../../../test/support/trade-chain.ts';
import type { Block } from '../../chain/block.ts';
import { type PositionState, type PositionSwap, positionKey } from '../../facts/average-cost.ts';
import { type HoldingState, walletKey } from '../../facts/holding.ts';
import { silentLogger } from '../../kernel/log.ts';
import type { BlockSource, ChainStep } from '../../sources/source.ts';
import { connectionUrl, createStoreClient, runStatement, type StoreConnection } from '../../store/clickhouse/client.ts';
import { streamSwapsOf } from '../../store/clickhouse/read/position-swaps.ts';
import { encodePositions } from '../../store/clickhouse/schema/position-rows.ts';
import { openStore, type Store } from '../../store/clickhouse/store.ts';
import { verifyStore } from '../../store/clickhouse/verify/verify.ts';
import { flushOf } from '../../store/clickhouse/write/flush-batches.ts';
import { insertFlush } from '../../store/clickhouse/write/flush-insert.ts';
import { readSlotIndex } from '../../store/clickhouse/write/slot-index.ts';
import { createPipeline } from '../live/pipeline.ts';
import { readStoredPositions } from '../live/stored-wallets.ts';
import { type OpenIngestStore, openIngestStore } from '../open-ingest-store.ts';
import { createIngestStats } from '../report/stats.ts';
import type { RangeReader } from './hole-filler.ts';

const FIRST_SLOT = 4_999_950;
const BLOCKS = 100;
const TRADES = 12;
/** Leases and holes are waited for in seconds. */
const clock = createQuickClock(10);

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(async () => {
  await test.close();
});

/** What blocks of {@link makeChain} were made of, to make others of them. */
const tradesOf = new WeakMap<Block, readonly Trade[]>();

/** A chain across the edge of a partition, with a few mints that everybody trades. */
function makeChain(seed: number): Block[] {
  const random = seededRandom(seed);
  const upTo = (end: number) => Math.floor(random() * end);
  const chain: Block[] = [];
  for (let n = 0; n < BLOCKS; n += 1) {
    const parentSlot = chain.at(-1)?.slot ?? FIRST_SLOT - 1;
    const trades = Array.from({ length: TRADES }, (): Trade => {
      const amounts = { quote: BigInt(1 + upTo(1e9)), tokens: BigInt(1 + upTo(1e12)) };
      const move = (['send', 'burn', 'delta'] as const)[upTo(15)];
      return { mint: upTo(5), trader: upTo(9), isBuy: random() < 0.6, move, ...amounts };
    });
    const block = tradeBlock(parentSlot + 1 + (random() < 0.1 ? 2 : 0), parentSlot, trades);
    tradesOf.set(block, trades);
    chain.push(block);
  }
  return chain;
}

/** By name: a store lives several times. */
const databases: Record<string, Promise<StoreConnection>> = {};

/** A database of its own on the test's server, opened as the service does. */
async function openDatabase(name: string): Promise<Store> {
  databases[name] ??= copyDatabase(test.store, name);
  const own = connectionUrl(await databases[name]);
  return openStore({ url: own, dataDir: `${test.dataDir}/${name}`, log: silentLogger, clock });
}

function nodeOf(chain: readonly Block[]): RangeReader {
  return async function* read({ first, last }) {
    for (let slot = first; slot <= last; slot += 1) {
      const block = chain.find((each) => each.slot === slot);
      yield block === undefined ? { kind: 'skipped', first: slot, last: slot } : { kind: 'block', block };
    }
  };
}

interface Life {
  readonly name: string;
  readonly steps: readonly ChainStep[];
  readonly node?: readonly Block[];
  readonly refoldDelayMs?: number;
  /** The source goes on until this is so; then it ends, or the life does. */
  readonly until: (store: OpenIngestStore) => Promise<boolean>;
  readonly ending?: 'source' | 'kill';
}

async function live({ name, steps, node, refoldDelayMs = 1, until, ending = 'source' }: Life): Promise<void> {
  const opened = await openDatabase(name);
  const store = await openIngestStore(
    { connection: opened.connection, dataDir: `${test.dataDir}/${name}`, lease: opened.lease },
    { clock, log: silentLogger },
  );
  const stop = new AbortController();
  const source: BlockSource = {
    name: 'yellowstone',
    async *steps({ fromSlot = 0, signal }) {
      for (const step of steps) {
        if (step.kind !== 'block' || !step.block.whole || step.block.slot >= fromSlot) yield step;
      }
      while (!signal.aborted && !(await until(store))) await clock.sleep(20);
      if (ending === 'kill') stop.abort();
    },
  };
  const stats = createIngestStats({ source: 'yellowstone', committedSlot: 0, clock, log: silentLogger });
  await createPipeline({
    ...{ source, store, stats, clock, derive: deriveTrades },
    sink: { publish() {}, commit() {}, withdraw() {}, changed() {} },
    lateSource: node === undefined ? undefined : { read: nodeOf(node) },
    limits: { flushIntervalMs: 1_000, maxWaitingBatches: 8, positionCapacity: 10, refoldDelayMs },
  }).run(stop.signal);
  await store.close(1_000);
  await opened.close();
}

const BEHIND = { whole: false, firstIndex: 200 } as const;
const BEFORE = { whole: false, firstIndex: 0 } as const;
const confirmed = (block: Block): ChainStep => ({ kind: 'block', block, confirmed: true });
const isWhole = (chain: readonly Block[]) => async (store: OpenIngestStore) =>
  store.coverage.length === 1 && store.wholeSlot === chain.at(-1)?.slot;
const isSettled = (chain: readonly Block[]) => async (store: OpenIngestStore) =>
  (await isWhole(chain)(store)) && (await store.readStale()).mints.length === 0;

/** Every position and holding that the store has, and that nothing else is wrong with it. */
async function endState(name: string): Promise<FoldedChain> {
  const client = createStoreClient({ ...test.store.connection, database: name });
  const { mismatches } = await verifyStore({ client });
  expect(mismatches).toEqual([]);
  await client.close();
  const opened = await openDatabase(name);
  const store = await openIngestStore(
    { connection: opened.connection, dataDir: `${test.dataDir}/${name}`, lease: opened.lease },
    { clock, log: silentLogger },
  );
  const positions: [string, PositionState][] = [];
  const holdings: [string, HoldingState][] = [];
  const mints = Array.from({ length: 5 }, (_, mint) => mintOf(mint));
  for await (const states of store.positionsOf(mints)) {
    for (const state of states) positions.push([positionKey(state), state]);
  }
  for await (const states of store.holdingsOf(mints)) {
    for (const state of states) holdings.push([walletKey(state), state]);
  }
  await store.close(1_000);
  await opened.close();
  expect(holdings.length).toBeGreaterThan(20);
  return sortedChain({ positions: new Map(positions), holdings: new Map(holdings) });
}

describe('the store after late blocks', () => {
  it('is what it would be without the holes, also when it was killed between a hole and its refold', async () => {
    const chain = makeChain(5);
    const isTold = (_: Block, place: number) => place < 10 || (place > 40 && place < 52) || place > 60;
    const told = chain.filter(isTold).map(confirmed);
    // The first life fills the holes and is killed before it folds anything again.
    const filled = { until: isWhole(chain), refoldDelayMs: 60_000, ending: 'kill' } as const;
    await live({ name: 'holes', steps: told, node: chain, ...filled });
    await live({ name: 'holes', steps: [], until: isSettled(chain) });
    expect(await endState('holes')).toEqual(foldChain(chain, deriveTrades));
  });

  it('has whole blocks in the place of their single transactions, which stood at other places', async () => {
    const chain = makeChain(6);
    // A capture gives its transactions places of their own: here behind where they are in the block, and before.
    const parts = new Map(
      [20, 21, 99].map((place) => {
        const { slot, parentSlot } = chain[place]!;
        return [
          place,
          tradeBlock(slot, parentSlot, tradesOf.get(chain[place]!)!.slice(3, 7), place === 20 ? BEHIND : BEFORE),
        ];
      }),
    );
    const steps = chain.map((block, place) => confirmed(parts.get(place) ?? block));
    await live({ name: 'parts', steps, until: async (store) => store.committedSlot === chain[99]!.slot });
    const whole = confirmed(chain[99]!);
    await live({ name: 'parts', steps: [whole], node: chain, until: isSettled(chain) });
    expect(await endState('parts')).toEqual(foldChain(chain, deriveTrades));
  });

  it('takes no single transactions of a block that it has whole', async () => {
    const chain = makeChain(9);
    const before = chain.slice(0, 99);
    const reached = (slot: number) => async (store: OpenIngestStore) => store.wholeSlot === slot;
    await live({ name: 'whole', steps: before.map(confirmed), until: reached(chain[98]!.slot) });
    const { slot, parentSlot } = chain[98]!;
    const again = tradeBlock(slot, parentSlot, tradesOf.get(chain[98]!)!, BEHIND);
    const next = tradeBlock(slot + 1, slot, tradesOf.get(chain[98]!)!);
    await live({ name: 'whole', steps: [confirmed(again), confirmed(next)], until: reached(slot + 1) });
    expect(await endState('whole')).toEqual(foldChain([...before, next], deriveTrades));
  });

  it('gives all swaps of some mints in order, however small the pages', async () => {
    const chain = makeChain(8);
    const whole = async (store: OpenIngestStore) => store.wholeSlot === chain.at(-1)!.slot;
    await live({ name: 'pages', steps: chain.map(confirmed), until: whole });
    const client = createStoreClient({ ...test.store.connection, database: 'pages' });
    const read = async (pageRows: number) => {
      const found: PositionSwap[] = [];
      for await (const swaps of streamSwapsOf(client, [mintOf(0), mintOf(3)], pageRows)) found.push(...swaps);
      return found.map(({ mint, slot, blockIndex }) => `${mint} ${slot} ${blockIndex}`);
    };
    const all = chain.flatMap((block) => deriveTrades(block).swaps);
    const expected = [0, 3].flatMap((mint) => all.filter((swap) => swap.mint === mintOf(mint)));
    const lines = expected.map(({ mint, slot, blockIndex }) => `${mint} ${slot} ${blockIndex}`);
    for (const pageRows of [500_000, 64, 17]) expect(await read(pageRows)).toEqual(lines);
    await client.close();
  });

  it('keeps the state written last of two at the same place, and no resend of a flush undoes it', async () => {
    const opened = await openDatabase('again');
    const slotIndex = await readSlotIndex(opened.client);
    const target = { client: opened.client, slotIndex, assertLease() {} };
    const [state] = foldChain(makeChain(7), deriveTrades).positions.values();
    const before = flushOf(new Map([['positions', encodePositions([{ ...state!, basis: 1n }])]]));
    const after = flushOf(new Map([['positions', encodePositions([{ ...state!, basis: 2n }])]]));
    const basis = async () => {
      const [found] = await readStoredPositions(opened.client, [state!]);
      return found?.basis;
    };
    await insertFlush(target, before, false);
    await insertFlush(target, after, false);
    expect(await basis()).toBe(2n);
    // The first try of an insert that was given up, and lands late.
    await insertFlush(target, before, false);
    expect(await basis()).toBe(2n);
    // The outbox of a run that was killed: everything again, in order.
    await insertFlush(target, before, true);
    await insertFlush(target, after, true);
    expect(await basis()).toBe(2n);
    await runStatement(opened.client, 'OPTIMIZE TABLE positions FINAL');
    expect(await basis()).toBe(2n);
    await opened.close();
  });
});
