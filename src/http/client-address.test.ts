import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from './client-address.ts';

const SOCKET = '198.51.100.7';

function from(hops: number, forwarded?: string, remoteAddress: string | undefined = SOCKET): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return createClientAddress(hops)({ headers, socket: { remoteAddress } });
}

describe('client address', () => {
  it('is the socket’s while no proxy is trusted, whatever the headers say', () => {
    expect(from(0, '203.0.113.9')).toBe(SOCKET);
    expect(from(0)).toBe(SOCKET);
  });

  it('is in the one text of its address', () => {
    expect(from(0, undefined, '::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(from(0, undefined, 'fe80::1%eth0')).toBe('fe80::1');
    expect(from(1, '2001:DB8:0::9')).toBe('2001:db8::9');
    expect(from(1, '::ffff:203.0.113.9')).toBe('203.0.113.9');
  });

  it('is the one that the outermost trusted proxy heard from', () => {
    expect(from(1, '6.6.6.6, 203.0.113.9')).toBe('203.0.113.9');
    expect(from(2, '6.6.6.6, 203.0.113.9,10.0.0.1')).toBe('203.0.113.9');
    expect(from(3, '203.0.113.9 ,10.0.0.2 , 10.0.0.1')).toBe('203.0.113.9');
  });

  it.each([
    ['none was sent', 1, undefined],
    ['the list is too short', 2, '203.0.113.9'],
    ['the list is far too short', 9, '203.0.113.9,10.0.0.1'],
    ['it is empty', 1, ''],
    ['it starts with a comma', 2, ',10.0.0.1'],
    ['it has nothing but commas', 3, ',,,'],
    ['a name stands there', 1, 'unknown'],
    ['a port stands there', 1, '203.0.113.9:4711'],
    ['a script stands there', 2, '<script>, 10.0.0.1'],
  ])('falls back to the socket’s when %s', (_what, hops, forwarded) => {
    expect(from(hops, forwarded)).toBe(SOCKET);
  });

  it('is empty when the socket has gone', () => {
    expect(createClientAddress(0)({ headers: {}, socket: {} })).toBe('');
  });

  it('agrees with splitting the list, for any list and any number of proxies', () => {
    const part = fc.oneof(fc.ipV4(), fc.constant(''), fc.constant(' '), fc.constant('x'));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.integer({ min: 1, max: 7 }), (parts, hops) => {
        const said = parts.at(-hops)?.trim() ?? '';
        expect(from(hops, parts.join(','))).toBe(/^\d/.test(said) ? said : SOCKET);
      }),
    );
  });

  it('cannot be chosen from outside: what a client writes itself stands left of what the proxies add', () => {
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), fc.integer({ min: 1, max: 4 }), (forged, seen, hops) => {
        const added = [seen, ...Array.from({ length: hops - 1 }, (_, i) => `10.0.0.${i + 1}`)];
        expect(from(hops, `${forged}, ${added.join(', ')}`)).toBe(seen);
      }),
    );
  });
});
