import { Type } from 'typebox';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineQuery } from '../store/query.ts';

/** Twice as many as the shortest slot that is planned comes to, and more. */
const MAX_SLOTS_A_SECOND = 20;

const newest = defineQuery({
  sql: new URL('./newest-block.sql', import.meta.url),
  params: Type.Object({ mark: Type.Integer() }),
  row: Type.Object({ slot: Type.Integer(), time: Type.Integer() }),
});

export const MINUTE_S = 60;

/** The beginning of the minute of a time, Unix seconds. */
export function minuteOf(time: number): number {
  return time - (time % MINUTE_S);
}

export interface NewestBlock {
  readonly slot: number;
  /** Unix seconds. */
  readonly time: number;
}

/** The newest block up to slot `mark` that tells its time: what is now on the chain. Undefined without one. */
export async function readNewestBlock(client: StoreClient, mark: number): Promise<NewestBlock | undefined> {
  return (await newest(client, { mark }))[0];
}

/**
 * The first slot that can lie `seconds` before a block or later. Tables are in parts by slot, not by time: with it no more
 * of them is looked at than can be so young.
 */
export function firstSlotOf({ slot }: NewestBlock, seconds: number): number {
  return Math.max(0, slot - seconds * MAX_SLOTS_A_SECOND);
}
