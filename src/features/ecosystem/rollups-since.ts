import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineQuery } from '../../store/query.ts';
import { MINUTE_S } from '../../token/chain-time-reads.ts';
import { countedSince } from '../../token/counted-since.ts';
import type { UnbrokenSlots } from '../../token/history.ts';

const firsts = defineQuery({
  sql: new URL('./rollups-first.sql', import.meta.url),
  params: Type.Object({}),
  row: Type.Object({
    trades: Type.Integer(),
    fees: Type.Integer(),
    traders: Type.Integer(),
    volumes: Type.Integer(),
    tippers: Type.Integer(),
  }),
});

/** Rollups that are made of swaps. */
export type SwapRollup = 'trades' | 'fees' | 'traders' | 'volumes' | 'tippers';

const HOUR_S = 3_600;
const WIDTHS: Readonly<Record<SwapRollup, number>> = {
  trades: MINUTE_S,
  fees: MINUTE_S,
  traders: HOUR_S,
  volumes: HOUR_S,
  tippers: HOUR_S,
};

/**
 * Since when some rollups have all swaps of slots, Unix seconds; undefined while that is not known. They were made of the
 * swaps that an older store still had.
 */
export async function readRollupsSince(
  client: StoreClient,
  rollups: readonly SwapRollup[],
  { slots, keptSince }: { readonly slots: UnbrokenSlots | undefined; readonly keptSince: number },
): Promise<number | undefined> {
  const begun = slots?.since;
  if (begun === undefined || begun >= keptSince) return begun;
  const [first] = await firsts(client, {});
  const times = rollups.flatMap(
    (name) => countedSince(slots, { keptSince, first: first![name], width: WIDTHS[name] }) ?? [],
  );
  return Math.max(begun, ...times);
}
