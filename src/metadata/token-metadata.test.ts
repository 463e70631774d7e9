import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentFields } from '../token/metadata-reads.ts';
import { readTarget } from './fetch-target.ts';
import { DEFAULT_GATEWAYS } from './gateways.ts';
import { readDocument } from './token-metadata.ts';

const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
/** The engine's own collector, which only a flag shows. */
function collectGarbage(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

const read = (document: unknown) => {
  const metadata = readDocument(JSON.stringify(document), DEFAULT_GATEWAYS);
  return metadata === undefined ? undefined : JSON.parse(JSON.stringify(documentFields(metadata)));
};

describe('a document', () => {
  it('of the launchpad', () => {
    const document = {
      name: 'Example',
      symbol: 'EX',
      description: 'An example.',
      image: `https://cf-ipfs.com/ipfs/${CID}`,
      showName: true,
      createdOn: 'https://pump.fun',
      twitter: 'https://x.com/example',
      telegram: 'https://t.me/example',
      website: 'https://example.com',
    };
    expect(read(document)).toEqual({
      image: `https://ipfs.io/ipfs/${CID}`,
      twitter: 'https://x.com/example',
      website: 'https://example.com/',
      telegram: 'https://t.me/example',
      description: 'An example.',
    });
  });

  it('of the older standard, with links below `extensions`', () => {
    const document = {
      image: 'ar://bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U',
      external_url: 'example.com',
      extensions: { twitter: '@example', telegram: 't.me/example' },
    };
    expect(read(document)).toEqual({
      image: 'https://arweave.net/bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U',
      twitter: 'https://x.com/example',
      website: 'https://example.com/',
      telegram: 'https://t.me/example',
    });
  });

  it.each([{}, { image: 5, twitter: null, website: [], description: {} }, { description: ' \u0000 ' }])(
    'that sets nothing leaves all out: %j',
    (document) => {
      expect(read(document)).toEqual({});
    },
  );

  it.each(['', '[]', '"text"', 'null', '{"a":', '<html>', `{"__proto__":{"image":"x"}`])('is none: %j', (text) => {
    expect(readDocument(text, DEFAULT_GATEWAYS)).toBeUndefined();
  });

  it('begins with a mark of its byte order, as some do', () => {
    expect(readDocument('\ufeff{"twitter":"@abc"}', DEFAULT_GATEWAYS)?.twitter).toBe('https://x.com/abc');
  });

  it('takes nothing from what it inherits', () => {
    expect(read(JSON.parse('{"__proto__":{"description":"x"},"constructor":{"description":"y"}}'))).toEqual({});
  });

  // A rule that looks at a text again from each of its places would be at it for hours.
  it('full of spaces is read to its end', () => {
    const spaces = `a${' '.repeat(1_000_000)}b`;
    const document = { image: spaces, twitter: spaces, website: spaces, telegram: spaces, description: spaces };
    expect(Object.keys(read(document))).toEqual(['description']);
  });

  it('is not kept in memory for the little that was taken from it', () => {
    const collect = collectGarbage();
    const used = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const kept: unknown[] = [];
    const before = used();
    for (let index = 0; index < 200; index += 1) {
      const text = `${' '.repeat(10_000)}handle_${index}_of_somebody`;
      const document = { twitter: text, image: `${' '.repeat(10_000)}${CID}`, description: 'x'.repeat(40_000) };
      kept.push(readDocument(JSON.stringify(document), DEFAULT_GATEWAYS));
    }
    expect((used() - before) / kept.length).toBeLessThan(10_000);
  });

  it('nests as deep as it likes', () => {
    const deep = `{"description":"x","a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect(readDocument(deep, DEFAULT_GATEWAYS)?.description).toBe('x');
  });
});

describe('a field', () => {
  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'https://user:pass@example.com/',
    'https://127.0.0.1/',
    'http://192.168.1.1/admin',
    'https://localhost/',
    'http://router/',
    'https://[::1]/',
    'not a link',
    `https://example.com/${'a'.repeat(300)}`,
    `https://example.com/${'\u4e00'.repeat(200)}`,
  ])('of a link that is none for people is left out: %j', (link) => {
    expect(read({ website: link, twitter: link, telegram: link, image: 'x' })).toEqual({});
  });

  it.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'https://127.0.0.1/a.png',
    'http://2130706433/a.png',
    'https://router.lan/a.png',
    'https://example.com:8080/a.png',
    'file:///etc/passwd',
    `https://example.com/${'\u4e00'.repeat(2_000)}`,
    `ipfs://${CID}/${'a'.repeat(1_980)}`,
    `ipfs://${CID}/${'\u4e00'.repeat(1_000)}`,
  ])('of an image that nobody is sent to is left out: %j', (image) => {
    expect(read({ image })).toEqual({});
  });

  it.each(['https://example.com/\'"><x onload=alert(1)>#\'"', 'https://example.com/?a=\'&b="'])(
    'of a URL ends no quotation in a page: %j',
    (url) => {
      const { image, website } = read({ image: url, website: url });
      for (const told of [image, website]) expect(told).toMatch(/^https:\/\/example\.com\/[^'"<>\s]+$/);
    },
  );

  it('of text loses what changes how text around it is shown, and keeps emoji and lines', () => {
    expect(read({ description: 'a\u202eb\u0007c\r\nd\u2066e 👩‍🚀 \ud800' })).toEqual({ description: 'abc\nde 👩‍🚀' });
  });

  it('is never longer than its bound, and never ends in half a character', () => {
    const description = read({ description: `${'a'.repeat(999)}🚀🚀` }).description;
    expect(description).toBe('a'.repeat(999));
    expect(read({ description: 'é'.repeat(5_000) }).description).toHaveLength(1_000);
  });

  it('is whatever may be shown, whatever the document holds', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.constantFrom('@a', '//x.com', 'x:y', '\\\\a'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        fc.record({ image: value, twitter: value, website: value, telegram: value, description: value }),
        (document) => {
          const { image, description = '', ...links } = read(document) ?? {};
          if (image !== undefined) expect(typeof readTarget(image)).toBe('object');
          for (const link of Object.values(links)) expect(link).toMatch(/^https?:\/\/[^\s/@]+\//);
          expect(description.length).toBeLessThanOrEqual(1_000);
        },
      ),
    );
  });
});
