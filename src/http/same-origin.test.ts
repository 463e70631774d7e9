import { describe, expect, it } from 'vitest';
import { createOwnOrigin } from '../accounts/sessions/own-origin.ts';
import { isCrossOrigin, isOwnPage, type PageHeaders } from './same-origin.ts';

const OWN = 'https://mintscope.example';
const own = createOwnOrigin({ publicUrl: OWN, host: '0.0.0.0', port: () => 8080 });

type Said = readonly [site: string | undefined, origin: string | undefined];

function headers([site, origin]: Said): PageHeaders {
  return { ...(site === undefined ? {} : { 'sec-fetch-site': site }), ...(origin === undefined ? {} : { origin }) };
}

const OTHERS = [
  'https://evil.example',
  'http://mintscope.example',
  'https://mintscope.example:8443',
  'https://app.mintscope.example',
  'https://mintscope.example.evil.example',
  'https://MINTSCOPE.example',
  'http://localhost:8080',
  'null',
  '',
];

describe('whether a browser names another origin', () => {
  it.each<Said>([
    [undefined, undefined],
    ['same-origin', undefined],
    ['same-origin', OWN],
    [undefined, OWN],
    ['none', undefined],
  ])('does not when it says %j and %j', (...said) => {
    expect(isCrossOrigin(headers(said), own)).toBe(false);
  });

  it.each(['cross-site', 'same-site', 'SAME-ORIGIN', 'same-origin, same-origin', ''])(
    'does when it says %j, whatever the origin',
    (site) => {
      for (const origin of [undefined, OWN, ...OTHERS]) expect(isCrossOrigin(headers([site, origin]), own)).toBe(true);
    },
  );

  it.each(OTHERS)('does when the origin is %j, whatever else it says', (origin) => {
    for (const site of [undefined, 'same-origin', 'none']) {
      expect(isCrossOrigin(headers([site, origin]), own)).toBe(true);
    }
  });
});

describe('whether a browser names our own page', () => {
  it('needs the word of one header, and none against it', () => {
    for (const said of [
      ['same-origin', undefined],
      ['same-origin', OWN],
      [undefined, OWN],
    ] as const) {
      expect([said, isOwnPage(headers(said), own)]).toEqual([said, true]);
    }
    const refused: Said[] = [
      [undefined, undefined],
      ['none', undefined],
      ['none', OWN],
      ['cross-site', OWN],
      ['same-site', OWN],
      ...OTHERS.flatMap((origin): Said[] => [
        [undefined, origin],
        ['same-origin', origin],
      ]),
    ];
    for (const said of refused) expect([said, isOwnPage(headers(said), own)]).toEqual([said, false]);
  });
});
