import { isIP } from 'node:net';
import mmdb from 'mmdb-lib';
import { cityName } from './city-names.ts';
import { NO_PLACES, type Place, type Places } from './places.ts';

/** Bytes of databases in the MaxMind format. */
export interface PlaceDatabases {
  /** Countries, cities and coordinates. */
  readonly city?: Buffer | undefined;
  /** Autonomous systems. */
  readonly network?: Buffer | undefined;
}

/** A record of a database: GeoLite2 and DB-IP nest, IPinfo has a flat one. */
type Record = { readonly [name: string]: unknown };

/** What a look-up needs of a reader. */
type Database = (ip: string) => Record | undefined;

/** Degrees are told to a tenth: where a city is, not a machine. */
const PER_DEGREE = 10;

/**
 * Says where addresses are by databases in the MaxMind format. `broken` is told of a record that cannot be read: its
 * address is then unknown.
 *
 * @throws {Error} when the bytes are no such database.
 */
export function openPlaces({ city, network }: PlaceDatabases, broken: (fault: unknown) => void): Places {
  if (city === undefined && network === undefined) return NO_PLACES;
  const cities = openDatabase(city, broken);
  const networks = openDatabase(network, broken);
  return {
    placeOf(ip) {
      const place = { ...readCity(cities(ip)), ...readNetwork(networks(ip)) };
      return Object.values(place).every((value) => value === undefined) ? undefined : place;
    },
  };
}

function openDatabase(bytes: Buffer | undefined, broken: (fault: unknown) => void): Database {
  if (bytes === undefined) return () => undefined;
  const reader = new mmdb.Reader(bytes);
  const { ipVersion } = reader.metadata;
  return (ip) => {
    const version = isIP(ip);
    // A database of IPv4 alone would look for the first bits of a longer address, which are somebody else's.
    if (version === 0 || version > ipVersion) return undefined;
    try {
      return recordOf(reader.get(ip));
    } catch (fault) {
      broken(fault);
      return undefined;
    }
  };
}

function readCity(record: Record | undefined): Place {
  if (record === undefined) return {};
  const told = textOf(recordOf(recordOf(record.city)?.names)?.en) ?? textOf(record.city);
  const country = textOf(recordOf(record.country)?.iso_code) ?? textOf(record.country_code) ?? textOf(record.country);
  const location = recordOf(record.location) ?? record;
  const lat = degreesOf(location.latitude ?? location.lat, 90);
  const lon = degreesOf(location.longitude ?? location.lng, 180);
  return {
    country: country !== undefined && /^[A-Z]{2}$/.test(country) ? country : undefined,
    city: told === undefined ? undefined : cityName(told) || undefined,
    ...(lat === undefined || lon === undefined ? {} : { lat, lon }),
  };
}

function readNetwork(record: Record | undefined): Place {
  const name = textOf(record?.autonomous_system_organization) ?? textOf(record?.as_name);
  return name === undefined ? {} : { network: name };
}

function recordOf(value: unknown): Record | undefined {
  return typeof value === 'object' && value !== null ? (value as Record) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Some databases write degrees as text. */
function degreesOf(value: unknown, most: number): number | undefined {
  const degrees = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof degrees !== 'number' || !(Math.abs(degrees) <= most)) return undefined;
  // No place is at -0.
  return Math.round(degrees * PER_DEGREE) / PER_DEGREE + 0;
}
