import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/accounts-engines.ts';
import { buildTestApp } from '../../test/support/api-app.ts';
import { createWallet } from '../../test/support/wallets.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { createOwnOrigin } from '../accounts/sessions/own-origin.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

interface SignedIn {
  readonly account_id: number;
  readonly created: boolean;
  readonly first_key?: string;
}

describe.each(ENGINES)('signing in over HTTP on $engine', ({ open }) => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function start(): Promise<{
    app: FastifyInstance;
    api: string;
    logged: () => string;
    breakDatabase: () => Promise<unknown>;
  }> {
    const lines: unknown[] = [];
    const write = (...line: unknown[]) => void lines.push(line);
    const log: Logger = { debug: write, info: write, warn: write, error: write };
    const database = await open();
    closers.push(() => database.close());
    let port: number | undefined;
    const ownOrigin = createOwnOrigin({ publicUrl: undefined, host: '127.0.0.1', port: () => port });
    const settings = { devKey: undefined, enforce: false, plansFile: undefined };
    const accounts = await createAccounts(settings, { accounts: database, ownOrigin, clock: systemClock, log });
    closers.push(() => accounts.close());
    const { keys, sessions, auth, account } = accounts;
    const app = buildTestApp({ keys, sessions, auth, account, ownOrigin, log });
    closers.push(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as AddressInfo).port;
    return {
      app,
      api: `http://127.0.0.1:${port}/api`,
      logged: () => lines.map((line) => inspectAll(line)).join('\n'),
      breakDatabase: () => database.db.schema.alterTable('sessions').renameTo('sessions_away').execute(),
    };
  }

  it('is done by the example of the documentation', async () => {
    const { api } = await start();
    const [, code = ''] = /## Sign in\n.*?```js\n(.*?)```/s.exec(page) ?? [];
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { env: { API: api } });
    const { signedIn, account } = JSON.parse(stdout) as { signedIn: SignedIn; account: object };
    expect(signedIn).toMatchObject({ created: true, first_key: expect.stringMatching(/^ms_live_/) });
    expect(account).toMatchObject({ account_id: signedIn.account_id, plan: 'trial', state: 'active' });
  });

  it('leaves no nonce, signature, token or key in the log, whatever goes wrong', async () => {
    const { app, logged, breakDatabase } = await start();
    const wallet = createWallet();
    const post = (path: string, payload: object, cookie = '') =>
      app.inject({ method: 'POST', url: `/api/auth/${path}`, payload, headers: { cookie } });
    const ask = async () =>
      (await post('nonce', { wallet: wallet.address })).json<{ nonce: string; message: string }>();

    const first = await ask();
    const signature = wallet.sign(first.message);
    const entered = await post('verify', { wallet: wallet.address, message: first.message, signature });
    const { first_key: key = '' } = entered.json<SignedIn>();
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
    expect(entered.statusCode).toBe(200);
    const used = await post('verify', { wallet: wallet.address, message: first.message, signature });
    expect(used.statusCode).toBe(401);
    await breakDatabase();
    const second = await ask();
    const other = wallet.sign(second.message);
    const broken = await post('verify', { wallet: wallet.address, message: second.message, signature: other });
    expect(broken.statusCode).toBeGreaterThanOrEqual(500);
    const unread = await app.inject({ url: '/api/account', headers: { cookie } });
    expect(unread.statusCode).toBe(503);

    const token = cookie.slice(cookie.indexOf('=') + 1);
    const said = [logged(), ...[used, broken, unread].map(({ body }) => body)].join('\n');
    for (const secret of [first.nonce, second.nonce, signature, other, token, key]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(said).not.toContain(secret);
    }
    expect(logged()).not.toBe('');
  });
});

/** A line of the log with everything that hangs on its errors. */
function inspectAll(line: unknown): string {
  const seen = new Set<unknown>();
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) {
      texts.push(String(value));
      return;
    }
    if (seen.has(value)) return;
    seen.add(value);
    for (const name of Object.getOwnPropertyNames(value)) visit((value as Record<string, unknown>)[name]);
  };
  visit(line);
  return texts.join(' ');
}
