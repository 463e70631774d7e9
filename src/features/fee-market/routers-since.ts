import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readFilledSince } from '../../store/clickhouse/derived/due-slots.ts';
import { MINUTE_S } from '../../token/chain-time-reads.ts';
import { countedSince } from '../../token/counted-since.ts';
import type { UnbrokenSlots } from '../../token/history.ts';
import { readFirstMinutes } from './routers-reads.ts';

/** Since when all is there that happened, Unix seconds; undefined while that is not known. */
export interface RoutersSince {
  readonly landed: number | undefined;
  readonly reverted: number | undefined;
}

/**
 * Of a window that is read out of facts, or of rollups: those may be kept for longer than facts, but were made of the facts
 * that an older store still had, and are filled beside the service.
 */
export async function readRoutersSince(
  client: StoreClient,
  {
    slots,
    kept,
    ofFacts,
  }: {
    readonly slots: UnbrokenSlots | undefined;
    readonly kept: ReadonlyMap<string, number>;
    readonly ofFacts: boolean;
  },
): Promise<RoutersSince> {
  const begun = slots?.since;
  if (begun === undefined) return { landed: undefined, reverted: undefined };
  const keptSince = (table: string) => kept.get(table) ?? 0;
  const [swaps, attempts] = [keptSince('swaps'), keptSince('attempts')];
  if (ofFacts) return { landed: Math.max(begun, swaps), reverted: Math.max(begun, attempts) };
  const [minutes, wallets, reverts, first] = await Promise.all([
    readFilledSince(client, 'router_minutes'),
    readFilledSince(client, 'router_traders'),
    readFilledSince(client, 'router_reverts'),
    readFirstMinutes(client),
  ]);
  const counted = (facts: number, minute: number) =>
    countedSince(slots, { keptSince: facts, first: minute, width: MINUTE_S }) ?? begun;
  return {
    landed: Math.max(
      ...[counted(swaps, first.landed), minutes, wallets],
      ...[keptSince('router_minutes'), keptSince('router_traders')],
    ),
    reverted: Math.max(counted(attempts, first.reverted), reverts, keptSince('router_reverts')),
  };
}
