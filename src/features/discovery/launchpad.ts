import { jsonBody, timeText } from '../../books/json-text.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import { MINUTE_S } from '../../token/chain-time-reads.ts';
import { countedSince } from '../../token/counted-since.ts';
import type { UnbrokenReader, WholeSince } from '../../token/history.ts';
import { readSettled, type SettledDeps } from '../../token/settled.ts';
import type { LaunchpadDay } from './contract-sums.ts';
import type { LaunchpadCounts } from './launchpad-reads.ts';

export interface LaunchpadDeps extends SettledDeps {
  readonly readLaunchpad: (mark: number) => Promise<LaunchpadCounts | undefined>;
  readonly unbroken: UnbrokenReader;
  readonly wholeSince: WholeSince;
  /** Unix seconds from which on the minutes are filled; 0 where all are. */
  readonly filledSince: () => Promise<number>;
}

/**
 * A day of the launchpad and the day before it, out of the store, as it stands at one slot. Of the day before nothing is
 * told unless all of its blocks are known.
 *
 * @throws {ApiError} `warming_up` while there is no block.
 */
export async function launchpadBody({
  readLaunchpad,
  unbroken,
  wholeSince,
  filledSince,
  ...settled
}: LaunchpadDeps): Promise<Buffer> {
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const [slots, kept, filled] = await Promise.all([unbroken(), wholeSince(), filledSince()]);
  const { rows: found, slot } = await readSettled(
    settled,
    () => readLaunchpad(settled.feed.committedSlot),
    (read) => read?.newest ?? 0,
  );
  if (found === undefined) throw new ApiError('warming_up', { message: 'there is no block yet' });
  const keptSince = kept.get('swaps') ?? 0;
  const counted = countedSince(slots, { keptSince, first: found.first_minute, width: MINUTE_S });
  const begun = counted === undefined ? undefined : Math.max(counted, filled);
  const isBeforeKnown = begun !== undefined && begun <= found.before;
  const before = <T>(value: T) => (isBeforeKnown ? value : undefined);
  const day: Written<LaunchpadDay> = {
    volume: found.volume.toString(),
    volume_prev: before(found.volume_before.toString()),
    trades: Number(found.trades),
    trades_prev: before(Number(found.trades_before)),
    new_tokens: found.new_tokens,
    new_tokens_prev: before(found.new_tokens_before),
    graduated: found.graduated,
    graduated_prev: before(found.graduated_before),
    since: begun !== undefined && begun > found.from ? timeText(begun) : undefined,
  };
  return stampBody(jsonBody(day), slot);
}
