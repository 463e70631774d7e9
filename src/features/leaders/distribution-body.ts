import { jsonBody } from '../../books/json-text.ts';
import type { Written } from '../../contract/written.ts';
import { type Belonging, distribute, type Share } from '../../leaders/distribution.ts';
import type { EpochSchedule } from '../../leaders/epoch-schedule.ts';
import type { KnownLeader, KnownLeaders } from '../../leaders/known-leaders.ts';
import type { DistributionRow, LeaderDistribution } from './contract.ts';
import { type DistributedBy, MAX_SHARES, OTHER_KEY } from './contract-limits.ts';

/** What a validator is counted under; undefined where that is not known. */
const BELONGINGS: Readonly<Record<DistributedBy, (leader: KnownLeader) => Belonging | undefined>> = {
  city({ place }) {
    if (place?.city === undefined) return undefined;
    const { city, country, lat, lon } = place;
    return { key: city, country, lat, lon };
  },
  country: ({ place }) => (place?.country === undefined ? undefined : { key: place.country, country: place.country }),
  datacenter({ place }) {
    if (place?.network === undefined || place.city === undefined) return undefined;
    return { key: `${place.network} (${place.city})`, country: place.country };
  },
  client: ({ client }) => (client === undefined ? undefined : { key: client }),
};

/** Whose the slots of the schedule's epoch are. */
export function distributionBody(schedule: EpochSchedule, by: DistributedBy, known: KnownLeaders): Buffer {
  const belongingOf = BELONGINGS[by];
  const { shares, unknownSlots } = distribute(schedule, (validator) => belongingOf(known(validator)));
  const percent = (slots: number) => Math.round((slots * 10_000) / schedule.slots) / 100;
  const [first] = shares;
  return jsonBody({
    by,
    epoch: schedule.epoch,
    total_slots: schedule.slots,
    leader: first?.key,
    leader_pct: first === undefined ? undefined : percent(first.slots),
    unknown_slots: unknownSlots,
    data: rowsOf(shares, percent),
  } satisfies Written<LeaderDistribution>);
}

/** The largest shares, and one row for all others. */
function rowsOf(shares: readonly Share[], percent: (slots: number) => number): Written<DistributionRow>[] {
  const rows = shares.slice(0, MAX_SHARES).map(
    ({ key, country, slots, validators, lat, lon }): Written<DistributionRow> => ({
      ...{ key, country, slots, pct: percent(slots), validators, lat, lon },
    }),
  );
  const others = shares.slice(MAX_SHARES);
  if (others.length === 0) return rows;
  const sum = (of: (share: Share) => number) => others.reduce((total, share) => total + of(share), 0);
  const slots = sum((share) => share.slots);
  return [...rows, { key: OTHER_KEY, slots, pct: percent(slots), validators: sum(({ validators }) => validators) }];
}
