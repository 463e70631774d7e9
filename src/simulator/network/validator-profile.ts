import { SIMULATED_PLACES, simulatedAddress, UNKNOWN_FROM, UNKNOWN_WEIGHT } from '../geoip/simulated-places.ts';
import type { Random } from '../random.ts';

/** Of a validator, as far as it does not change from epoch to epoch. */
export interface ValidatorProfile {
  /** About one in six publishes none. */
  readonly name: string | undefined;
  readonly version: string;
  readonly clientId: number;
  readonly ip: string;
  readonly commission: number;
}

/** Numbers of places, those that no database knows behind all others. */
const PLACES = [
  ...SIMULATED_PLACES.map(({ weight }, place) => ({ place, weight })),
  { place: UNKNOWN_FROM, weight: UNKNOWN_WEIGHT },
];

/** What validators run: the id of the client in gossip, the version, how many of a hundred. */
const CLIENTS: readonly { readonly clientId: number; readonly version: string; readonly weight: number }[] = [
  { clientId: 1, version: '4.2.1', weight: 26 },
  { clientId: 3, version: '4.2.1', weight: 14 },
  { clientId: 3, version: '4.3.0-rc.0', weight: 3 },
  { clientId: 6, version: '4.2.1', weight: 20 },
  { clientId: 2, version: '0.913.40201', weight: 13 },
  { clientId: 5, version: '1.1.2', weight: 6 },
  { clientId: 4, version: '4.2.0', weight: 4 },
  { clientId: 8, version: '4.2.1', weight: 6 },
  { clientId: 10, version: '4.2.1', weight: 5 },
  { clientId: 86, version: '0.1.0', weight: 3 },
];

const FIRST_WORDS = ['North', 'Silent', 'Copper', 'Lunar', 'Harbor', 'Glacier', 'Amber', 'Velvet', 'Solid', 'Orchid'];
const LAST_WORDS = ['Stake', 'Nodes', 'Validator', 'Labs', 'Collective', 'Foundry', 'Works', 'Relay', 'Stakehouse 🥩'];
const NAMELESS_SHARE = 0.17;
const COMMISSIONS = [0, 0, 0, 0, 5, 5, 5, 5, 4, 7, 8, 10, 100];

/** `place` tells validators apart: no two names and no two addresses are the same. */
export function validatorProfile(place: number, random: Random): ValidatorProfile {
  const { clientId, version } = byWeight(CLIENTS, random);
  const { place: home } = byWeight(PLACES, random);
  const first = FIRST_WORDS[place % FIRST_WORDS.length]!;
  const last = LAST_WORDS[Math.floor(place / FIRST_WORDS.length) % LAST_WORDS.length]!;
  const round = Math.floor(place / (FIRST_WORDS.length * LAST_WORDS.length));
  return {
    name: random.chance(NAMELESS_SHARE) ? undefined : `${first} ${last}${round === 0 ? '' : ` ${round + 1}`}`,
    version,
    clientId,
    ip: simulatedAddress(home, place % 256),
    commission: random.pick(COMMISSIONS),
  };
}

function byWeight<T extends { readonly weight: number }>(list: readonly T[], random: Random): T {
  const total = list.reduce((sum, { weight }) => sum + weight, 0);
  let left = random.next() * total;
  for (const each of list) {
    left -= each.weight;
    if (left < 0) return each;
  }
  return list.at(-1)!;
}
