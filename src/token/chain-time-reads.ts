import { newestTime } from '../chain/newest-time.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { readBlockTimes } from './block-times.ts';

/** Twice as many as the shortest slot that is planned comes to, and more. */
const MAX_SLOTS_A_SECOND = 20;

export const MINUTE_S = 60;

/** The beginning of the minute of a time, Unix seconds. */
export function minuteOf(time: number): number {
  return time - (time % MINUTE_S);
}

/** What time it is on the chain, and how far it has come. */
export interface ChainTime {
  /** Unix seconds. */
  readonly now: number;
  /** Of the oldest of the blocks that decide: a single one far ahead of the others would put all that is young before it. */
  readonly slot: number;
}

/**
 * The time of the chain at slot `mark`, which no single block decides; undefined while no block tells any. `wall`: Unix
 * seconds by the clock on the wall.
 */
export async function readChainTime(client: StoreClient, mark: number, wall: number): Promise<ChainTime | undefined> {
  const blocks = await readBlockTimes(client, mark);
  const [oldest] = blocks;
  if (oldest === undefined) return undefined;
  const times = blocks.map(({ time }) => time);
  return { now: newestTime(times, wall), slot: oldest.slot };
}

/**
 * The first slot that can lie `seconds` before a slot's time or later. Tables are in parts by slot, not by time: with it
 * no more of them is looked at than can be so young.
 */
export function firstSlotOf(slot: number, seconds: number): number {
  // Those of the same second as well.
  return Math.max(0, slot - (seconds + 1) * MAX_SLOTS_A_SECOND);
}
