import type { Address } from '../chain/address.ts';
import type { EpochSchedule, Validator } from './epoch-schedule.ts';
import type { Place } from './places.ts';

/** What a validator is counted under. */
export interface Belonging extends Pick<Place, 'country' | 'lat' | 'lon'> {
  readonly key: string;
}

/** Slots of an epoch that belong together. */
export interface Share {
  readonly key: string;
  readonly country: string | undefined;
  readonly slots: number;
  /** Different identities that lead them. */
  readonly validators: number;
  /** Of the place within the key where most of them are. */
  readonly lat: number | undefined;
  readonly lon: number | undefined;
}

/** Whose slots an epoch's are. */
export interface Distribution {
  /** Most slots first. Equal ones in order of key and country. */
  readonly shares: readonly Share[];
  /** Slots whose leader belongs nowhere that is known. */
  readonly unknownSlots: number;
}

interface Group {
  readonly key: string;
  readonly country: string | undefined;
  slots: number;
  readonly identities: Set<Address>;
  /** Slots by the place, as text. */
  readonly spots: Map<string, { readonly lat: number; readonly lon: number; slots: number }>;
}

/** The slots of an epoch by what their leaders belong to. The same key in two countries is two shares. */
export function distribute(
  schedule: EpochSchedule,
  belongingOf: (validator: Validator) => Belonging | undefined,
): Distribution {
  const groups = new Map<string, Group>();
  let unknownSlots = schedule.slots;
  for (const [place, slots] of slotsByValidator(schedule).entries()) {
    if (slots === 0) continue;
    const validator = schedule.validators[place]!;
    const belonging = belongingOf(validator);
    if (belonging === undefined) continue;
    unknownSlots -= slots;
    addTo(groups, belonging, validator.identity, slots);
  }
  const shares = [...groups.values()].map(shareOf).sort(byRank);
  return { shares, unknownSlots };
}

/** Slots that each validator leads, by its place in the schedule's list. */
function slotsByValidator({ leaders, validators }: EpochSchedule): Uint32Array {
  const counts = new Uint32Array(validators.length);
  for (const leader of leaders) if (leader < counts.length) counts[leader]! += 1;
  return counts;
}

function addTo(groups: Map<string, Group>, belonging: Belonging, identity: Address, slots: number): void {
  const { key, country, lat, lon } = belonging;
  const name = `${country ?? ''} ${key}`;
  const group = groups.get(name) ?? { key, country, slots: 0, identities: new Set(), spots: new Map() };
  groups.set(name, group);
  group.slots += slots;
  group.identities.add(identity);
  if (lat === undefined || lon === undefined) return;
  const spot = group.spots.get(`${lat} ${lon}`) ?? { lat, lon, slots: 0 };
  group.spots.set(`${lat} ${lon}`, spot);
  spot.slots += slots;
}

function shareOf({ key, country, slots, identities, spots }: Group): Share {
  const [spot] = [...spots.values()].sort((a, b) => b.slots - a.slots || a.lat - b.lat || a.lon - b.lon);
  return { key, country, slots, validators: identities.size, lat: spot?.lat, lon: spot?.lon };
}

function byRank(a: Share, b: Share): number {
  return b.slots - a.slots || compare(a.key, b.key) || compare(a.country ?? '', b.country ?? '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
