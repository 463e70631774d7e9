import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Accounts, createAccounts } from '../../src/accounts/accounts.ts';
import { createOwnOrigin } from '../../src/accounts/sessions/own-origin.ts';
import { createSocketBounds } from '../../src/http/sockets/socket-bounds.ts';
import { SOCKET_LIMITS } from '../../src/http/sockets/socket-limits.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { ROUTES } from '../../src/routes.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { createSecretSearch } from '../fuzz/secret-search.ts';
import { failing } from '../support/answers/failing.ts';
import { answerDoubles, buildTestApp, TEST_ORIGIN, testGate } from '../support/api-app.ts';
import { bytesOfDatabase } from '../support/file-bytes.ts';
import { TEST_KEY_PLACE } from '../support/secrets-key.ts';
import { requestOf } from '../support/walk/requests.ts';
import { createWallet } from '../support/wallets.ts';

/** `ms_live_` and four more characters. */
const SHOWN = 12;
const PAGE = { 'sec-fetch-site': 'same-origin', origin: TEST_ORIGIN };

/** A whole session over the real accounts and the real log, which goes on when the database and the store are gone. */
describe('what a session leaves behind', () => {
  const written: string[] = [];
  const secrets = createSecretSearch();
  let dir: string;
  let database: AccountsDatabase;
  let accounts: Accounts;
  let app: FastifyInstance;
  let cookie = '';
  const keys: string[] = [];

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'mintscope-secrets-'));
    database = await openAccountsDatabase({
      url: undefined,
      path: join(dir, 'accounts.db'),
      key: TEST_KEY_PLACE,
      clock,
    });
    const sink = new Writable({
      write(bytes: Buffer, _encoding, done) {
        written.push(bytes.toString());
        done();
      },
    });
    const log = pino({ level: 'trace' }, sink);
    const ownOrigin = createOwnOrigin({ publicUrl: TEST_ORIGIN, host: '127.0.0.1', port: () => undefined });
    const settings = { devKey: undefined, enforce: true, plansFile: undefined };
    accounts = await createAccounts(settings, { accounts: database, ownOrigin, clock, log });
    const { answers, metadata } = answerDoubles();
    const gone = () => Promise.reject(new Error('the store is gone'));
    app = buildTestApp({
      ...testGate(),
      ...accounts,
      answers: failing(answers, gone),
      metadata: failing(metadata, gone),
      ownOrigin,
      clientAddress: () => '203.0.113.7',
      sockets: createSocketBounds({ limits: SOCKET_LIMITS, clientAddress: () => '203.0.113.7', clock, log }),
      clock,
      log,
    });
  });

  afterAll(async () => {
    await app.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });

  it('signs in and makes keys, each of which is shown once', async () => {
    const wallet = createWallet();
    const asked = (await post('/api/auth/nonce', { wallet: wallet.address })).json();
    const signature = wallet.sign(asked.message);
    const signed = await post('/api/auth/verify', { wallet: wallet.address, message: asked.message, signature });
    expect(signed.statusCode).toBe(200);
    cookie = String(signed.headers['set-cookie']).split(';')[0] ?? '';
    secrets.add({ name: 'nonce', text: asked.nonce, isKept: true });
    secrets.add({ name: 'signature', text: signature });
    secrets.add({ name: 'session', text: cookie.slice(cookie.indexOf('=') + 1) });
    addKey(signed.json().first_key);
    const made = (await post('/api/account/keys', { name: 'one' })).json();
    addKey(made.key);
    addKey((await post(`/api/account/keys/${made.id}/rotate`, undefined)).json().key);
    const stream = (await post('/api/ws-subscriptions', { name: 'feed', kinds: ['feed'] })).json();
    secrets.add({ name: 'stream token', text: stream.token });
    expect(secrets.count).toBe(7);
  });

  it('leaves nothing secret in the files of its accounts but the nonce, which is deleted and worth nothing', async () => {
    expect(readdirSync(dir)).toContain('accounts.db-wal');
    expect(secrets.find(bytesOfDatabase(join(dir, 'accounts.db')), true)).toBeUndefined();
  });

  it('is refused and fails at every route, by every key, and says nothing secret', async () => {
    await askEverything();
    expect(shownIn(written.join(''))).toBeUndefined();
    expect(written.join('')).toContain('the store is gone');
  });

  it('goes on when the accounts are gone, and says nothing secret', async () => {
    await database.db.destroy();
    await askEverything();
    expect(shownIn(written.join(''))).toBeUndefined();
  });

  it('would be seen in the log if it were there', () => {
    expect(shownIn(`{"headers":{"x-api-key":"${keys[0]}"}}`)?.name).toBe('key');
    expect(shownIn(`cut short: ${keys[1]?.slice(20, 40)}`)?.name).toBe('key');
  });

  function post(url: string, payload: object | undefined) {
    const headers = { ...PAGE, ...(cookie === '' ? {} : { cookie }) };
    return app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) });
  }

  function addKey(text: string): void {
    keys.push(text);
    secrets.add({ name: 'key', text, shown: SHOWN });
  }

  /** Each refusal is looked through too: what a stream's owner may see again is no refusal. */
  async function askEverything(): Promise<void> {
    const mistyped = keys.map((text) => `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`);
    const callers = [{ ...PAGE, cookie }, ...[...keys, ...mistyped].map((text) => ({ 'x-api-key': text }))];
    // Signing out would end what the others ask in.
    for (const route of ROUTES.filter(({ name, method }) => name !== 'logOut' && method !== 'DELETE')) {
      for (const headers of callers) {
        const answer = await app.inject(
          requestOf(route, { headers: { authorization: `Bearer ${keys[0]}`, ...headers } }),
        );
        if (answer.statusCode >= 400) expect(shownIn(answer.body + JSON.stringify(answer.headers))).toBeUndefined();
      }
    }
  }

  function shownIn(text: string) {
    return secrets.find(Buffer.from(text));
  }
});
