import { open } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { Logger } from '../kernel/log.ts';
import { openPlaces, type PlaceDatabases } from '../leaders/geoip.ts';
import type { Places } from '../leaders/places.ts';
import { simulatedCities, simulatedNetworks } from '../simulator/geoip/simulated-places.ts';
import { CommandMisuse } from './command.ts';

type PlacesConfig = Pick<Config, 'geoipCity' | 'geoipAsn' | 'source'>;

/** Bytes of the largest database that is read: all of it stays in memory. */
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * Places by the databases that are named. A simulated chain has its own unless others are.
 *
 * @throws {CommandMisuse} when one cannot be read or is none.
 */
export async function openPlacesOf({ geoipCity, geoipAsn, source }: PlacesConfig, log: Logger): Promise<Places> {
  let isTold = false;
  const broken = (fault: unknown) => {
    if (!isTold)
      log.warn({ err: String(fault) }, 'a record of a GeoIP database cannot be read; its addresses are unknown');
    isTold = true;
  };
  if (geoipCity === undefined && geoipAsn === undefined) {
    const simulated = source === 'simulator';
    return openPlaces(simulated ? { city: simulatedCities(), network: simulatedNetworks() } : {}, broken);
  }
  const city = await readDatabase(geoipCity, 'MINTSCOPE_GEOIP_CITY', (bytes) => ({ city: bytes }));
  const network = await readDatabase(geoipAsn, 'MINTSCOPE_GEOIP_ASN', (bytes) => ({ network: bytes }));
  return openPlaces({ ...city, ...network }, broken);
}

/** The bytes of a file that was opened once as what it is to be. */
async function readDatabase(
  path: string | undefined,
  variable: string,
  as: (bytes: Buffer) => PlaceDatabases,
): Promise<PlaceDatabases> {
  if (path === undefined) return {};
  const bytes = await readBounded(path).catch((error: unknown) => {
    throw new CommandMisuse(`${variable}: ${error instanceof Error ? error.message : String(error)}`);
  });
  const databases = as(bytes);
  try {
    openPlaces(databases, () => {});
  } catch {
    throw new CommandMisuse(`${variable}: ${path} is no database in the MaxMind format (.mmdb)`);
  }
  return databases;
}

async function readBounded(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > MOST_BYTES) throw new Error(`${path} is larger than 512 MiB`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
