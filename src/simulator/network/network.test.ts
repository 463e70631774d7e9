import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SIMULATED_PLACES, UNKNOWN_FROM } from '../geoip/simulated-places.ts';
import { LOADS, scaleLoad } from '../load.ts';
import { createSimulator } from '../simulator.ts';
import { createNetwork, type NetworkOptions, TURN_SLOTS } from './network.ts';

const EPOCH = 4_000;
const LOAD = scaleLoad(LOADS.desk, 0.1);
const unsigned = (options: NetworkOptions) => createNetwork({ sign: false, ...options });

describe('a simulated network', () => {
  it('is a function of its seed', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 2_000 }), (seed, epoch) => {
        const [a, b] = [0, 0].map(() => unsigned({ seed, slotsPerEpoch: EPOCH }));
        expect(a!.validators).toEqual(b!.validators);
        // Whatever was asked before.
        b!.turnsOf(epoch + 1);
        expect(a!.turnsOf(epoch)).toEqual(b!.turnsOf(epoch));
        const other = unsigned({ seed: `${seed}.`, slotsPerEpoch: EPOCH });
        expect(other.turnsOf(epoch)).not.toEqual(a!.turnsOf(epoch));
        expect(other.validators[0]!.identity.address).not.toBe(a!.validators[0]!.identity.address);
      }),
      { numRuns: 10 },
    );
  });

  it('gives turns by stake, and none to those without', () => {
    const network = unsigned({ seed: 'stake' });
    const epoch = 1_064;
    const turns = network.turnsOf(epoch);
    expect(turns.length).toBe(432_000 / TURN_SLOTS);
    const led = new Array<number>(network.validators.length).fill(0);
    for (const place of turns) led[place]! += 1;
    const stakes = network.validators.map((validator) => Number(network.stakeIn(epoch, validator)));
    const total = stakes.reduce((sum, stake) => sum + stake, 0);
    for (const [place, stake] of stakes.entries()) {
      const expected = (stake / total) * turns.length;
      // Six times what chance leaves: one network in a hundred million does not keep within.
      expect(Math.abs(led[place]! - expected)).toBeLessThanOrEqual(6 * Math.sqrt(expected));
    }
    expect(stakes.filter((stake) => stake === 0).length).toBeGreaterThan(0);
  });

  it('changes its schedule and some of its stake with an epoch, and nobody’s address', () => {
    const network = unsigned({ seed: 'epochs', slotsPerEpoch: EPOCH });
    expect(network.turnsOf(7)).not.toEqual(network.turnsOf(8));
    const [first] = network.validators;
    expect(network.stakeIn(7, first!)).not.toBe(network.stakeIn(8, first!));
    expect(network.leaderOf(8 * EPOCH - 1)).toBe(network.validators[network.turnsOf(7).at(-1)!]);
    expect(network.leaderOf(8 * EPOCH)).toBe(network.validators[network.turnsOf(8)[0]!]);
  });

  it('has validators of many clients, in places, with names and addresses of their own', () => {
    const { validators } = unsigned({ seed: 'profiles' });
    const names = validators.flatMap(({ name }) => (name === undefined ? [] : [name]));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(validators.length / 2);
    expect(names.length).toBeLessThan(validators.length);
    expect(new Set(validators.map(({ ip }) => ip)).size).toBe(validators.length);
    // At most places that databases of the simulator know, and at some that none does.
    const places = validators.map(({ ip }) => Number(/^198\.18\.(\d+)\.\d+$/.exec(ip)![1]));
    const unknown = places.filter((place) => place >= UNKNOWN_FROM).length;
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThan(validators.length / 8);
    expect(new Set(places).size).toBeGreaterThan(SIMULATED_PLACES.length / 2);
    expect(new Set(validators.map(({ clientId }) => clientId)).size).toBeGreaterThan(6);
  });

  it('refuses epochs without whole turns', () => {
    for (const slotsPerEpoch of [0, 10, -4, 4.5])
      expect(() => unsigned({ seed: 'x', slotsPerEpoch })).toThrow(RangeError);
  });
});

describe('a chain of a network', () => {
  it('has the schedule’s leader in every block, over a change of epochs, and none where it is delinquent', () => {
    const network = unsigned({ seed: 'chain', slotsPerEpoch: 400 });
    const startSlot = 400 * 1_000 + 250;
    const simulator = createSimulator({ seed: 'chain@1', load: LOAD, sign: false, network, startSlot });
    const slots = new Set<number>();
    for (let count = 0; count < 300; count += 1) {
      const block = simulator.next();
      slots.add(block.slot);
      expect(block.leader).toBe(network.leaderOf(block.slot).identity.address);
      const { rewards } = block.rpc('json') as { rewards: { pubkey: string; rewardType: string }[] };
      expect(rewards).toMatchObject([{ pubkey: block.leader, rewardType: 'Fee' }]);
    }
    const last = Math.max(...slots);
    expect(network.epochOf(last)).toBeGreaterThan(network.epochOf(startSlot));
    for (let slot = startSlot + 1; slot <= last; slot += 1)
      if (network.isDelinquent(network.leaderOf(slot), slot)) expect(slots.has(slot)).toBe(false);
  });

  it('has delinquent leaders now and then', () => {
    const network = unsigned({ seed: 'behind' });
    const slots = Array.from({ length: 100_000 }, (_, offset) => 460_000_000 + offset);
    const missed = slots.filter((slot) => network.isDelinquent(network.leaderOf(slot), slot)).length;
    expect(missed / slots.length).toBeGreaterThan(0.001);
    expect(missed / slots.length).toBeLessThan(0.03);
  });
});
