import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { type FilledSum, readFilledSince } from '../../store/clickhouse/derived/due-slots.ts';
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
/** Rollups that are filled beside the service. */
const FILLED: Readonly<Record<SwapRollup, FilledSum>> = {
  trades: 'venue_minutes',
  fees: 'fee_minutes',
  traders: 'trader_registers',
  volumes: 'mint_hours',
  tippers: 'tipper_hours',
};
const WIDTHS: Readonly<Record<SwapRollup, number>> = {
  trades: MINUTE_S,
  fees: MINUTE_S,
  traders: HOUR_S,
  volumes: HOUR_S,
  tippers: HOUR_S,
};

/**
 * Since when some rollups have all swaps of slots, Unix seconds; undefined while that is not known. They were made of the
 * swaps that an older store still had, some of them in the background.
 */
export async function readRollupsSince(
  client: StoreClient,
  rollups: readonly SwapRollup[],
  { slots, keptSince }: { readonly slots: UnbrokenSlots | undefined; readonly keptSince: number },
): Promise<number | undefined> {
  const begun = slots?.since;
  if (begun === undefined) return undefined;
  const filled = await Promise.all(rollups.map((name) => readFilledSince(client, FILLED[name])));
  const known = Math.max(begun, ...filled);
  if (begun >= keptSince) return known;
  const [first] = await firsts(client, {});
  const times = rollups.flatMap(
    (name) => countedSince(slots, { keptSince, first: first![name], width: WIDTHS[name] }) ?? [],
  );
  return Math.max(known, ...times);
}
