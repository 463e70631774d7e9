import { describe, expect, it } from 'vitest';
import { coinProfile } from './coin-profile.ts';
import { createMetadataTransport } from './metadata-transport.ts';

const COINS = 400;

describe('createMetadataTransport', () => {
  const fetch = createMetadataTransport('documents');
  const profiles = Array.from({ length: COINS }, (_, number) => coinProfile('documents', number));

  it('answers every URI of its chain as the coin was meant to be documented', () => {
    const seen = new Set<string>();
    for (const { document, name, symbol, uri } of profiles) {
      seen.add(document);
      const body = fetch(uri);
      if (document === 'gone' || document === 'none') expect(body).toBeUndefined();
      else if (document === 'broken') expect(() => JSON.parse(body!)).toThrow(SyntaxError);
      else expect(JSON.parse(body!)).toMatchObject({ name, symbol });
    }
    expect([...seen].sort()).toEqual(['broken', 'full', 'gone', 'none', 'sparse']);
  });

  it('knows no URI of another chain', () => {
    expect(fetch(coinProfile('elsewhere', 3).uri)).toBeUndefined();
    expect(fetch('https://example.com/3.json')).toBeUndefined();
  });
});
