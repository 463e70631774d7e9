import { type MmdbNetwork, writeMmdb } from './write-mmdb.ts';

/**
 * Where the addresses of simulated validators are: 198.18.<place>.<number>, of a range that is kept for tests and is
 * nobody's. Places from {@link UNKNOWN_FROM} on are in no database.
 */
export interface SimulatedPlace {
  readonly country: string;
  /** As databases name it, not as answers do. */
  readonly city: string | undefined;
  readonly lat: number;
  readonly lon: number;
  readonly asn: bigint;
  readonly network: string;
  /** How many of a hundred validators stand there, about as on mainnet. */
  readonly weight: number;
}

/** From this number on a place is unknown. */
export const UNKNOWN_FROM = 200;
/** How many of a hundred validators stand where no database knows. */
export const UNKNOWN_WEIGHT = 4;

const TERASWITCH = { asn: 20_326n, network: 'TeraSwitch Networks Inc.' };
const LATITUDE = { asn: 396_356n, network: 'Latitude.sh' };
const CONSTANT = { asn: 20_473n, network: 'The Constant Company, LLC' };
const CHERRY = { asn: 16_125n, network: 'UAB Cherry Servers' };
const OVH = { asn: 16_276n, network: 'OVH SAS' };

/** Place 0, 1 and so on; behind the last one it begins again. */
export const SIMULATED_PLACES: readonly SimulatedPlace[] = [
  { country: 'DE', city: 'Frankfurt am Main', lat: 50.1109, lon: 8.6821, ...TERASWITCH, weight: 14 },
  { country: 'DE', city: 'Frankfurt am Main', lat: 50.1155, lon: 8.6842, ...LATITUDE, weight: 7 },
  { country: 'NL', city: 'Amsterdam', lat: 52.3676, lon: 4.9041, ...TERASWITCH, weight: 13 },
  { country: 'NL', city: 'Amsterdam', lat: 52.3676, lon: 4.9041, ...CONSTANT, weight: 5 },
  { country: 'JP', city: 'Tokyo', lat: 35.6762, lon: 139.6503, ...LATITUDE, weight: 12 },
  { country: 'SG', city: 'Singapore', lat: 1.3521, lon: 103.8198, ...TERASWITCH, weight: 9 },
  { country: 'GB', city: 'London', lat: 51.5074, lon: -0.1278, ...LATITUDE, weight: 6 },
  { country: 'US', city: 'Chicago', lat: 41.8781, lon: -87.6298, ...TERASWITCH, weight: 5 },
  { country: 'US', city: 'New York', lat: 40.7128, lon: -74.006, ...LATITUDE, weight: 5 },
  { country: 'US', city: 'Los Angeles', lat: 34.0522, lon: -118.2437, ...CONSTANT, weight: 4 },
  { country: 'BR', city: 'São Paulo', lat: -23.5505, lon: -46.6333, ...LATITUDE, weight: 3 },
  { country: 'HK', city: 'Hong Kong', lat: 22.3193, lon: 114.1694, ...CONSTANT, weight: 3 },
  { country: 'LT', city: 'Šiauliai', lat: 55.9349, lon: 23.3137, ...CHERRY, weight: 4 },
  { country: 'CA', city: 'Montreal', lat: 45.5019, lon: -73.5674, ...OVH, weight: 3 },
  { country: 'FR', city: 'Strasbourg', lat: 48.5734, lon: 7.7521, ...OVH, weight: 3 },
  { country: 'PL', city: 'Warsaw', lat: 52.2297, lon: 21.0122, ...OVH, weight: 2 },
  { country: 'GB', city: 'City of London', lat: 51.5123, lon: -0.0909, ...CONSTANT, weight: 1 },
  { country: 'DE', city: 'Europe/Frankfurt am Main', lat: 50.11, lon: 8.68, ...CHERRY, weight: 1 },
  { country: 'DE', city: 'Frankfurt (Oder)', lat: 52.3471, lon: 14.5506, ...CHERRY, weight: 1 },
  { country: 'FI', city: undefined, lat: 60.1719, lon: 24.9347, ...LATITUDE, weight: 1 },
];

/** Of the validator with a number below 256 at a place. */
export function simulatedAddress(place: number, number: number): string {
  return `198.18.${place}.${number}`;
}

const KNOWN_PLACES = Array.from({ length: UNKNOWN_FROM }, (_, number) => ({
  ...SIMULATED_PLACES[number % SIMULATED_PLACES.length]!,
  network: { name: SIMULATED_PLACES[number % SIMULATED_PLACES.length]!.network, address: simulatedAddress(number, 0) },
}));

const BITS = 24;

/** A database of cities in the MaxMind format. */
export function simulatedCities(): Buffer {
  const networks = KNOWN_PLACES.map(
    ({ country, city, lat, lon, network: { address } }): MmdbNetwork => ({
      address,
      bits: BITS,
      record: {
        ...(city === undefined ? {} : { city: { names: { en: city } } }),
        country: { iso_code: country },
        location: { latitude: lat, longitude: lon },
      },
    }),
  );
  return writeMmdb({ type: 'Simulated-City', description: 'Cities of simulated validators', networks });
}

/** A database of autonomous systems in the MaxMind format. */
export function simulatedNetworks(): Buffer {
  const networks = KNOWN_PLACES.map(
    ({ asn, network: { name, address } }): MmdbNetwork => ({
      address,
      bits: BITS,
      record: { autonomous_system_number: asn, autonomous_system_organization: name },
    }),
  );
  return writeMmdb({ type: 'Simulated-ASN', description: 'Autonomous systems of simulated validators', networks });
}
