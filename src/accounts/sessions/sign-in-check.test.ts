import { describe, expect, it } from 'vitest';
import { createOwnOrigin } from './own-origin.ts';
import { composeSignIn, faultOfSignIn, type IssuedNonce } from './sign-in-check.ts';
import { formatSignInMessage, parseSignInMessage, type SignInMessage } from './sign-in-message.ts';

const ORIGIN = 'https://mintscope.example';
const NOW = Date.parse('2026-11-21T11:00:00.000Z');
const own = createOwnOrigin({ publicUrl: ORIGIN, host: '127.0.0.1', port: () => 8080 });
const issued: IssuedNonce = {
  nonce: 'oBbLoEldZs2222',
  wallet: 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1',
  expiresAt: NOW + 300_000,
};
const ours = composeSignIn(issued, ORIGIN, NOW);

function fault(changes: Partial<Record<keyof SignInMessage, unknown>>, now = NOW): string | undefined {
  const message = Object.fromEntries(
    Object.entries({ ...ours, ...changes }).filter(([, value]) => value !== undefined),
  );
  return faultOfSignIn(message as unknown as SignInMessage, issued, own, now);
}

describe('what a sign-in message means', () => {
  it('is what we composed, which the standard can express', () => {
    expect(parseSignInMessage(formatSignInMessage(ours))).toEqual(ours);
    expect(fault({})).toBeUndefined();
  });

  it.each<[string, Partial<Record<keyof SignInMessage, unknown>>]>([
    ['leaves out the statement', { statement: undefined }],
    ['leaves out the URI', { uri: undefined }],
    ['leaves out version and chain', { version: undefined, chainId: undefined }],
    ['leaves out its times', { issuedAt: undefined, expirationTime: undefined }],
    ['names a page of ours', { uri: `${ORIGIN}/account?from=menu` }],
    ['names the chain in full', { chainId: 'solana:mainnet' }],
    ['writes the expiry for another zone', { expirationTime: '2026-11-21T12:05:00+01:00' }],
    ['has a clock that is somewhat ahead', { issuedAt: '2026-11-21T11:00:59Z' }],
    ['has a clock that is behind', { issuedAt: '2026-11-21T10:51:00Z' }],
  ])('is the same when the wallet %s', (_what, changes) => {
    expect(fault(changes)).toBeUndefined();
  });

  it.each<[string, Partial<Record<keyof SignInMessage, unknown>>, string]>([
    ['another domain', { domain: 'evil.example' }, 'is for another domain'],
    ['a domain that begins as ours', { domain: 'mintscope.example.evil.example' }, 'is for another domain'],
    ['our domain with a user', { domain: 'me@mintscope.example' }, 'is for another domain'],
    ['our domain with a port', { domain: 'mintscope.example:8443' }, 'is for another domain'],
    ['a loopback name', { domain: 'localhost:8080' }, 'is for another domain'],
    ['another wallet', { address: 'Eo6pYFYmbXKmvQDzpQ7aUnwhpiebp8pDLtanSqFEv8g1' }, 'is of another wallet'],
    ['another nonce', { nonce: 'another8chars' }, 'has another nonce'],
    ['no nonce', { nonce: undefined }, 'has another nonce'],
    ['another URI', { uri: 'https://evil.example' }, 'is for another URI'],
    ['our URI without TLS', { uri: 'http://mintscope.example' }, 'is for another URI'],
    ['a URI that is no place', { uri: 'urn:mintscope.example' }, 'is for another URI'],
    ['another statement', { statement: 'I give everything I own.' }, 'states something else'],
    ['another chain', { chainId: 'devnet' }, 'is for another chain'],
    ['a later expiry', { expirationTime: '2026-11-21T11:05:00.001Z' }, 'has another expiry'],
    ['an earlier expiry', { expirationTime: '2026-11-21T11:04:59Z' }, 'has another expiry'],
    ['a start', { notBefore: '2026-11-21T10:00:00Z' }, 'says more than was asked'],
    ['a request of its own', { requestId: '7' }, 'says more than was asked'],
    ['resources', { resources: [] }, 'says more than was asked'],
    ['a time in the future', { issuedAt: '2026-11-21T11:01:00.001Z' }, 'is issued in the future'],
  ])('is another with %s', (_what, changes, why) => {
    expect(fault(changes)).toBe(why);
  });

  it('ends with the nonce, even when the wallet wrote no expiry', () => {
    for (const changes of [{}, { expirationTime: undefined }]) {
      expect(fault(changes, issued.expiresAt - 1)).toBeUndefined();
      expect(fault(changes, issued.expiresAt)).toBe('has another expiry');
    }
  });

  it('changes with every single character, but for spellings of what we said and for the time of issue', () => {
    const text = formatSignInMessage(ours);
    const accepted = new Set<string>();
    for (let at = 0; at <= text.length; at += 1) {
      for (const put of ['', ' ', '\n', '0', '1', '9', 'a', 'z', 'Z', '/', '?', '#', '.', ':', '-', '+', '@']) {
        for (const cut of [0, 1]) {
          const changed = text.slice(0, at) + put + text.slice(at + cut);
          const read = changed === text ? undefined : parseSignInMessage(changed);
          if (read === undefined || faultOfSignIn(read, issued, own, NOW) !== undefined) continue;
          const { issuedAt, ...rest } = read;
          const { issuedAt: _, ...same } = ours;
          // A change that is accepted may only spell a time otherwise, or change the path of a URI of ours.
          expect(Date.parse(issuedAt ?? '')).toBeLessThanOrEqual(NOW + 60_000);
          expect(Date.parse(rest.expirationTime ?? '')).toBe(issued.expiresAt);
          expect(new URL(rest.uri ?? '').origin).toBe(ORIGIN);
          expect({ ...rest, expirationTime: same.expirationTime, uri: same.uri }).toEqual(same);
          accepted.add(changed);
        }
      }
    }
    expect(accepted.size).toBeGreaterThan(10);
  });
});
