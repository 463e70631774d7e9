import { describe, expect, it } from 'vitest';
import {
  SIMULATED_PLACES,
  simulatedCities,
  simulatedNetworks,
  UNKNOWN_FROM,
} from '../simulator/geoip/simulated-places.ts';
import { type MmdbValue, writeMmdb } from '../simulator/geoip/write-mmdb.ts';
import { openPlaces } from './geoip.ts';

const fail = (fault: unknown) => {
  throw fault;
};

/** Places by one database in which one network has this record. */
function placesWith(record: MmdbValue, kind: 'city' | 'network' = 'city') {
  const networks = [{ address: '203.0.113.0', bits: 25, record }];
  return openPlaces({ [kind]: writeMmdb({ type: 'Test', description: 'A test', networks }) }, fail);
}

describe('places', () => {
  it('come out of the simulated databases, by one name for a city and to a tenth of a degree', () => {
    const places = openPlaces({ city: simulatedCities(), network: simulatedNetworks() }, fail);
    expect(places.placeOf('198.18.0.1')).toEqual({
      ...{ country: 'DE', city: 'Frankfurt', lat: 50.1, lon: 8.7, network: 'TeraSwitch Networks Inc.' },
    });
    expect(places.placeOf('198.18.16.255')).toMatchObject({ country: 'GB', city: 'London', lat: 51.5, lon: -0.1 });
    expect(places.placeOf('198.18.17.9')).toMatchObject({ city: 'Frankfurt' });
    expect(places.placeOf('198.18.18.9')).toMatchObject({ city: 'Frankfurt (Oder)' });
    expect(places.placeOf('198.18.19.1')).toEqual({
      ...{ country: 'FI', city: undefined, lat: 60.2, lon: 24.9, network: 'Latitude.sh' },
    });
  });

  it('begin again behind the last simulated one, and end where they are unknown', () => {
    const places = openPlaces({ city: simulatedCities(), network: simulatedNetworks() }, fail);
    for (let number = 0; number < 256; number += 1) {
      const { country } = SIMULATED_PLACES[number % SIMULATED_PLACES.length]!;
      const known = places.placeOf(`198.18.${number}.7`)?.country;
      expect([number, known]).toEqual([number, number < UNKNOWN_FROM ? country : undefined]);
    }
  });

  it('are unknown of addresses that no network has, and of texts that are none', () => {
    const places = openPlaces({ city: simulatedCities(), network: simulatedNetworks() }, fail);
    for (const ip of [
      '198.17.255.255',
      '198.19.0.1',
      '203.0.113.1',
      '2001:db8::1',
      '::',
      '',
      'localhost',
      '1.2.3',
      '198.18.0.1:8001',
    ]) {
      expect([ip, places.placeOf(ip)]).toEqual([ip, undefined]);
    }
    expect(openPlaces({}, fail).placeOf('198.18.0.1')).toBeUndefined();
  });

  it('are unknown of an IPv6 address in a database of IPv4 alone, whatever its first bits', () => {
    const places = placesWith({ country_code: 'DE' });
    expect(places.placeOf('203.0.113.1')).toEqual({ country: 'DE', city: undefined });
    for (const ip of ['cb00:7101::1', '::203.0.113.1']) expect([ip, places.placeOf(ip)]).toEqual([ip, undefined]);
  });

  it('are read where a database keeps them flat, or writes degrees as text', () => {
    const flat = { city: 'Europe/Berlin', country_code: 'DE', lat: '52.5244', lng: '-13.4105' };
    const place = { country: 'DE', city: 'Berlin', lat: 52.5, lon: -13.4 };
    expect(placesWith(flat).placeOf('203.0.113.127')).toEqual(place);
    expect(placesWith(flat).placeOf('203.0.113.128')).toBeUndefined();
    expect(placesWith({ asn: 'AS64496', as_name: 'Atlas' }, 'network').placeOf('203.0.113.1')).toEqual({
      network: 'Atlas',
    });
  });

  it.each<[string, MmdbValue]>([
    ['nothing', {}],
    [
      'other types',
      { city: { names: { en: 5 } }, country: { iso_code: 7n }, location: { latitude: 'x', longitude: {} } },
    ],
    ['blanks', { city: { names: { en: ' ' } }, country: { iso_code: 'Germany' }, location: 'here' }],
    ['degrees that are none', { location: { latitude: 91, longitude: 5 } }],
    ['half a place', { location: { latitude: 50 } }],
    ['a list', ['DE']],
    ['a text', 'DE'],
  ])('are unknown where a record holds %s', (_what, record) => {
    expect(placesWith(record).placeOf('203.0.113.1')).toBeUndefined();
  });

  it('are unknown, and the fault is told, where a record cannot be read', () => {
    const bytes = writeMmdb({
      ...{ type: 'Test', description: 'A test' },
      networks: [{ address: '203.0.113.0', bits: 24, record: { country: { iso_code: 'DE' } } }],
    });
    // The type of the record becomes one that the format does not have.
    bytes[bytes.indexOf('country') - 2] = 0xff;
    const faults: unknown[] = [];
    const places = openPlaces({ city: bytes }, (fault) => faults.push(fault));
    expect(places.placeOf('203.0.113.1')).toBeUndefined();
    expect(faults).toHaveLength(1);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['something else', Buffer.from('country,city\n'.repeat(200))],
  ])('are refused in a file of %s', (_what, bytes) => {
    expect(() => openPlaces({ city: bytes }, fail)).toThrow();
  });
});

describe('what is written in the MaxMind format', () => {
  it('keeps long texts, small and large numbers', () => {
    const name = 'x'.repeat(284);
    expect(placesWith({ as_name: name, n: 0n, m: 4_294_967_295n }, 'network').placeOf('203.0.113.1')).toEqual({
      network: name,
    });
    expect(() => placesWith({ as_name: 'x'.repeat(285) })).toThrow(RangeError);
  });

  it('has no network within another', () => {
    const of = (...networks: [string, number][]) =>
      writeMmdb({
        ...{ type: 'Test', description: 'A test' },
        networks: networks.map(([address, bits]) => ({ address, bits, record: {} })),
      });
    expect(() => of(['10.0.0.0', 8], ['10.1.0.0', 16])).toThrow('within another');
    expect(() => of(['10.1.0.0', 16], ['10.0.0.0', 8])).toThrow('another within it');
    expect(() => of(['10.0.0.0', 9], ['10.128.0.0', 9])).not.toThrow();
  });
});
