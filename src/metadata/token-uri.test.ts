import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTarget } from './fetch-target.ts';
import { chooseGateways, DEFAULT_GATEWAYS } from './gateways.ts';
import { canonicalUrl, readUri, resourceUrls } from './token-uri.ts';

const V0 = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';
const V1 = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
const ARWEAVE = 'bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U';
const gateways = chooseGateways('one.example,two.example');

describe('a URI of content by its hash', () => {
  it.each([
    [`ipfs://${V0}`, V0],
    [`ipfs://${V1}`, V1],
    [`IPFS://${V1}`, V1],
    [`ipfs://ipfs/${V1}/1.json`, `${V1}/1.json`],
    [`ipfs:/${V1}`, V1],
    [`ipfs:${V1}`, V1],
    [`/ipfs/${V0}`, V0],
    [`ipfs/${V0}/a b.png`, `${V0}/a%20b.png`],
    [V0, V0],
    [V1, V1],
    [`${V1}/image.png?x=1#y`, `${V1}/image.png`],
    [`  ${V1}\u0000\u0000`, V1],
    [`https://ipfs.io/ipfs/${V1}`, V1],
    [`http://ipfs.io/ipfs/${V1}?img-width=80`, V1],
    [`https://cf-ipfs.com/ipfs/${V0}`, V0],
    [`https://cloudflare-ipfs.com/ipfs/${V0}/`, V0],
    [`https://gateway.pinata.cloud/ipfs/${V0}/meta.json`, `${V0}/meta.json`],
    [`https://${V1}.ipfs.dweb.link/`, V1],
    [`https://${V1}.ipfs.dweb.link/a/b.json`, `${V1}/a/b.json`],
  ])('%s', (uri, path) => {
    const resource = readUri(uri);
    expect(resource).toEqual({ kind: 'ipfs', path, origin: undefined });
    expect(resourceUrls(resource!, gateways)).toEqual([
      `https://one.example/ipfs/${path}`,
      `https://two.example/ipfs/${path}`,
    ]);
  });

  it.each([
    [`https://mine.example.com/ipfs/${V1}/a.json`, `${V1}/a.json`],
    [`https://${V1}.ipfs.mine.example.com/a.json`, `${V1}/a.json`],
  ])('on a host of one’s own is asked of that last: %s', (uri, path) => {
    expect(resourceUrls(readUri(uri)!, gateways)).toEqual([
      `https://one.example/ipfs/${path}`,
      `https://two.example/ipfs/${path}`,
      uri,
    ]);
    expect(canonicalUrl(readUri(uri)!, gateways)).toBe(`https://one.example/ipfs/${path}`);
  });

  it('on a gateway that was chosen is asked of it once', () => {
    for (const host of ['one.example', 'two.example']) {
      const urls = resourceUrls(readUri(`https://${host}/ipfs/${V1}`)!, gateways);
      expect(urls).toEqual([`https://one.example/ipfs/${V1}`, `https://two.example/ipfs/${V1}`]);
    }
  });

  it.each([
    `ipfs://${V0.slice(0, -1)}`,
    `ipfs://${V1.toUpperCase()}`,
    'ipfs://bafkrei',
    'ipns://example.com',
    `ipfs://${V1}/../${V0}`,
    `ipfs://${V1}/a/%2e%2e/%2E%2e/b`,
    `https://ipfs.io/ipfs/${V1}/%2e%2e%2f`.replace('https://ipfs.io/ipfs/', 'ipfs://'),
  ])('is refused when it is none, or climbs out of the content: %s', (uri) => {
    expect(readUri(uri)).toBeUndefined();
  });
});

describe('a URI on Arweave', () => {
  it.each([
    [`ar://${ARWEAVE}`, ARWEAVE],
    [`ar://${ARWEAVE}/0.json`, `${ARWEAVE}/0.json`],
    [`https://arweave.net/${ARWEAVE}?ext=json`, ARWEAVE],
  ])('%s', (uri, path) => {
    expect(readUri(uri)).toEqual({ kind: 'arweave', path, origin: undefined });
    expect(canonicalUrl(readUri(uri)!, DEFAULT_GATEWAYS)).toBe(`https://arweave.net/${path}`);
  });

  it.each([`ar://${ARWEAVE}x`, 'ar://short', 'ar://example.com/x'])('is refused when it is none: %s', (uri) => {
    expect(readUri(uri)).toBeUndefined();
  });
});

describe('a URI on a host', () => {
  it.each([
    ['https://example.com/a.json', 'https://example.com/a.json'],
    ['http://example.com/a.json', 'https://example.com/a.json'],
    ['https://example.com/a.json?b=1#c', 'https://example.com/a.json?b=1'],
    ['https://example.com/ipfs/not-a-cid', 'https://example.com/ipfs/not-a-cid'],
    ['https://arweave.net/graphql', 'https://arweave.net/graphql'],
  ])('%s is asked as %s', (uri, url) => {
    expect(readUri(uri)).toEqual({ kind: 'web', url });
  });

  it.each([
    '',
    '   ',
    'hello',
    'https://',
    'ftp://example.com/',
    'data:application/json,{}',
    'javascript:alert(1)',
    'https://localhost/a',
    'https://127.1/a',
    'http://169.254.169.254/latest/',
    `https://127.0.0.1/ipfs/${V1}`,
    `https://example.com/${'a'.repeat(2_048)}`,
  ])('%j is refused', (uri) => {
    expect(readUri(uri)).toBeUndefined();
  });
});

describe('whatever a token names', () => {
  it('every URL that is made of it is one that may be asked', () => {
    const part = fc.constantFrom(
      'ipfs:',
      'https:',
      '//',
      '/',
      V0,
      V1,
      ARWEAVE,
      '..',
      '%2e',
      '@',
      '\\',
      'a.com',
      '127.0.0.1',
      '?',
      '#',
      ':',
      '[::1]',
      ' ',
      'ar:',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 8 }), (parts) => {
        const resource = readUri(parts.join(''));
        if (resource === undefined) return;
        for (const url of resourceUrls(resource, DEFAULT_GATEWAYS)) {
          expect([url, typeof readTarget(url)]).toEqual([url, 'object']);
          if (resource.kind !== 'ipfs' || url === resource.origin) continue;
          expect(new URL(url).pathname.startsWith('/ipfs/')).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('an inner address', () => {
  /** Ways to write an IPv4 address that the platform's URL parser knows. */
  const written = (bytes: readonly number[], style: number, parts: number): string => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes;
    const values = [
      [a * 2 ** 24 + b * 2 ** 16 + c * 256 + d],
      [a, b * 2 ** 16 + c * 256 + d],
      [a, b, c * 256 + d],
      [a, b, c, d],
    ][parts - 1]!;
    const forms = [(n: number) => `${n}`, (n: number) => `0x${n.toString(16)}`, (n: number) => `0${n.toString(8)}`];
    return values.map((value, at) => forms[Math.floor(style / 3 ** at) % 3]!(value)).join('.');
  };

  it('is refused however it is written', () => {
    const inner = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127, 0, 224, 255), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), fc.nat(255), fc.nat(255)),
    );
    fc.assert(
      fc.property(
        inner,
        fc.nat(80),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('', '.'),
        (bytes, style, parts, dot) => {
          expect(readTarget(`https://${written(bytes, style, parts)}${dot}/`)).toBe('address');
        },
      ),
    );
  });
});
