import { describe, expect, it } from 'vitest';
import { worldBatch } from '../../../test/support/token-world.ts';
import { addHappening, type Happening, WORLD_MINTS, type WorldBlock } from '../../../test/support/token-world-rows.ts';
import { createFeed } from '../../feed/in-process.ts';
import { systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import type { NamedToken } from '../../search/name-table.ts';
import { isKept } from './name-fill.ts';
import { createNameIndex } from './name-index.ts';
import type { NameReads, StoredName } from './name-reads.ts';

const [MINT] = WORLD_MINTS;
const OTHER = '2i29BGMb2w6dDgTLiBQDuLd9SWd49g2PP1vg9AgfxQRs';

function stored(mint: string, name: string, rest: Partial<StoredName> = {}): StoredName {
  return { ...{ mint, name, symbol: '', slot: 1, within: 0, market: 0, tradedSlot: 0 }, ...rest };
}

function blockWith(slot: number, kind: Happening['kind']): WorldBlock {
  const block: WorldBlock = {
    ...{ slot, time: 1_790_000_000 + slot, creations: [], completions: [], graduations: [], creatorChanges: [] },
    ...{ swaps: [], attempts: [], transfers: [], positions: [] },
  };
  const shape = { mint: 0, trader: 1, quote: 0, venue: 0, flag: true, odd: false, amount: 1_000n, tokens: 1_000_000n };
  addHappening(block, { kind, ...shape }, 0);
  return block;
}

/** An index over a store of some names, which may be told to wait. */
function openIndex(names: StoredName[], limits = { tokens: 1_000, bytes: 1e9 }) {
  const feed = createFeed({ maxHeldBatches: 20 });
  feed.commit(5, 0);
  let wait: Promise<void> | undefined;
  let reads = 0;
  let elapsed = 0;
  const tables: NameReads = {
    async names() {
      reads += 1;
      await wait;
      return [...names];
    },
    async namesOf(mints) {
      return names.filter(({ mint }) => mints.some((each) => each === mint));
    },
    async counts() {
      const traded = names.filter(({ tradedSlot }) => tradedSlot > 0).length;
      return { told: names.length, tokens: names.length, traded };
    },
    async cutoffs(untraded, traded) {
      const nth = (slots: number[], at: number) => slots.sort((a, b) => b - a)[at] ?? 0;
      return {
        untradedSlot: nth(names.filter(({ tradedSlot }) => tradedSlot === 0).map(({ slot }) => slot), untraded),
        tradedSlot: nth(names.flatMap(({ tradedSlot }) => (tradedSlot > 0 ? [tradedSlot] : [])), traded),
      };
    },
  };
  const clock = { ...systemClock, elapsed: () => elapsed, sleep: () => new Promise<void>(() => {}) };
  const index = createNameIndex({ reads: tables, feed, clock, log: silentLogger, limits });
  return {
    ...{ index, feed },
    get reads() {
      return reads;
    },
    hold() {
      let go = () => {};
      wait = new Promise((resolve) => {
        go = resolve;
      });
      return () => go();
    },
    pass(ms: number) {
      elapsed += ms;
    },
    async token(mint: string): Promise<NamedToken | undefined> {
      return (await index.ready()).get(mint);
    },
  };
}

describe('the names that are kept', () => {
  it('have what the feed brought while they were read, but nothing of a block that was taken back', async () => {
    const late = openIndex([stored(OTHER, 'other')]);
    const release = late.hold();
    const [first, second] = [blockWith(6, 'create'), blockWith(7, 'swap')].map((block) => worldBatch(block));
    late.feed.publish(first!);
    late.feed.publish(second!);
    late.feed.withdraw(7);
    release();
    expect((await late.token(MINT!))?.market).toBe(0);
    expect((await late.token(MINT!))?.slot).toBe(6);
    late.feed.publish(second!);
    expect((await late.token(MINT!))?.market).toBeGreaterThan(0);
    late.feed.withdraw(7);
    expect((await late.token(MINT!))?.market).toBe(0);
    late.feed.withdraw(6);
    expect(await late.token(MINT!)).toBeUndefined();
    late.index.close();
  });

  it('are read again of mints that the store tells otherwise, with what it does not have yet on top', async () => {
    const names: StoredName[] = [];
    const world = openIndex(names);
    expect(await world.token(MINT!)).toBeUndefined();
    names.push(stored(MINT!, 'found in a hole', { slot: 2 }));
    world.feed.publish(worldBatch(blockWith(6, 'swap')));
    world.feed.changed([MINT!]);
    expect(await world.token(MINT!)).toMatchObject({ name: 'found in a hole', slot: 2 });
    expect((await world.token(MINT!))?.market).toBeGreaterThan(0);
    world.index.close();
  });

  it('change the version with every block and every change, which answers are kept by', async () => {
    const world = openIndex([]);
    await world.index.ready();
    const versions = [world.index.version];
    world.feed.publish(worldBatch(blockWith(6, 'swap')));
    versions.push(world.index.version);
    world.feed.withdraw(6);
    versions.push(world.index.version);
    world.feed.changed([MINT!]);
    versions.push(world.index.version);
    expect(new Set(versions).size).toBe(versions.length);
    world.index.close();
  });

  it('leave out the oldest that never traded where there is no room, and are read anew once they are full', async () => {
    const names = Array.from({ length: 30 }, (_, slot) => {
      const mint = `${OTHER.slice(0, -2)}${String.fromCharCode(97 + (slot % 11))}${String.fromCharCode(65 + (slot % 7))}`;
      return stored(mint, `name${slot}`, { slot: slot + 1, tradedSlot: slot < 5 ? slot + 1 : 0 });
    });
    const world = openIndex(names, { tokens: 20, bytes: 1e9 });
    const isThere = async (at: number) => (await world.token(names[at]!.mint)) !== undefined;
    expect([await isThere(0), await isThere(29), await isThere(7)]).toEqual([true, true, false]);
    expect(world.index.isPartial).toBe(true);
    const before = world.reads;
    world.pass(3_600_001);
    for (const slot of [6, 7, 8]) world.feed.publish(worldBatch(blockWith(slot, 'create')));
    const index = await world.index.ready();
    index.add(stored('a'.repeat(32), 'x'));
    index.add(stored('b'.repeat(32), 'y'));
    world.feed.publish(worldBatch(blockWith(9, 'swap')));
    await world.index.ready();
    expect(world.reads).toBeGreaterThan(before);
    world.index.close();
  });
});

it('keeps what traded lately before what never did, and everything without a cut', () => {
  const token = (slot: number, tradedSlot: number) => stored(OTHER, 'x', { slot, tradedSlot });
  const cut = { untradedSlot: 50, tradedSlot: 10 };
  expect([token(51, 0), token(50, 0), token(1, 11), token(99, 10)].map((each) => isKept(each, cut))).toEqual([
    ...[true, false, true, false],
  ]);
  expect(isKept(token(0, 0), { untradedSlot: 0, tradedSlot: 0 })).toBe(true);
});
