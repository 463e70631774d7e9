import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineQuery } from '../../store/query.ts';

/** Slots over which the time of one is measured. */
const MEASURED_SLOTS = 1_000;
/** Over fewer slots a skipped one at either end would tell too much. */
const ENOUGH_SLOTS = 100;

const span = defineQuery({
  sql: new URL('./slot-time.sql', import.meta.url),
  params: Type.Object({ first: Type.Integer(), last: Type.Integer() }),
  row: Type.Object({
    first_slot: Type.Integer(),
    last_slot: Type.Integer(),
    first_time: Type.Integer(),
    last_time: Type.Integer(),
  }),
});

/**
 * Milliseconds that a slot took, the mean of the last 1,000 up to `slot`, or of
 * those that follow it where the data begin with it. Undefined while there are not
 * enough of either.
 */
export async function readSlotMs(client: StoreClient, slot: number): Promise<number | undefined> {
  const before = await measure(client, Math.max(0, slot - MEASURED_SLOTS), slot);
  return before ?? measure(client, slot, slot + MEASURED_SLOTS);
}

async function measure(client: StoreClient, first: number, last: number): Promise<number | undefined> {
  const [row] = await span(client, { first, last });
  // Within one second nothing turns.
  if (row === undefined || row.first_slot === 0) return undefined;
  const slots = row.last_slot - row.first_slot;
  return slots < ENOUGH_SLOTS || row.last_time <= row.first_time
    ? undefined
    : ((row.last_time - row.first_time) * 1_000) / slots;
}
