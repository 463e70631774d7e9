import { describe, expect, it } from 'vitest';
import { clientOf, runsRelay } from './clients.ts';

describe('the client of a validator', () => {
  it.each([
    [0, 'Solana Labs', false],
    [1, 'Jito', true],
    [2, 'Frankendancer', false],
    [3, 'Agave', false],
    [4, 'Paladin', true],
    [5, 'Firedancer', false],
    [6, 'Agave BAM', true],
    [7, 'Sig', false],
    [8, 'Rakurai', true],
    [9, 'Harmonic Firedancer', false],
    [10, 'Harmonic Agave', false],
    [11, 'Harmonic Frankendancer', false],
    [12, 'FireBAM', true],
    [13, 'Raiku', false],
  ])('of id %i is %s, with the relay client for sure: %s', (clientId, name, relay) => {
    expect(clientOf({ clientId })).toBe(name);
    expect(runsRelay({ clientId })).toBe(relay);
  });

  it('of an id that no table has is unknown, whatever its version looks like', () => {
    expect(clientOf({ clientId: 14, version: '4.0.3', sharesTips: true })).toBeUndefined();
    expect(clientOf({ clientId: 65_535, version: '0.912.40003' })).toBeUndefined();
  });

  it('comes by the shape of its version where no id is told', () => {
    for (const version of ['0.911.40002', '0.1106.40201', '0.1004.0-rc.40101', '0.101.0-beta.40101', '0.812.30006']) {
      expect([version, clientOf({ version })]).toEqual([version, 'Frankendancer']);
    }
    for (const version of ['0.1.1', '1.0.0', '0.1.0-rc1', 'latest', '']) expect(clientOf({ version })).toBeUndefined();
    expect(clientOf({})).toBeUndefined();
  });

  it('is told from another that numbers its versions alike by the tips that it shares alone', () => {
    for (const version of ['4.0.3', '4.1.0-rc.1', '3.0.14']) {
      expect(clientOf({ version, sharesTips: true })).toBe('Jito');
      expect(clientOf({ version, sharesTips: false })).toBe('Agave');
      expect(clientOf({ version })).toBeUndefined();
    }
  });
});

describe('the relay flag', () => {
  it('is up where the vote account shares tips, whatever the client', () => {
    expect(runsRelay({ clientId: 2, sharesTips: true })).toBe(true);
    expect(runsRelay({ sharesTips: true })).toBe(true);
  });

  it('stays up before the first block of the epoch has made the account that shares them', () => {
    expect(runsRelay({ clientId: 1, sharesTips: false })).toBe(true);
  });

  it('is down where nothing tells of the relay client', () => {
    expect(runsRelay({})).toBe(false);
    expect(runsRelay({ clientId: 2 })).toBe(false);
    expect(runsRelay({ clientId: 99, sharesTips: false })).toBe(false);
  });
});
