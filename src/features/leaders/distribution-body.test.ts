import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { scheduleOf, validatorOf } from '../../../test/support/leader-schedules.ts';
import { hasRealValidators, type RealValidator, realValidators } from '../../../test/support/real-validators.ts';
import type { Address } from '../../chain/address.ts';
import type { EpochSchedule, Validator } from '../../leaders/epoch-schedule.ts';
import { openPlaces } from '../../leaders/geoip.ts';
import { createKnownLeaders } from '../../leaders/known-leaders.ts';
import type { Place } from '../../leaders/places.ts';
import { writeMmdb } from '../../simulator/geoip/write-mmdb.ts';
import { createRandom } from '../../simulator/random.ts';
import { getDistribution, type LeaderDistribution } from './contract.ts';
import { DISTRIBUTED_BY, type DistributedBy } from './contract-limits.ts';
import { distributionBody } from './distribution-body.ts';

function distributionOf(schedule: EpochSchedule, by: DistributedBy, placeOf: (ip: string) => Place | undefined) {
  const body = JSON.parse(distributionBody(schedule, by, createKnownLeaders({ placeOf })).toString());
  expect(answerFaults(getDistribution, body)).toEqual([]);
  return body as LeaderDistribution;
}

describe('a distribution', () => {
  const at = (number: number, told: Partial<Validator> = {}) => validatorOf(number, { gossipIp: `${number}`, ...told });

  it('leaves slots that could not be classified in the denominator', () => {
    const validators = [at(0), validatorOf(1), at(2)];
    const body = distributionOf(scheduleOf(validators, [0, 1, 1, 2]), 'city', (ip) =>
      ip === '0' ? { city: 'Oslo', country: 'NO', lat: 59.9, lon: 10.8 } : undefined,
    );
    expect(body).toEqual({
      ...{ by: 'city', epoch: 7, total_slots: 16, leader: 'Oslo', leader_pct: 25, unknown_slots: 12 },
      data: [{ key: 'Oslo', country: 'NO', slots: 4, pct: 25, validators: 1, lat: 59.9, lon: 10.8 }],
    });
  });

  it('has no leader where nobody can be classified', () => {
    expect(distributionOf(scheduleOf([validatorOf(0)], [0]), 'datacenter', () => undefined)).toEqual({
      ...{ by: 'datacenter', epoch: 7, total_slots: 4, unknown_slots: 4, data: [] },
    });
  });

  it('names a data centre by its network and city, and knows none without both', () => {
    const places: Place[] = [{ network: 'Atlas', city: 'Oslo', country: 'NO' }, { network: 'Atlas' }, { city: 'Oslo' }];
    const body = distributionOf(scheduleOf([at(0), at(1), at(2)], [0, 1, 2]), 'datacenter', (ip) => places[Number(ip)]);
    expect(body).toMatchObject({ unknown_slots: 8, data: [{ key: 'Atlas (Oslo)', country: 'NO', slots: 4 }] });
  });

  it('tells cities of one name in two countries apart', () => {
    const places: Place[] = [
      { city: 'Amsterdam', country: 'NL' },
      { city: 'Amsterdam', country: 'US' },
    ];
    const body = distributionOf(scheduleOf([at(0), at(1)], [0, 1, 1]), 'city', (ip) => places[Number(ip)]);
    expect(body.data.map(({ key, country, slots }) => [key, country, slots])).toEqual([
      ['Amsterdam', 'US', 8],
      ['Amsterdam', 'NL', 4],
    ]);
  });

  it('counts an identity once, and none that leads no slot', () => {
    const twice = at(0);
    const validators = [twice, { ...twice, stake: 5n }, at(1), at(2)];
    const body = distributionOf(scheduleOf(validators, [0, 1, 2]), 'country', () => ({ country: 'NO' }));
    expect(body.data).toEqual([{ key: 'NO', country: 'NO', slots: 12, pct: 100, validators: 2 }]);
  });

  it('puts all rows beyond two hundred into one, behind the others however many slots it has', () => {
    const validators = Array.from({ length: 250 }, (_, number) => at(number));
    const turns = [...validators.keys(), 0];
    const body = distributionOf(scheduleOf(validators, turns), 'city', (ip) => ({
      city: `City ${ip.padStart(3, '0')}`,
    }));
    expect(body.data).toHaveLength(201);
    expect(body.data[0]).toMatchObject({ key: 'City 000', slots: 8 });
    expect(body.data[1]).toMatchObject({ key: 'City 001', slots: 4 });
    expect(body.data[200]).toEqual({ key: 'other', slots: 200, pct: 19.92, validators: 50 });
    expect([body.leader, body.leader_pct]).toEqual(['City 000', 0.8]);
  });

  it('has two hundred rows without another where there are no more', () => {
    const validators = Array.from({ length: 200 }, (_, number) => at(number));
    const body = distributionOf(scheduleOf(validators, [...validators.keys()]), 'city', (ip) => ({ city: ip }));
    expect(body.data.map(({ key }) => key)).not.toContain('other');
    expect(body.data).toHaveLength(200);
  });
});

