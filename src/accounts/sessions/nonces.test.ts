import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { createNonces, NONCE_MS, sweepNonces } from './nonces.ts';

const WALLET = 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1';

describe.each(ENGINES)('nonces on $engine', ({ open }) => {
  let accounts: TestAccounts;
  afterEach(() => accounts.close());

  async function kept(): Promise<number> {
    return (await accounts.db.selectFrom('nonces').select('nonce').execute()).length;
  }

  it('are words of the standard, each another one', async () => {
    accounts = await open();
    const nonces = createNonces({ db: accounts.db, clock: createHandClock() });
    const issued = await Promise.all(Array.from({ length: 50 }, () => nonces.issue(WALLET)));
    for (const { nonce } of issued) expect(nonce).toMatch(/^[A-Za-z0-9]{8,}$/);
    expect(new Set(issued.map(({ nonce }) => nonce)).size).toBe(50);
  });

  it('go to one of many who ask for the same', async () => {
    accounts = await open();
    const clock = createHandClock();
    const all = [accounts, await accounts.openAnother()].map(({ db }) => createNonces({ db, clock }));
    for (let round = 0; round < 10; round += 1) {
      const { nonce } = await all[0]!.issue(WALLET);
      const taken = await Promise.all([...all, ...all, ...all].map((nonces) => nonces.take(nonce, WALLET)));
      expect(taken.filter((each) => each !== undefined)).toHaveLength(1);
    }
    expect(await kept()).toBe(0);
  });

  it('are gone when somebody else’s wallet tries them, or nobody in time', async () => {
    accounts = await open();
    const clock = createHandClock();
    const nonces = createNonces({ db: accounts.db, clock });
    const { nonce } = await nonces.issue(WALLET);
    expect(await nonces.take(nonce, '1'.repeat(32))).toBeUndefined();
    expect(await nonces.take(nonce, WALLET)).toBeUndefined();
    const late = await nonces.issue(WALLET);
    await clock.advance(NONCE_MS);
    expect(await nonces.take(late.nonce, WALLET)).toBeUndefined();
    expect(await kept()).toBe(0);
  });

  it('are bounded: the newest stay, and a flood does not keep anybody out', async () => {
    accounts = await open();
    const clock = createHandClock();
    const nonces = createNonces({ db: accounts.db, clock, capacity: 20 });
    for (let i = 0; i < 100; i += 1) {
      await nonces.issue(WALLET);
      await clock.advance(i % 3);
    }
    // As many again may come between two looks.
    expect(await kept()).toBeLessThanOrEqual(2 * 20);
    const { nonce } = await nonces.issue(WALLET);
    for (let i = 0; i < 15; i += 1) await nonces.issue(WALLET);
    expect(await nonces.take(nonce, WALLET)).toMatchObject({ nonce, wallet: WALLET });
  });

  it('are swept when they have ended', async () => {
    accounts = await open();
    const clock = createHandClock();
    const nonces = createNonces({ db: accounts.db, clock });
    await nonces.issue(WALLET);
    await clock.advance(1);
    await nonces.issue(WALLET);
    await sweepNonces(accounts, clock.now() + NONCE_MS - 1);
    expect(await kept()).toBe(1);
  });
});
