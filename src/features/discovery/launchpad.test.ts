import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { slotOfBody } from '../../contract/stamp.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { runStatement } from '../../store/clickhouse/client.ts';
import { launchpadBody } from './launchpad.ts';
import { readLaunchpad } from './launchpad-reads.ts';

/** Three days, some of whose blocks lie at the edge of a minute; the last two lie in one. */
const BLOCKS = 300;
const STRIDE_S = 863;
const START = 1_790_000_007;
const DAY_S = 86_400;
const timeOf = (number: number) => START + number * STRIDE_S;

let test: TestStore;
const blocks: BlockFacts[] = [];
beforeAll(async () => {
  test = await openTestStore();
  const maker = createFactsMaker({ seed: 12, swapsPerBlock: 6 });
  for (let number = 0; number < BLOCKS; number += 1) {
    const facts = maker.next();
    const time = number === BLOCKS - 1 ? timeOf(number - 1) + 1 : timeOf(number);
    const swaps = facts.swaps.map((swap, place) => ({ ...swap, time, venue: (place % 3 === 2 ? 1 : 0) as 0 | 1 }));
    const graduated = number % 7 === 0 ? [migration(facts, time)] : [];
    blocks.push({ ...facts, time, swaps, graduated, created: facts.created.map((each) => ({ ...each, time })) });
  }
  await test.store.writer.flush(blocks.map((facts) => maker.toBatch(facts)));
});
afterAll(() => test?.close());

function migration({ slot, swaps }: BlockFacts, time: number): BlockFacts['graduated'][number] {
  const { mint, trader, pool = trader } = swaps[0]!;
  return {
    ...{ slot, time, blockIndex: 900, ixIndex: 3, signature: new Uint8Array(64), mint, pool, user: trader },
    ...{ quoteMint: undefined, tokenAmount: 1n, quoteAmount: 1n, migrationFee: 0n },
  };
}

/** The same by going through the blocks of some time. */
function counted(known: readonly BlockFacts[], from: number, to: number) {
  const within = known.filter(({ time }) => time >= from && time < to);
  const swaps = within.flatMap((block) => block.swaps).filter(({ venue }) => venue === 0);
  const inSol = swaps.filter(({ quoteMint }) => quoteMint === undefined);
  return {
    volume: String(inSol.reduce((sum, { quoteAmount }) => sum + quoteAmount, 0n)),
    trades: swaps.length,
    new_tokens: within.flatMap(({ created }) => created).length,
    graduated: within.flatMap(({ graduated }) => graduated).length,
  };
}

async function told(newest: number, since: number, kept = 0, filled = 0) {
  const bytes = await launchpadBody({
    feed: { committedSlot: blocks[newest]!.slot },
    clock: { sleep: async () => {} },
    unbroken: async () => ({ first: 1, since }),
    wholeSince: async () => new Map([['swaps', kept]]),
    filledSince: async () => filled,
    readLaunchpad: (mark) => readLaunchpad(test.store.client, mark, blocks[newest]!.time),
  });
  return { body: JSON.parse(bytes.toString()), slot: slotOfBody(bytes) };
}

describe('a day of the launchpad', () => {
  it('is that of its minutes, with the day before where all of that is known', async () => {
    const newest = BLOCKS - 1;
    const { slot, time } = blocks[newest]!;
    const from = time - (time % 60) - DAY_S;
    const day = counted(blocks, from, Number.POSITIVE_INFINITY);
    const before = counted(blocks, from - DAY_S, from);
    expect(day.trades).not.toBe(before.trades);
    expect(await told(newest, from - DAY_S)).toEqual({
      slot,
      body: {
        ...{ volume: day.volume, volume_prev: before.volume, trades: day.trades, trades_prev: before.trades },
        ...{ new_tokens: day.new_tokens, new_tokens_prev: before.new_tokens },
        ...{ graduated: day.graduated, graduated_prev: before.graduated },
      },
    });
    expect((await told(newest, from - DAY_S + 1)).body).toEqual(day);
    const since = new Date((from + 60) * 1_000).toISOString().replace('.000Z', 'Z');
    expect((await told(newest, from + 60)).body).toEqual({ ...day, since });
  });

  it('has no day before in a store whose minutes were made when older swaps had been let go', async () => {
    const newest = BLOCKS - 1;
    const { time } = blocks[newest]!;
    const from = time - (time % 60) - DAY_S;
    const first = blocks[0]!.time - (blocks[0]!.time % 60);
    // They were all there, or became minutes before they were let go.
    expect((await told(newest, 0, first)).body).toHaveProperty('volume_prev');
    expect((await told(newest, 0, from)).body).toHaveProperty('volume_prev');
    await runStatement(
      test.store.client,
      `ALTER TABLE venue_minutes DELETE WHERE toUInt32(minute) < ${from - 3_600} SETTINGS mutations_sync = 1`,
    );
    expect((await told(newest, 0, from - 3_600)).body).not.toHaveProperty('volume_prev');
  });

  it('is none without a block', async () => {
    expect(await readLaunchpad(test.store.client, blocks[0]!.slot - 1, START)).toBeUndefined();
  });

  it('tells from when on it is whole while its minutes are filled in, and nothing of the day before', async () => {
    const newest = BLOCKS - 1;
    const { time } = blocks[newest]!;
    const from = time - (time % 60) - DAY_S;
    expect((await told(newest, 0, 0, from - 60)).body).not.toHaveProperty('volume_prev');
    const since = new Date((from + 61) * 1_000).toISOString().replace('.000Z', 'Z');
    expect((await told(newest, 0, 0, from + 61)).body).toMatchObject({ since });
  });

  it('leaves out what is newer than the minute of its slot', async () => {
    const { time } = blocks[BLOCKS - 3]!;
    const day = counted(blocks, time - (time % 60) - DAY_S, time + 1);
    expect((await told(BLOCKS - 3, 0)).body).toMatchObject({ volume: day.volume, trades: day.trades });
  });

  it('is not told while newer swaps than those of its slot are in the sums', async () => {
    await expect(told(BLOCKS - 2, START)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
