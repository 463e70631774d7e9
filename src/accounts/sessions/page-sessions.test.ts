import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/accounts-engines.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { createPageSessions, PAGE_SESSION_MS, readPageSecret } from './page-sessions.ts';

const ADDRESS = '203.0.113.9';

describe('page sessions', () => {
  it('are open from the address that opened them, for twelve hours', async () => {
    const clock = createHandClock();
    const pages = createPageSessions(Buffer.alloc(32, 7), clock);
    const { token, expiresAt } = pages.open(ADDRESS);
    expect(expiresAt).toBe(clock.now() + PAGE_SESSION_MS);
    expect(pages.isOpen(token, ADDRESS)).toBe(true);
    for (const other of ['203.0.113.8', '::1', '', `${ADDRESS} `]) expect(pages.isOpen(token, other)).toBe(false);
    await clock.advance(PAGE_SESSION_MS - 1);
    expect(pages.isOpen(token, ADDRESS)).toBe(true);
    await clock.advance(1);
    expect(pages.isOpen(token, ADDRESS)).toBe(false);
  });

  it('are not made by anybody without the secret', () => {
    const clock = createHandClock();
    const pages = createPageSessions(Buffer.alloc(32, 7), clock);
    const { token, expiresAt } = pages.open(ADDRESS);
    const [, code = ''] = token.split('.');
    expect(createPageSessions(Buffer.alloc(32, 8), clock).isOpen(token, ADDRESS)).toBe(false);
    expect(pages.isOpen(`${expiresAt + 1}.${code}`, ADDRESS)).toBe(false);
    fc.assert(
      fc.property(fc.nat(token.length), fc.nat(1), fc.string({ maxLength: 2 }), (at, cut, put) => {
        const changed = token.slice(0, at) + put + token.slice(at + cut);
        // The last character of base64url holds two bits that are no part of the code.
        if (changed.slice(0, -1) !== token.slice(0, -1)) expect(pages.isOpen(changed, ADDRESS)).toBe(false);
      }),
    );
  });

  it.each(['', '.', 'x', `9999999999999.${'A'.repeat(43)}`, '9'.repeat(100)])('are not %j', (token) => {
    expect(createPageSessions(Buffer.alloc(32), createHandClock()).isOpen(token, ADDRESS)).toBe(false);
  });
});

describe.each(ENGINES)('the secret of page sessions on $engine', ({ open }) => {
  it('is one for all processes, whoever makes it', async () => {
    const accounts = await open();
    try {
      const another = await accounts.openAnother();
      const secrets = await Promise.all([accounts, another, accounts, another].map(readPageSecret));
      expect(secrets[0]).toHaveLength(32);
      for (const secret of secrets) expect(secret).toEqual(secrets[0]);
      expect(await readPageSecret(another)).toEqual(secrets[0]);
    } finally {
      await accounts.close();
    }
  });
});
