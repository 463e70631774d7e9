import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { SIGN_IN_ADDRESS, type SignInProcess, startSignIn } from '../../../test/support/sign-in.ts';
import { createWallet } from '../../../test/support/wallets.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { hashApiKey, isApiKey } from '../keys/api-key.ts';
import { NONCE_MS } from './nonces.ts';

describe.each(ENGINES)('signing in on $engine', ({ open }) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function start(): Promise<{ accounts: TestAccounts; process: SignInProcess }> {
    const accounts = await open();
    closers.push(() => accounts.close());
    const process = await startSignIn(accounts);
    closers.push(() => process.close());
    return { accounts, process };
  }

  const refused = async (asked: Promise<unknown>): Promise<ErrorCode | 'let in'> =>
    asked.then(
      () => 'let in' as const,
      (error: { code: ErrorCode }) => error.code,
    );

  it('makes the account of a wallet the first time, with its trial and a key, and finds it again', async () => {
    const { accounts, process } = await start();
    const wallet = createWallet();
    const first = await process.enter(wallet);
    expect(first).toMatchObject({ created: true, accountId: expect.any(Number) });
    expect(isApiKey(first.firstKey ?? '')).toBe(true);
    const again = await process.enter(wallet, '198.51.100.7');
    expect(again).toMatchObject({ created: false, accountId: first.accountId, firstKey: undefined });

    const { db } = accounts;
    const account = await db.selectFrom('accounts').selectAll().where('wallet', '=', wallet.address).execute();
    expect(account).toMatchObject([{ id: first.accountId, state: 'active', plan: 'trial', reset_at: null }]);
    const keys = await db.selectFrom('api_keys').selectAll().where('account_id', '=', first.accountId).execute();
    expect(keys).toMatchObject([{ name: 'first', state: 'active', budget: null }]);
    expect(Buffer.from(keys[0]!.hash)).toEqual(hashApiKey(first.firstKey ?? ''));
    const pools = await db.selectFrom('pools').selectAll().where('account_id', '=', first.accountId).execute();
    expect(pools).toMatchObject([{ key_id: null, balance: 200_000, capacity: 200_000, leased: 0 }]);
    const ledger = await db.selectFrom('ledger').selectAll().where('account_id', '=', first.accountId).execute();
    expect(ledger).toMatchObject([{ kind: 'trial', amount: 200_000 }]);
    const audit = await db.selectFrom('audit').selectAll().where('account_id', '=', first.accountId).execute();
    expect(audit.map(({ action }) => action).sort()).toEqual([
      'account.create',
      'key.create',
      'session.open',
      'session.open',
    ]);
    const found = await process.sessions.find(process.token(first.cookie));
    expect(found).toMatchObject({ accountId: first.accountId, wallet: wallet.address, accountState: 'active' });
  });

  it('keeps nothing that anybody could sign in with', async () => {
    const { accounts, process } = await start();
    const wallet = createWallet();
    const { message, nonce } = await process.auth.issueNonce(wallet.address, undefined);
    const signature = wallet.sign(message);
    const { cookie, firstKey } = await process.auth.verify({ wallet: wallet.address, message, signature }, '::1');
    const { db } = accounts;
    const rows = await Promise.all([
      db.selectFrom('accounts').selectAll().execute(),
      db.selectFrom('api_keys').selectAll().execute(),
      db.selectFrom('sessions').selectAll().execute(),
      db.selectFrom('nonces').selectAll().execute(),
      db.selectFrom('audit').selectAll().execute(),
      db.selectFrom('changes').selectAll().execute(),
    ]);
    const texts = rows.flat().flatMap((row) => Object.values(row).map(textOf));
    const kept = texts.join('\n');
    expect(kept).toContain(wallet.address);
    for (const secret of [nonce, signature, process.token(cookie), firstKey ?? '']) expect(kept).not.toContain(secret);
  });

  it('takes a nonce once, whether the signature was right or wrong', async () => {
    const { process } = await start();
    const [wallet, other] = [createWallet(), createWallet()];
    const { message } = await process.auth.issueNonce(wallet.address, undefined);
    const right = { wallet: wallet.address, message, signature: wallet.sign(message) };
    expect(await refused(process.auth.verify(right, SIGN_IN_ADDRESS))).toBe('let in');
    expect(await refused(process.auth.verify(right, SIGN_IN_ADDRESS))).toBe('invalid_nonce');

    const { message: second } = await process.auth.issueNonce(wallet.address, undefined);
    const wrong = { wallet: wallet.address, message: second, signature: other.sign(second) };
    expect(await refused(process.auth.verify(wrong, SIGN_IN_ADDRESS))).toBe('invalid_signature');
    const late = { ...wrong, signature: wallet.sign(second) };
    expect(await refused(process.auth.verify(late, SIGN_IN_ADDRESS))).toBe('invalid_nonce');
  });

  it('lets one of many in who send the same signature at the same time, from several processes', async () => {
    const { accounts, process } = await start();
    const others = await Promise.all([1, 2].map(async () => startSignIn(await accounts.openAnother())));
    closers.push(async () => void (await Promise.all(others.map((each) => each.close()))));
    for (let round = 0; round < 5; round += 1) {
      const wallet = createWallet();
      const { message } = await process.auth.issueNonce(wallet.address, undefined);
      const signed = { wallet: wallet.address, message, signature: wallet.sign(message) };
      const all = [process, ...others].flatMap(({ auth }) => [auth, auth, auth, auth]);
      const outcomes = await Promise.all(all.map((auth) => refused(auth.verify(signed, SIGN_IN_ADDRESS))));
      expect(outcomes.filter((outcome) => outcome === 'let in')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'invalid_nonce')).toHaveLength(all.length - 1);
    }
  });

  it('wants the very message: of this wallet, for this nonce, to the byte', async () => {
    const { process } = await start();
    const [wallet, other] = [createWallet(), createWallet()];
    const sign = async (change: (message: string) => string, by = wallet) => {
      const { message } = await process.auth.issueNonce(wallet.address, undefined);
      const text = change(message);
      return refused(process.auth.verify({ wallet: wallet.address, message: text, signature: by.sign(text) }, '::1'));
    };
    const withoutStatement = (text: string) => text.replace(/\n\nSign in[^\n]+/, '');
    expect(await sign((text) => text)).toBe('let in');
    expect(await sign(withoutStatement)).toBe('let in');
    expect(await sign((text) => text.replace('Chain ID: mainnet', 'Chain ID: solana:mainnet'))).toBe('let in');
    expect(await sign((text) => text, other)).toBe('invalid_signature');
    expect(await sign((text) => text.replaceAll('mintscope.example', 'evil.example'))).toBe('invalid_param');
    expect(await sign((text) => text.replace(/Expiration Time: \d{4}/, 'Expiration Time: 2099'))).toBe('invalid_param');
    expect(await sign((text) => text.replace(wallet.address, other.address))).toBe('invalid_param');
    expect(await sign((text) => text.replace(/Nonce: \w+/, 'Nonce: 12345678'))).toBe('invalid_nonce');
    expect(await sign((text) => text.replace(/\nNonce: \w+/, ''))).toBe('invalid_nonce');
    expect(await sign((text) => `${text}\n`)).toBe('invalid_param');
    // The nonce is used up by whatever names it, also when the rest is of another wallet.
    const named = await process.auth.issueNonce(wallet.address, undefined);
    const renamed = named.message.replace(wallet.address, other.address);
    const tried = (text: string) => ({ wallet: wallet.address, message: text, signature: wallet.sign(text) });
    expect(await refused(process.auth.verify(tried(renamed), '::1'))).toBe('invalid_param');
    expect(await refused(process.auth.verify(tried(named.message), '::1'))).toBe('invalid_nonce');
    // Signed, but something else was sent.
    const { message } = await process.auth.issueNonce(wallet.address, undefined);
    const sent = withoutStatement(message);
    const signed = { wallet: wallet.address, message: sent, signature: wallet.sign(message) };
    expect(await refused(process.auth.verify(signed, '::1'))).toBe('invalid_signature');
  });

  it('does not take the nonce of another wallet, and then nobody does', async () => {
    const { process } = await start();
    const [wallet, thief] = [createWallet(), createWallet()];
    const { message } = await process.auth.issueNonce(wallet.address, undefined);
    const stolen = message.replace(wallet.address, thief.address);
    const signed = { wallet: thief.address, message: stolen, signature: thief.sign(stolen) };
    expect(await refused(process.auth.verify(signed, '::1'))).toBe('invalid_nonce');
  });

  it('waits five minutes for a signature and no longer', async () => {
    const accounts = await open();
    closers.push(() => accounts.close());
    const clock = createHandClock();
    const process = await startSignIn(accounts, { clock });
    closers.push(() => process.close());
    const wallet = createWallet();
    for (const [waited, outcome] of [
      [NONCE_MS - 1, 'let in'],
      [NONCE_MS, 'invalid_nonce'],
    ] as const) {
      const { message } = await process.auth.issueNonce(wallet.address, undefined);
      await clock.advance(waited);
      const signed = { wallet: wallet.address, message, signature: wallet.sign(message) };
      expect(await refused(process.auth.verify(signed, '::1'))).toBe(outcome);
    }
  });

  it.each([
    ['suspended', 'account_suspended'],
    ['banned', 'account_banned'],
    ['not_ready', 'account_not_ready'],
  ] as const)('opens no session for an account that is %s', async (state, code) => {
    const { accounts, process } = await start();
    const wallet = createWallet();
    const { accountId } = await process.enter(wallet);
    await accounts.db.updateTable('accounts').set({ state }).where('id', '=', accountId).execute();
    expect(await refused(process.enter(wallet))).toBe(code);
    const sessions = await accounts.db.selectFrom('sessions').selectAll().execute();
    expect(sessions).toHaveLength(1);
  });

  it('makes all of an account or nothing of it', async () => {
    const { accounts, process } = await start();
    // The last thing that is written fails.
    await accounts.db.schema.alterTable('audit').renameTo('audit_away').execute();
    expect(await refused(process.enter(createWallet()))).not.toBe('let in');
    for (const table of ['accounts', 'pools', 'ledger', 'trials', 'api_keys', 'sessions', 'changes'] as const) {
      expect([table, await accounts.db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
  });
});

/** Content of a column, bytes as the text that they may be. */
function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}
