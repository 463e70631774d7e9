import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkOf, normalizeIp } from './ip-address.ts';

describe('normalizeIp', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:CB00:7109', '203.0.113.9'],
    ['::1', '::1'],
    ['::', '::'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8:0000:0001:0001:0001:0001:0001', '2001:db8:0:1:1:1:1:1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%eth-0.5', 'fe80::1'],
    ['::203.0.113.9', '::cb00:7109'],
    ['64:ff9b::203.0.113.9', '64:ff9b::cb00:7109'],
  ])('writes %s as %s', (text, normal) => {
    expect(normalizeIp(text)).toBe(normal);
  });

  it.each([
    '',
    'localhost',
    '203.0.113',
    '203.0.113.9:80',
    '[::1]',
    '01.2.3.4',
    '0xcb.0.113.9',
    '203.113',
    ' 203.0.113.9',
    '1::2::3',
    'unknown',
  ])('refuses %j', (text) => {
    expect(normalizeIp(text)).toBeUndefined();
  });

  it('agrees with the URL parser on every IPv6 address that is not IPv4 in disguise', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const normal = normalizeIp(text);
        const oracle = new URL(`http://[${text}]/`).hostname.slice(1, -1);
        if (oracle.startsWith('::ffff:')) expect(isIP(normal ?? '')).toBe(4);
        else expect(normal).toBe(oracle);
      }),
    );
  });

  it('is the same when it is normal already', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const normal = normalizeIp(text) ?? '';
        expect(normalizeIp(normal)).toBe(normal);
      }),
    );
  });
});

describe('networkOf', () => {
  it.each([
    ['203.0.113.255', '203.0.113.0/24'],
    ['10.1.2.3', '10.1.2.0/24'],
    ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
    ['2001:db8:1::', '2001:db8:1::/48'],
    ['::1', '::/48'],
    ['', ''],
  ])('finds %j in %j', (address, network) => {
    expect(networkOf(address, 24, 48)).toBe(network);
  });

  it('cuts inside a group as well', () => {
    expect(networkOf('2001:db8:1:abff::1', 24, 56)).toBe('2001:db8:1:ab00::/56');
    expect(networkOf('203.0.113.255', 20, 56)).toBe('203.0.112.0/20');
    expect(networkOf('203.0.113.255', 32, 56)).toBe('203.0.113.255/32');
  });

  it('is one network for addresses that share the bits, and another for those that do not', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (one, other) => {
        const same = one.split('.').slice(0, 3).join('.') === other.split('.').slice(0, 3).join('.');
        expect(networkOf(one, 24, 48) === networkOf(other, 24, 48)).toBe(same);
      }),
    );
  });
});
