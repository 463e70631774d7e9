import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mempoolBuyersBody } from '../features/launch/mempool-body.ts';
import type { MempoolBuyers } from '../features/launch/mempool-reads.ts';
import { shownName } from './shown-name.ts';

/** Names that would hide, turn around or break what stands beside them. */
const HOSTILE: readonly (readonly [string, string, string])[] = [
  ['a nul and an escape sequence', 'a\u0000b\u001b[31mc', 'ab[31mc'],
  ['line ends', 'one\r\ntwo\u2028three\u2029\u0085', 'onetwothree'],
  ['a text turned around', '\u202eCDSU\u202c', 'CDSU'],
  ['isolates', '\u2066SOL\u2067\u2068\u2069', 'SOL'],
  ['marks of direction and nothing to see', 'U\u200eS\u200fD\u061c\u200bC\ufeff', 'USDC'],
  ['half a character', 'x\ud800y', 'xy'],
];

describe('a name as it is served', () => {
  it.each(HOSTILE)('is without %s', (_what, name, shown) => {
    expect(shownName(name)).toBe(shown);
  });

  it.each(['Doge ✨', '👨‍👩‍👧', 'می‌خواهم', '日本', 'Ünï-çødé "quoted" \\ /', ''])('is %j as it is', (name) => {
    expect(shownName(name)).toBe(name);
  });

  it('holds no control and no direction, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const shown = shownName(name);
        const codes = [...shown].map((each) => each.codePointAt(0)!);
        const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code <= 0x9f);
        const turns = (code: number) => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
        expect(codes.filter((code) => isControl(code) || turns(code))).toEqual([]);
        expect(shownName(shown)).toBe(shown);
      }),
    );
  });

  it('stands in the rows of buyers before the token, too', () => {
    const event = {
      symbol: '\u202eCDSU',
      time: 0,
      signature: new Uint8Array(64),
      create_signature: new Uint8Array(64),
    };
    const body = mempoolBuyersBody(1, { wallets: [], events: [event] } as unknown as MempoolBuyers);
    expect(JSON.parse(String(body)).events[0].symbol).toBe('CDSU');
  });
});
