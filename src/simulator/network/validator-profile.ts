import type { Random } from '../random.ts';

/** Where a simulated validator stands. */
export interface SimulatedPlace {
  /** ISO 3166 code. */
  readonly country: string;
  readonly city: string;
  readonly asn: number;
  readonly organization: string;
}

/** Of a validator, as far as it does not change from epoch to epoch. */
export interface ValidatorProfile {
  /** About one in six publishes none. */
  readonly name: string | undefined;
  readonly version: string;
  readonly clientId: number;
  readonly ip: string;
  readonly commission: number;
}

const LATITUDE = { asn: 396_356, organization: 'Latitude.sh' };
const TERASWITCH = { asn: 20_326, organization: 'TeraSwitch Networks Inc.' };
const CONSTANT = { asn: 20_473, organization: 'The Constant Company, LLC' };
const CHERRY = { asn: 16_125, organization: 'UAB Cherry Servers' };
const OVH = { asn: 16_276, organization: 'OVH SAS' };

/** Places with how many of a hundred validators stand there, about as on mainnet. */
const PLACES: readonly (SimulatedPlace & { readonly weight: number })[] = [
  { country: 'DE', city: 'Frankfurt am Main', ...TERASWITCH, weight: 14 },
  { country: 'DE', city: 'Frankfurt am Main', ...LATITUDE, weight: 7 },
  { country: 'NL', city: 'Amsterdam', ...TERASWITCH, weight: 13 },
  { country: 'NL', city: 'Amsterdam', ...CONSTANT, weight: 5 },
  { country: 'JP', city: 'Tokyo', ...LATITUDE, weight: 12 },
  { country: 'SG', city: 'Singapore', ...TERASWITCH, weight: 9 },
  { country: 'GB', city: 'London', ...LATITUDE, weight: 6 },
  { country: 'US', city: 'Chicago', ...TERASWITCH, weight: 5 },
  { country: 'US', city: 'New York', ...LATITUDE, weight: 5 },
  { country: 'US', city: 'Los Angeles', ...CONSTANT, weight: 4 },
  { country: 'BR', city: 'São Paulo', ...LATITUDE, weight: 3 },
  { country: 'HK', city: 'Hong Kong', ...CONSTANT, weight: 3 },
  { country: 'LT', city: 'Šiauliai', ...CHERRY, weight: 4 },
  { country: 'CA', city: 'Montreal', ...OVH, weight: 3 },
  { country: 'FR', city: 'Strasbourg', ...OVH, weight: 3 },
  { country: 'PL', city: 'Warsaw', ...OVH, weight: 2 },
];

/** Addresses of the range that is kept for measuring networks: no host in the world has one. The third number is the place. */
const IP_PREFIX = '198.18.';
const SIMULATED_IP = /^198\.18\.(\d{1,3})\.\d{1,3}$/;

/** The place behind a gossip address of any simulated network; undefined for other addresses. */
export function simulatedPlace(ip: string): SimulatedPlace | undefined {
  const place = PLACES[Number(SIMULATED_IP.exec(ip)?.[1] ?? Number.NaN)];
  return place && { country: place.country, city: place.city, asn: place.asn, organization: place.organization };
}

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
  const home = PLACES.indexOf(byWeight(PLACES, random));
  const first = FIRST_WORDS[place % FIRST_WORDS.length]!;
  const last = LAST_WORDS[Math.floor(place / FIRST_WORDS.length) % LAST_WORDS.length]!;
  const round = Math.floor(place / (FIRST_WORDS.length * LAST_WORDS.length));
  return {
    name: random.chance(NAMELESS_SHARE) ? undefined : `${first} ${last}${round === 0 ? '' : ` ${round + 1}`}`,
    version,
    clientId,
    ip: `${IP_PREFIX}${home}.${place % 256}`,
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
