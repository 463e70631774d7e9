import type { CreatedLeader } from '../contract/token.ts';
import type { Written } from '../contract/written.ts';
import { shownName } from '../token/shown-name.ts';
import { clientOf, runsRelay } from './clients.ts';
import type { Validator } from './epoch-schedule.ts';
import type { Place, Places } from './places.ts';

/** What answers say of a client that is not known. */
export const UNKNOWN_CLIENT = 'unknown';

/** A validator with what is known of it by tables and databases. */
export interface KnownLeader {
  /** As answers show it. */
  readonly shown: Written<CreatedLeader>;
  /** Undefined while unknown. */
  readonly client: string | undefined;
  readonly place: Place | undefined;
}

/** Says what is known of a validator. */
export type KnownLeaders = (validator: Validator) => KnownLeader;

/** Places are looked up once for each validator of a schedule, and let go with it. */
export function createKnownLeaders(places: Places): KnownLeaders {
  const known = new WeakMap<Validator, KnownLeader>();
  return (validator) => {
    const before = known.get(validator);
    if (before !== undefined) return before;
    const leader = lookUp(validator, places);
    known.set(validator, leader);
    return leader;
  };
}

function lookUp(validator: Validator, places: Places): KnownLeader {
  const { identity, name, version, stake, gossipIp } = validator;
  const client = clientOf(validator);
  const place = gossipIp === undefined ? undefined : places.placeOf(gossipIp);
  return {
    client,
    place,
    shown: {
      identity,
      name: shownText(name),
      client: client ?? UNKNOWN_CLIENT,
      version: shownText(version),
      relay_flag: runsRelay(validator),
      stake: String(stake),
      country: place?.country,
      city: place?.city,
    },
  };
}

/** A stranger's text; undefined when nothing of it can be shown. */
function shownText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : shownName(text).trim() || undefined;
}
