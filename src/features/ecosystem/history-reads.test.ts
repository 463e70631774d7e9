import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../../test/support/store-hosts.ts';
import { runStatement } from '../../store/clickhouse/client.ts';
import { readChainTime } from '../../token/chain-time-reads.ts';
import { readCoverage } from '../../token/coverage-reads.ts';
import { readRangeTimes } from './history-reads.ts';
import { gapsOf } from './history-rules.ts';

const START = 1_790_000_000;
const HOUR_S = 3_600;
const FIRST_SLOT = 200_000_000;
const HOUR_SLOTS = 9_000;
const BLOCKS = 20;

let hosts: StoreHosts;
beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts.close());

interface Odd {
  /** Of the block in the middle of the first range, of its last one, and of the newest one. */
  readonly middle?: number;
  readonly last?: number;
  readonly newest?: number;
  /** Of a block in the hole that is in no range: its flush has not ended. */
  readonly unended?: number;
  /** Slots that the newest block is ahead of the others. */
  readonly ahead?: number;
}

/** Gaps that are found where an hour of blocks is missing between two ranges. */
async function gaps({ middle, last, newest, unended, ahead = 0 }: Odd) {
  const client = await hosts.openDatabase();
  const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
  const rangeOf = (firstSlot: number, start: number, odd: Readonly<Record<number, number | undefined>>) => {
    const maker = createFactsMaker({ seed: 5, swapsPerBlock: 1, firstSlot });
    return Array.from({ length: BLOCKS }, (_, at) => {
      const facts = maker.next();
      const slot = at === BLOCKS - 1 && firstSlot > FIRST_SLOT ? facts.slot + ahead : facts.slot;
      const bare = { ...facts, slot, parentSlot: slot - 1, swaps: [], created: [], transfers: [] };
      return maker.toBatch({ ...bare, time: odd[at] ?? start + at });
    });
  };
  await writer.flush(rangeOf(FIRST_SLOT, START, { 9: middle, [BLOCKS - 1]: last }));
  const second = rangeOf(FIRST_SLOT + HOUR_SLOTS, START + HOUR_S, { [BLOCKS - 1]: newest });
  await writer.flush(second);
  await writer.close(1_000);
  if (unended !== undefined) {
    const slot = FIRST_SLOT + HOUR_SLOTS / 2;
    const values = `toUInt32(${slot}) AS slot, toDateTime(${unended}, 'UTC') AS time`;
    const first = `FROM blocks WHERE blocks.slot = ${FIRST_SLOT}`;
    await runStatement(client, `INSERT INTO blocks SELECT * REPLACE (${values}) ${first}`);
  }
  const mark = second.at(-1)!.lastSlot;
  const chain = (await readChainTime(client, mark, START + HOUR_S + BLOCKS))!;
  const question = { from: START, to: START + 2 * HOUR_S, step: HOUR_S, newest: chain, mark };
  const found = gapsOf(await readRangeTimes(client, await readCoverage(client), question), chain.now);
  await client.close();
  return found;
}

describe('a hole of histories', () => {
  /** To the block before an edge, or behind it. */
  const within = (at: number, off: number) => expect.toSatisfy((time: number) => Math.abs(time - at) <= off);
  const hole = [
    { from: Number.NEGATIVE_INFINITY, to: within(START, 1) },
    { from: within(START + BLOCKS - 1, 1), to: within(START + HOUR_S, 1) },
  ];

  it('is between the blocks around it', async () => {
    expect(await gaps({})).toEqual(hole);
  });

  it('is hidden by no block far ahead, wherever it is', async () => {
    const tomorrow = START + 86_400;
    for (const odd of [{ middle: tomorrow }, { last: tomorrow }, { newest: tomorrow }, { newest: 0xffff_ffff }]) {
      expect(await gaps(odd)).toEqual(hole);
    }
  });

  it('is filled by no block that is in no range of whole slots', async () => {
    expect(await gaps({ unended: START + 1_800 })).toEqual(hole);
  });

  it('is seen though the newest block has a slot far ahead of the others', async () => {
    const found = await gaps({ ahead: 40_000_000 });
    expect(found.slice(0, 2)).toEqual(hole);
  });
});
