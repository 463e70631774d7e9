import { Type } from 'typebox';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { type Coverage, mergeRanges } from '../store/clickhouse/coverage.ts';
import { defineQuery } from '../store/query.ts';

const MAX_RANGES = 10_000;

const ranges = defineQuery({
  sql: new URL('./coverage-ranges.sql', import.meta.url),
  params: Type.Object({ most: Type.Integer() }),
  row: Type.Object({ first_slot: Type.Integer(), last_slot: Type.Integer() }),
  maxRows: MAX_RANGES,
});

/** Slots that the store holds whole. */
export async function readCoverage(client: StoreClient): Promise<Coverage> {
  const rows = await ranges(client, { most: MAX_RANGES });
  return mergeRanges(rows.map(({ first_slot, last_slot }) => ({ first: first_slot, last: last_slot })));
}

/** Slots behind a range's first one among which a block tells its time: more than leaders ever miss in a row. */
const FIRST_SLOTS = 10_000;

const coveredSince = defineQuery({
  sql: new URL('./covered-since.sql', import.meta.url),
  params: Type.Object({ first: Type.Integer(), last: Type.Integer() }),
  row: Type.Object({ began: Type.Integer() }),
});

/** Unix seconds at which a range of whole slots begins; undefined while no block of it tells its time. */
export async function readRangeStart(client: StoreClient, first: number): Promise<number | undefined> {
  const [row] = await coveredSince(client, { first, last: first + FIRST_SLOTS });
  return row?.began || undefined;
}

const begun = defineQuery({
  sql: new URL('./holdings-since.sql', import.meta.url),
  params: Type.Object({}),
  row: Type.Object({ since: Type.Integer() }),
});

/** As the query tells a time that was not noted. */
const NOT_NOTED = 2 ** 32 - 1;

/**
 * Unix seconds from when on all movements are in the holdings; 0 where they are from the first block on, and infinite
 * while a store from before its holdings has not folded all of them.
 */
export async function readHoldingsSince(client: StoreClient): Promise<number> {
  const [row] = await begun(client, {});
  return row!.since === NOT_NOTED ? Number.POSITIVE_INFINITY : row!.since;
}
