import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { type Caller, type ListApp, openListApp } from '../../../test/support/list-app.ts';
import { randomWallet } from '../../../test/support/list-owners.ts';
import { type RouteContract, routeErrors, routeName } from '../../contract/route.ts';
import { listAudit } from '../audit.ts';
import { LIST_ROUTES } from './contract.ts';

const WALLET = randomWallet();

/**
 * Body of a request to each route and its answer, once the owner has group `g` with one wallet, a favorite and a
 * stream.
 */
const ASKED: Readonly<Record<string, { readonly body?: unknown; readonly answer: unknown }>> = {
  'GET /wallet-groups': { answer: { data: [{ id: 'g', name: 'G', count: 1 }] } },
  'POST /wallet-groups': { body: { name: 'H', id: 'h' }, answer: { id: 'h', name: 'H', count: 0, members: [] } },
  'GET /wallet-groups/{id}': { answer: { id: 'g', count: 1, members: [{ wallet: WALLET }] } },
  'PUT /wallet-groups/{id}': { body: { name: 'H' }, answer: { ok: true } },
  'POST /wallet-groups/{id}/wallets': { body: { wallet: WALLET }, answer: { ok: true, added: 0 } },
  'DELETE /wallet-groups/{id}/wallets/{wallet}': { answer: { ok: true } },
  'DELETE /wallet-groups/{id}': { answer: { ok: true } },
  'GET /wallet-favorites': { answer: { data: [{ wallet: WALLET, alias: 'known' }] } },
  'POST /wallet-favorites': { body: { wallet: WALLET }, answer: { ok: true } },
  'DELETE /wallet-favorites/{wallet}': { answer: { ok: true } },
  'GET /ws-subscriptions': { answer: { data: [{ name: 'S', active: true }] } },
  'POST /ws-subscriptions': { body: { name: 'T', kinds: ['grad'] }, answer: { name: 'T', kinds: ['grad'] } },
  'PUT /ws-subscriptions/{id}': { body: { active: false }, answer: { name: 'S', active: false } },
  'POST /ws-subscriptions/{id}/rotate': { answer: { name: 'S', active: true } },
  'DELETE /ws-subscriptions/{id}': { answer: { ok: true } },
};

/** Routes that name something of the owner's: to anybody else it is not there. */
const NAMING = LIST_ROUTES.filter(({ path }) => path.includes('{id}'));

it('asks every route', () => {
  expect(Object.keys(ASKED).sort()).toEqual(LIST_ROUTES.map(routeName).sort());
});

describe.each(ENGINES)('list routes on $engine', ({ open }) => {
  const clock = createHandClock();
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await open();
  });
  afterAll(() => accounts.close());

  /** An app whose owner has one of each, and what asks a route of it. */
  async function openFurnished() {
    const app = await openListApp(accounts, clock);
    await app.call('key', 'POST /wallet-groups', { id: 'g', name: 'G' });
    await app.call('key', 'POST /wallet-groups/g/wallets', { wallet: WALLET });
    await app.call('key', 'POST /wallet-favorites', { wallet: WALLET, alias: 'known' });
    const made = await app.call('key', 'POST /ws-subscriptions', { name: 'S', kinds: ['swaps'], wallet_list_id: 'g' });
    const stream = String(made.body.id);
    const ask = (caller: Caller, route: RouteContract) => {
      const id = route.path.startsWith('/ws-') ? stream : 'g';
      const request = routeName(route).replace('{id}', id).replace('{wallet}', WALLET);
      return app.call(caller, request, ASKED[routeName(route)]?.body);
    };
    return { app, ask };
  }

  async function everythingOf(app: ListApp, caller: Caller): Promise<unknown> {
    const lists = ['GET /wallet-groups?members=1', 'GET /wallet-favorites', 'GET /ws-subscriptions'];
    return Promise.all(lists.map(async (request) => (await app.call(caller, request)).body.data));
  }

  describe.each(LIST_ROUTES.map((route) => [routeName(route), route] as const))('%s', (name, route) => {
    it.each(['key', 'session'] as const)('answers its owner by %s as its contract declares', async (caller) => {
      const { app, ask } = await openFurnished();
      const { status, body } = await ask(caller, route);
      expect([status, body]).toEqual([200, expect.objectContaining({})]);
      expect(body).toMatchObject(ASKED[name]?.answer as object);
      expect(answerFaults(route, body)).toEqual([]);
      expect(await everythingOf(app, 'session')).toEqual(await everythingOf(app, 'key'));
      await app.close();
    });

    it('answers a stranger what it would if nothing were there, and changes nothing of the owner’s', async () => {
      const { app, ask } = await openFurnished();
      const before = await everythingOf(app, 'key');
      const { status, body } = await ask('stranger', route);
      if (NAMING.includes(route)) {
        expect([status, body.error?.code]).toEqual([
          404,
          route.path.startsWith('/ws-') ? 'stream_not_found' : 'group_not_found',
        ]);
      } else {
        expect(status).toBe(200);
        expect(JSON.stringify(body)).not.toMatch(/"(G|S|known)"/);
      }
      expect(await everythingOf(app, 'key')).toEqual(before);
      await app.close();
    });

    it.each([
      ['operator', 403, 'owner_required'],
      ['nobody', 401, 'missing_api_key'],
    ] as const)('refuses %s', async (caller, status, code) => {
      const { app, ask } = await openFurnished();
      const before = await everythingOf(app, 'key');
      const answer = await ask(caller, route);
      expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
      expect(routeErrors(route)).toContain(code);
      expect(await everythingOf(app, 'key')).toEqual(before);
      await app.close();
    });

    it('comes to the same when it is asked twice', async () => {
      const { app, ask } = await openFurnished();
      await ask('key', route);
      const once = await everythingOf(app, 'key');
      await ask('key', route);
      const twice = await everythingOf(app, 'key');
      // A stream that is made again is another one, and a token that is replaced again too.
      if (!['createStream', 'rotateStream'].includes(route.name)) expect(twice).toEqual(once);
      await app.close();
    });
  });

  it.each([
    ['key', { actor: 'key', key_id: 2 }],
    ['session', { actor: 'session' }],
  ] as const)('writes into the audit that streams were changed by %s', async (caller, by) => {
    const app = await openListApp(accounts, clock);
    const made = await app.call(caller, 'POST /ws-subscriptions', { name: 'S', kinds: ['grad'] });
    await app.call(caller, `POST /ws-subscriptions/${made.body.id}/rotate`);
    const entries = await listAudit(accounts.db, app.owner.accountId, { limit: 10 });
    expect(entries).toMatchObject([
      { ...by, action: 'stream.rotate' },
      { ...by, action: 'stream.create' },
    ]);
    for (const entry of entries) expect('key_id' in entry).toBe(caller === 'key');
    await app.close();
  });
});
