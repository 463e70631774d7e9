import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../kernel/log.ts';
import { simulatedCities, simulatedNetworks } from '../simulator/geoip/simulated-places.ts';
import { CommandMisuse } from './command.ts';
import { openPlacesOf } from './places.ts';

let dir: string;
const path = (name: string) => join(dir, name);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintscope-places-'));
  await writeFile(path('city.mmdb'), simulatedCities());
  await writeFile(path('asn.mmdb'), simulatedNetworks());
  await writeFile(path('text.mmdb'), 'x'.repeat(5_000));
  await writeFile(path('large.mmdb'), '');
  await truncate(path('large.mmdb'), 512 * 1024 * 1024 + 1);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const open = (config: { geoipCity?: string; geoipAsn?: string; source?: string }) =>
  openPlacesOf({ geoipCity: undefined, geoipAsn: undefined, source: 'rpc', ...config }, createLogger('silent'));
const placeOf = async (config: Parameters<typeof open>[0]) => (await open(config)).placeOf('198.18.0.1');

describe('places of validators', () => {
  it('are those of the files that are named', async () => {
    const files = { geoipCity: path('city.mmdb'), geoipAsn: path('asn.mmdb') };
    expect(await placeOf(files)).toMatchObject({ city: 'Frankfurt', network: 'TeraSwitch Networks Inc.' });
    expect(await placeOf({ geoipCity: files.geoipCity })).not.toHaveProperty('network');
    expect(await placeOf({ geoipAsn: files.geoipAsn })).toEqual({ network: 'TeraSwitch Networks Inc.' });
  });

  it('are known of the simulated chain without a file, and of no other', async () => {
    expect(await placeOf({ source: 'simulator' })).toMatchObject({ country: 'DE', city: 'Frankfurt' });
    expect(await placeOf({ source: 'rpc' })).toBeUndefined();
    expect(await placeOf({ source: 'simulator', geoipAsn: path('asn.mmdb') })).not.toHaveProperty('city');
  });

  it.each([
    ['MINTSCOPE_GEOIP_CITY', { geoipCity: 'none.mmdb' }, 'ENOENT'],
    ['MINTSCOPE_GEOIP_ASN', { geoipAsn: 'text.mmdb' }, 'is no database in the MaxMind format'],
    ['MINTSCOPE_GEOIP_CITY', { geoipCity: 'large.mmdb' }, 'is larger than 512 MiB'],
    ['MINTSCOPE_GEOIP_ASN', { geoipAsn: '' }, 'EISDIR'],
  ])('end the start with a sentence about %s where it is wrong', async (variable, config, why) => {
    const named = Object.fromEntries(Object.entries(config).map(([name, file]) => [name, path(file)]));
    const refused = open(named);
    await expect(refused).rejects.toThrow(CommandMisuse);
    await expect(refused).rejects.toThrow(`${variable}: `);
    await expect(refused).rejects.toThrow(why);
  });
});