const SLOTS = 432_000;
const TURN = 4;

describe.skipIf(!hasRealValidators)('of real validators (lists of two epochs), the distribution', () => {
  it.each(
    ([991, 992] as const).flatMap((epoch) => [
      ...DISTRIBUTED_BY.map((by) => [epoch, by, 'city'] as const),
      [epoch, 'city', 'otherCity'] as const,
      [epoch, 'datacenter', 'otherCity'] as const,
    ]),
  )('of epoch %i by %s, cities as %s, is what an oracle counts turn by turn', (epoch, by, naming) => {
    const real = realValidators(epoch);
    const drawn = drawLeaders(real, epoch);
    const validators = real.map(
      (each, number): Validator => ({
        identity: each.identity as Address,
        stake: BigInt(each.stake),
        commission: each.commission,
        isDelinquent: each.delinquent,
        gossipIp: ipOf(number),
        ...(each.version === undefined ? {} : { version: each.version }),
        ...(each.isJito === undefined ? {} : { sharesTips: each.isJito }),
      }),
    );
    const leaders = Uint16Array.from({ length: SLOTS }, (_, slot) => drawn[Math.floor(slot / TURN)]!);
    const schedule = { epoch, firstSlot: epoch * SLOTS, slots: SLOTS, validators, leaders };
    const { placeOf } = openPlaces(databasesOf(real, naming), (fault) => expect(fault).toBeUndefined());
    const told = distributionOf(schedule, by, placeOf);
    expect(told).toEqual(oracle(real, { drawn, epoch, by, naming }));
    expect(told.data.reduce((sum, { slots }) => sum + slots, told.unknown_slots)).toBe(SLOTS);
  });
});

const ipOf = (number: number) => `198.19.${number >> 8}.${number & 255}`;

/** One validator for each turn, by its share of the stake. */
function drawLeaders(real: readonly RealValidator[], epoch: number): readonly number[] {
  const random = createRandom(`leaders of ${epoch}`);
  let total = 0;
  const sums = real.map(({ stake }) => {
    total += stake;
    return total;
  });
  return Array.from({ length: SLOTS / TURN }, () => {
    const at = random.next() * total;
    let [from, to] = [0, sums.length - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (sums[middle]! > at) to = middle;
      else from = middle + 1;
    }
    return from;
  });
}

function databasesOf(real: readonly RealValidator[], naming: 'city' | 'otherCity') {
  const networksOf = (record: (each: RealValidator) => Record<string, never> | object) =>
    real.map((each, number) => ({ address: ipOf(number), bits: 32, record: record(each) as Record<string, string> }));
  const cities = networksOf((each) => ({
    ...(each[naming] === undefined ? {} : { city: { names: { en: each[naming] } } }),
    ...(each.country === undefined ? {} : { country: { iso_code: each.country } }),
    ...(each.lat === undefined ? {} : { location: { latitude: each.lat, longitude: each.lon } }),
  }));
  const networks = networksOf(({ network }) =>
    network === undefined ? {} : { autonomous_system_organization: network },
  );
  return {
    city: writeMmdb({ type: 'Real-City', description: 'Of a test', networks: cities }),
    network: writeMmdb({ type: 'Real-ASN', description: 'Of a test', networks }),
  };
}

