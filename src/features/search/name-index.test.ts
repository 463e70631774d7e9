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

function blockWith(slot: number, kind: Happening['kind'], amount = 1_000n): WorldBlock {
  const block: WorldBlock = {
    ...{ slot, time: 1_790_000_000 + slot, creations: [], completions: [], graduations: [], creatorChanges: [] },
    ...{ swaps: [], attempts: [], transfers: [], positions: [] },
  };
  const shape = { mint: 0, trader: 1, quote: 0, venue: 0, flag: true, odd: false, amount, tokens: 1_000_000n };
  addHappening(block, { kind, ...shape }, 0);
  return block;
}

/** Of others the store knows the name alone. */
function isSeen({ slot, tradedSlot }: StoredName): boolean {
  return slot > 0 || tradedSlot > 0;
}

/** An index over a store of some names, which may be told to wait. */
function openIndex(names: StoredName[], limits = { tokens: 1_000, bytes: 1e9 }) {
  const feed = createFeed({ maxHeldBatches: 20 });
  feed.commit(5, 0);
  let wait: Promise<void> | undefined;
  let reads = 0;
  const asked: string[] = [];
  let elapsed = 0;
  const tables: NameReads = {
    async names() {
      reads += 1;
      const told = names.filter(isSeen);
      await wait;
      return told;
    },
    async namesOf(mints) {
      asked.push(...mints);
      const told = names.filter(({ mint }) => mints.some((each) => each === mint));
      await wait;
      return told.map((name) => ({ ...name, isSeen: isSeen(name) }));
    },
    async counts() {
      const traded = names.filter(({ tradedSlot }) => tradedSlot > 0).length;
      return { told: names.length, tokens: names.length, traded };
    },
    async cutoffs(untraded, traded) {
      const nth = (slots: number[], at: number) => slots.sort((a, b) => b - a)[at] ?? 0;
      return {
        untradedSlot: nth(
          names.filter(({ tradedSlot }) => tradedSlot === 0).map(({ slot }) => slot),
          untraded,
        ),
        tradedSlot: nth(
          names.flatMap(({ tradedSlot }) => (tradedSlot > 0 ? [tradedSlot] : [])),
          traded,
        ),
      };
    },
  };
  const clock = { ...systemClock, elapsed: () => elapsed, sleep: () => new Promise<void>(() => {}) };
  const index = createNameIndex({ reads: tables, feed, clock, log: silentLogger, limits });
  return {
    ...{ index, feed, asked },
    get reads() {
      return reads;
    },
    hold() {
      let go = () => {};
      wait = new Promise((resolve) => {
        go = resolve;
      });
      return () => {
        wait = undefined;
        go();
      };
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

describe('names that the store tells otherwise', () => {
  it('stay when a block on top of them is taken back', async () => {
    const names: StoredName[] = [];
    const world = openIndex(names);
    await world.index.ready();
    world.feed.publish(worldBatch(blockWith(6, 'swap')));
    names.push(stored(MINT!, 'found in a hole', { slot: 2 }));
    world.feed.changed([MINT!]);
    expect(await world.token(MINT!)).toMatchObject({ name: 'found in a hole' });
    world.feed.withdraw(6);
    expect(await world.token(MINT!)).toMatchObject({ name: 'found in a hole', slot: 2, market: 0 });
    world.index.close();
  });

  it('go beneath blocks that were stored while they were read', async () => {
    const names = [stored(MINT!, 'old', { slot: 2 })];
    const world = openIndex(names);
    await world.index.ready();
    const release = world.hold();
    names[0] = stored(MINT!, 'hole', { slot: 1 });
    world.feed.changed([MINT!]);
    const told = world.token(MINT!);
    world.feed.publish(worldBatch(blockWith(6, 'swap')));
    world.feed.commit(6, 1);
    world.feed.publish(worldBatch(blockWith(7, 'attempt')));
    release();
    expect(await told).toMatchObject({ name: 'hole', slot: 1 });
    expect((await told)?.market).toBeGreaterThan(0);
    world.index.close();
  });

  it('are asked for when a token trades that nobody has seen', async () => {
    const world = openIndex([stored(MINT!, 'told by its accounts', { slot: 0 })]);
    expect(await world.token(MINT!)).toBeUndefined();
    world.feed.publish(worldBatch(blockWith(6, 'swap')));
    world.feed.publish(worldBatch(blockWith(7, 'swap', 9_000_000n)));
    expect(await world.token(MINT!)).toMatchObject({ name: 'told by its accounts' });
    world.feed.withdraw(7);
    expect(await world.token(MINT!)).toMatchObject({ name: 'told by its accounts' });
    world.feed.withdraw(6);
    expect(await world.token(MINT!)).toBeUndefined();
    expect(world.asked).toEqual([MINT]);
    world.index.close();
  });

  it('are all read again when more changed than is noted while they were read', async () => {
    const names: StoredName[] = [];
    const world = openIndex(names);
    const release = world.hold();
    await new Promise((resolve) => setImmediate(resolve));
    names.push(stored(MINT!, 'late', { slot: 2 }));
    world.feed.changed([MINT!, ...Array.from({ length: 100_000 }, (_, at) => `${at}` as typeof MINT & string)]);
    release();
    expect(await world.token(MINT!)).toMatchObject({ name: 'late' });
    world.index.close();
  });

  it('are not asked for when documents of tokens come', async () => {
    const world = openIndex([]);
    await world.index.ready();
    world.feed.described([MINT!]);
    await world.index.ready();
    expect(world.asked).toEqual([]);
    world.index.close();
  });
});

describe('blocks that come and go', () => {
  it('take no room', async () => {
    const world = openIndex([stored(MINT!, 'traded', { slot: 2 })], { tokens: 10, bytes: 1e9 });
    await world.index.ready();
    for (let round = 0; round < 20; round += 1) {
      world.feed.publish(worldBatch(blockWith(6, 'swap', 10n ** BigInt(round % 9))));
      world.feed.withdraw(6);
      world.feed.changed([MINT!]);
      await world.index.ready();
    }
    const index = await world.index.ready();
    expect(index.add(stored(OTHER, 'new'))).toBe(true);
    expect(world.index.isPartial).toBe(false);
    world.index.close();
  });

  it('leave the price as it is when they come behind later ones', async () => {
    const world = openIndex([]);
    await world.index.ready();
    world.feed.publish(worldBatch(blockWith(9, 'swap', 1_000_000_000n)));
    const market = (await world.token(MINT!))?.market;
    world.feed.publish(worldBatch(blockWith(7, 'swap', 10n), false));
    expect((await world.token(MINT!))?.market).toBe(market);
    world.feed.publish(worldBatch(blockWith(10, 'swap', 10n)));
    expect((await world.token(MINT!))?.market).toBeLessThan(market!);
    world.index.close();
  });
});

it('keeps the newest of names that are longer than there is room for, and fills no index to its rim', async () => {
  const tail = (at: number) => `${at}`.padStart(6, '0').replaceAll('0', 'z');
  const names = Array.from({ length: 3_000 }, (_, at) =>
    stored(`${OTHER.slice(0, -6)}${tail(at)}`, `${at} ${'long '.repeat(300)}`, { slot: ((at * 7) % 3_000) + 1 }),
  );
  const world = openIndex(names, { tokens: 10_000, bytes: 3_000_000 });
  const index = await world.index.ready();
  expect([index.isFull, world.index.isPartial]).toEqual([false, true]);
  const oldest = names.filter(({ mint }) => index.get(mint) !== undefined).map(({ slot }) => slot);
  expect(oldest.length).toBeGreaterThan(500);
  expect(Math.min(...oldest)).toBe(3_001 - oldest.length);
  world.index.close();
});
