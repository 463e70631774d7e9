import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { extent } from '../../test/support/extent.ts';
import { createForkedWorld, forkedScripts, turns } from '../../test/support/forked-world.ts';
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { WorldBlock } from '../../test/support/token-world-rows.ts';
import { createFeed } from '../feed/in-process.ts';
import { silentLogger } from '../kernel/log.ts';
import { createSlotEconomics, type SlotEconomics, type SlotEconomicsDeps } from './slot-economics.ts';
import { NOTHING_PAID, type SlotEconomicsRow } from './slot-sums.ts';

const NOW = 1_790_000_000;
const followed: SlotEconomics[] = [];
afterEach(() => {
  for (const each of followed.splice(0)) each.close();
});

function follow(deps: Pick<SlotEconomicsDeps, 'feed' | 'read'>, clock = createHandClock(NOW * 1_000)) {
  const economics = createSlotEconomics({ ...deps, clock, log: silentLogger });
  followed.push(economics);
  return { economics, clock };
}

/** What a block paid, by a plain walk over its transactions. */
function rowOf({ slot, swaps }: WorldBlock): SlotEconomicsRow {
  const most = (numbers: readonly bigint[]) => [...numbers].sort((a, b) => (a < b ? 1 : -1))[0]!;
  const total = (numbers: readonly bigint[]) => numbers.reduce((a, b) => a + b, 0n);
  const inSol = swaps.filter(({ quote_mint }) => quote_mint === '');
  const places = new Set(swaps.map(({ block_index }) => block_index));
  const rows = Array.from(places, (place) => swaps.filter(({ block_index }) => block_index === place));
  return {
    ...{ slot, state: 'seen', swaps: swaps.length, unmeasured: 0 },
    priorityFees: total(rows.map((legs) => most(legs.map(({ network_fee }) => network_fee)) - 5_000n)),
    tips: total(rows.map((legs) => most(legs.map(({ tip }) => tip)))),
    fees: total(inSol.flatMap(({ fee, fee_in_token }) => (fee_in_token ? [] : [fee]))),
    vol: total(inSol.map(({ quote_amount }) => quote_amount)),
  };
}

const unknown = (slot: number): SlotEconomicsRow => ({ slot, state: 'unknown', ...NOTHING_PAID });
const rowsOf = (blocks: readonly WorldBlock[], from: number, to: number) => {
  const bySlot = new Map(blocks.map((block) => [block.slot, rowOf(block)]));
  return Array.from({ length: to - from + 1 }, (_, at) => bySlot.get(from + at) ?? unknown(from + at));
};