interface Question {
  readonly drawn: readonly number[];
  readonly epoch: number;
  readonly by: DistributedBy;
  readonly naming: 'city' | 'otherCity';
}

/** The same by the words of the specification, turn by turn, without anything of ours. */
function oracle(real: readonly RealValidator[], { drawn, epoch, by, naming }: Question): LeaderDistribution {
  const rows = new Map<string, { key: string; country: string; slots: number; who: Set<string>; spots: string[] }>();
  let unknown = 0;
  for (const leader of drawn) {
    const each = real[leader]!;
    let city = each[naming]?.split('/').at(-1);
    if (city === 'Frankfurt am Main') city = 'Frankfurt';
    if (city === 'City of London') city = 'London';
    const country = each.country ?? '';
    const key = {
      city,
      country: country || undefined,
      datacenter: city && each.network ? `${each.network.trim()} (${city})` : undefined,
      client: clientByHand(each),
    }[by];
    if (key === undefined) {
      unknown += TURN;
      continue;
    }
    const name = `${key}\n${by === 'client' ? '' : country}`;
    const row = rows.get(name) ?? { key, country: by === 'client' ? '' : country, slots: 0, who: new Set(), spots: [] };
    rows.set(name, row);
    row.slots += TURN;
    row.who.add(each.identity);
    if (each.lat !== undefined) row.spots.push(`${tenth(each.lat)} ${tenth(each.lon!)}`);
  }
  // Halves up, without fractions in between.
  const pct = (slots: number) => Number((20_000n * BigInt(slots) + BigInt(SLOTS)) / (2n * BigInt(SLOTS))) / 100;
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const all = [...rows.values()].sort((a, b) => b.slots - a.slots || text(a.key, b.key) || text(a.country, b.country));
  const data = all.slice(0, 200).map(({ key, country, slots, who, spots }) => ({
    ...{ key, ...(country === '' ? {} : { country }), slots, pct: pct(slots), validators: who.size },
    ...(by === 'city' ? mostOf(spots) : {}),
  }));
  const rest = all.slice(200);
  const slots = rest.reduce((sum, row) => sum + row.slots, 0);
  const validators = new Set(rest.flatMap(({ who }) => [...who])).size;
  return {
    ...{ by, epoch, total_slots: SLOTS, leader: data[0]!.key, leader_pct: data[0]!.pct, unknown_slots: unknown },
    data: rest.length === 0 ? data : [...data, { key: 'other', slots, pct: pct(slots), validators }],
  };
}

const tenth = (degrees: number) => Math.round(degrees * 10) / 10;

function mostOf(spots: readonly string[]): { lat?: number; lon?: number } {
  const counts = new Map<string, number>();
  for (const spot of spots) counts.set(spot, (counts.get(spot) ?? 0) + 1);
  const places = [...counts].map(([spot, count]) => ({ count, at: spot.split(' ').map(Number) }));
  const best = places.sort((a, b) => b.count - a.count || a.at[0]! - b.at[0]! || a.at[1]! - b.at[1]!)[0];
  return best === undefined ? {} : { lat: best.at[0]!, lon: best.at[1]! };
}

/** Without an id: Frankendancer by its three numbers, the last of five digits; of the others those who share tips run Jito. */
function clientByHand({ version = '', isJito }: RealValidator): string | undefined {
  const parts = version.split('.');
  if (parts[0] === '0') return parts.at(-1)!.length === 5 && parts[1]!.length >= 3 ? 'Frankendancer' : undefined;
  if (parts.length < 3 || parts[0] === '1' || isJito === undefined) return undefined;
  return isJito ? 'Jito' : 'Agave';
}