describe('what newest slots paid, out of memory', () => {
  it('is what the blocks of the chain paid, whatever came, went or was late, and however slow the store is', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(forkedScripts(NOW, { minActions: 36 }), fc.nat(20), async (script, start) => {
        const live = createForkedWorld(script);
        const read: SlotEconomicsDeps['read'] = async (from, to) => {
          await turns(script.delays[0]!);
          const rows = rowsOf(live.stored(), from, to);
          await turns(script.delays.at(-1)!);
          return rows;
        };
        let { economics, clock } = follow({ feed: live.feed, read });
        for (const [turn, action] of script.actions.entries()) {
          if (turn === start) {
            economics.close();
            ({ economics, clock } = follow({ feed: live.feed, read }));
          }
          if (action.kind === 'ask') {
            await clock.advance(500);
            // Nothing that is told is of a block that is gone.
            const { blocks } = live.settled().reads;
            for (const row of economics.economicsOf(live.feed.headSlot - 50, live.feed.headSlot)) {
              if (row.state !== 'unknown') expect([row]).toEqual(rowsOf(blocks, row.slot, row.slot));
            }
          } else live.act(action);
          await turns(script.delays[turn % script.delays.length]!);
        }
        live.commitAll();
        for (let round = 0; round < 40; round += 1) await clock.advance(500);
        for (let round = 0; round < 3; round += 1) await clock.advance(10_000);
        const head = live.feed.headSlot;
        if (head === 0) return;
        expect(economics.economicsOf(head - 60, head)).toEqual(rowsOf(live.stored(), head - 60, head));
        compared += 1;
      }),
      { numRuns: extent(40, 400) },
    );
    expect(compared).toBeGreaterThan(0);
  });

  it('tells skipped slots from those that nobody told of, and forgets both with the block that is withdrawn', async () => {
    const feed = createFeed({ maxHeldBatches: 10 });
    const maker = createFactsMaker({ seed: 3, firstSlot: 1_000 });
    const { economics } = follow({ feed, read: async (from, to) => rowsOf([], from, to) });
    const [first, , , fourth] = Array.from({ length: 4 }, () => maker.next());
    feed.publish(maker.toBatch(first!));
    feed.publish(maker.toBatch({ ...fourth!, parentSlot: 1_000 }));
    const states = () => economics.economicsOf(999, 1_004).map(({ state }) => state);
    expect(states()).toEqual(['unknown', 'seen', 'skipped', 'skipped', 'seen', 'unknown']);
    expect(economics.newestSlot).toBe(1_003);
    const { version } = economics;
    feed.withdraw(1_003);
    expect(states()).toEqual(['unknown', 'seen', 'unknown', 'unknown', 'unknown', 'unknown']);
    expect(economics.newestSlot).toBe(1_000);
    expect(economics.version).toBeGreaterThan(version);
    expect(economics.economicsOf(5, 4)).toEqual([]);
    expect(() => economics.economicsOf(1, 2_000)).toThrow(RangeError);
  });

  it('reads a late block that has no token, also before all that it knew', async () => {
    const feed = createFeed({ maxHeldBatches: 10 });
    const maker = createFactsMaker({ seed: 5, firstSlot: 1_000 });
    const stored = new Set<number>();
    const read: SlotEconomicsDeps['read'] = async (from, to) =>
      Array.from({ length: to - from + 1 }, (_, at) =>
        stored.has(from + at) ? { slot: from + at, state: 'seen', ...NOTHING_PAID } : unknown(from + at),
      );
    const { economics, clock } = follow({ feed, read });
    feed.publish(maker.toBatch(maker.next()));
    stored.add(1_000);
    feed.commit(1_000, 1);
    await clock.advance(20_000);
    stored.add(999);
    feed.changed([], { first: 999, last: 999 });
    await clock.advance(1_000);
    expect(economics.economicsOf(998, 1_000).map(({ state }) => state)).toEqual(['unknown', 'seen', 'seen']);
  });

  it('takes single transactions for no block, and reads what came out of order once the store has it', async () => {
    const feed = createFeed({ maxHeldBatches: 10 });
    const maker = createFactsMaker({ seed: 4, firstSlot: 1_000 });
    const facts = Array.from({ length: 3 }, () => maker.next());
    const stored = new Set<number>();
    let reads = 0;
    const read: SlotEconomicsDeps['read'] = async (from, to) => {
      reads += 1;
      return Array.from({ length: to - from + 1 }, (_, at) => {
        const slot = from + at;
        return stored.has(slot) ? { slot, state: 'seen', ...NOTHING_PAID, swaps: 7 } : unknown(slot);
      });
    };
    const { economics, clock } = follow({ feed, read });
    await clock.advance(1_000);
    const states = () => economics.economicsOf(1_000, 1_002).map(({ state, swaps }) => [state, swaps]);
    feed.publish(maker.toBatch({ ...facts[2]!, parentSlot: 1_001 }));
    feed.publish(maker.toBatch({ ...facts[0]!, whole: false, parentSlot: 0 }));
    feed.publish(maker.toBatch({ ...facts[1]!, parentSlot: 1_000 }));
    await clock.advance(5_000);
    expect(states()).toEqual([
      ['unknown', 0],
      ['unknown', 0],
      ['seen', 20],
    ]);
    expect(economics.isStale).toBe(true);
    for (const slot of [1_001, 1_002]) stored.add(slot);
    feed.commit(1_002, 3);
    await clock.advance(1_000);
    expect(states()).toEqual([
      ['unknown', 0],
      ['seen', 7],
      ['seen', 7],
    ]);
    expect(economics.isStale).toBe(false);
    const before = reads;
    await clock.advance(60_000);
    expect(reads).toBe(before);
  });

  it('keeps the newest slots alone, and asks again when the store did not answer', async () => {
    const feed = createFeed({ maxHeldBatches: 2_000 });
    let isDown = true;
    const read: SlotEconomicsDeps['read'] = async (from, to) => {
      if (isDown) throw new Error('down');
      return Array.from({ length: to - from + 1 }, (_, at) => ({ slot: from + at, state: 'skipped', ...NOTHING_PAID }));
    };
    const empty = follow({ feed, read });
    await empty.clock.advance(1_000);
    feed.commit(50_000, 0);
    const { economics, clock } = follow({ feed, read });
    await clock.advance(1_000);
    expect([empty.economics.isWarm, economics.isWarm]).toEqual([true, false]);
    isDown = false;
    await clock.advance(11_000);
    await empty.clock.advance(21_000);
    expect(economics.isWarm).toBe(true);
    for (const each of [economics, empty.economics]) {
      expect(each.economicsOf(48_976, 48_978).map(({ state }) => state)).toEqual(['unknown', 'skipped', 'skipped']);
    }
    const maker = createFactsMaker({ seed: 5, firstSlot: 50_001, swapsPerBlock: 1 });
    for (let at = 0; at < 1_100; at += 1) {
      feed.publish(maker.nextBatch());
      feed.commit(50_001 + at, 1);
    }
    expect(economics.economicsOf(50_076, 50_077).map(({ state }) => state)).toEqual(['unknown', 'seen']);
    expect(economics.economicsOf(51_000, 51_000)).toMatchObject([{ slot: 51_000, state: 'seen', swaps: 1 }]);
  });
});
