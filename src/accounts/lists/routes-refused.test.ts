import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { type ListApp, openListApp } from '../../../test/support/list-app.ts';
import { randomWallet, randomWallets } from '../../../test/support/list-owners.ts';
import { randomBytes } from '../../../test/support/random.ts';
import { encodeBase58 } from '../../chain/keys/base58.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import { routeErrors, routeName } from '../../contract/route.ts';
import { LIST_ROUTES } from './contract.ts';
import { MAX_GROUP_WALLETS, MAX_GROUPS, MAX_LISTED_WALLETS } from './contract-limits.ts';

const WALLET = randomWallet();
/** A byte more than an address has; a character more may still spell one. */
const LONGER = encodeBase58(randomBytes(33));
const LONG = '名'.repeat(65);
/** About what a body of 256 KiB holds. */
const MANY = randomWallets(5500);
const KINDS = { name: 'T', kinds: ['grad'] };
/** 256 KiB are 262,144 bytes. */
const LARGE = { name: 'x'.repeat(262_145) };

type Refusal = readonly [request: string, body: unknown, code: ErrorCode, param?: string];

/** The owner has group `g`, and stream 0 in the place of its id. What every route with a body refuses is added below. */
const REFUSED: readonly Refusal[] = [
  ['GET /wallet-groups?members=yes', undefined, 'invalid_param', 'members'],
  ['POST /wallet-groups', {}, 'name_required', 'name'],
  ['POST /wallet-groups', { name: ' a\nb ' }, 'invalid_param', 'name'],
  ['POST /wallet-groups', { name: ' \n ' }, 'name_required', 'name'],
  ['POST /wallet-groups', { name: LONG }, 'name_too_long', 'name'],
  ['POST /wallet-groups', { name: 5 }, 'invalid_param', 'name'],
  ['POST /wallet-groups', { name: 'G', id: 'g' }, 'group_exists', 'id'],
  ['POST /wallet-groups', { name: 'G', id: '' }, 'invalid_param', 'id'],
  ['POST /wallet-groups', { name: 'G', id: 'With Blanks' }, 'invalid_param', 'id'],
  ['POST /wallet-groups', { name: 'G', id: 'a'.repeat(65) }, 'invalid_param', 'id'],
  ['POST /wallet-groups', { name: 'G', id: 'g\n' }, 'invalid_param', 'id'],
  ['GET /wallet-groups/h', undefined, 'group_not_found'],
  ['GET /wallet-groups/G', undefined, 'invalid_param', 'id'],
  ['PUT /wallet-groups/h', { name: 'H' }, 'group_not_found'],
  ['PUT /wallet-groups/g', {}, 'name_required', 'name'],
  ['PUT /wallet-groups/g', { name: LONG }, 'name_too_long', 'name'],
  ['PUT /wallet-groups/%20', { name: 'H' }, 'invalid_param', 'id'],
  ['DELETE /wallet-groups/h', undefined, 'group_not_found'],
  ['DELETE /wallet-groups/G', undefined, 'invalid_param', 'id'],
  ['POST /wallet-groups/h/wallets', { wallet: WALLET }, 'group_not_found'],
  ['POST /wallet-groups/G/wallets', { wallet: WALLET }, 'invalid_param', 'id'],
  ['POST /wallet-groups/g/wallets', {}, 'invalid_wallet', 'wallets'],
  ['POST /wallet-groups/g/wallets', { note: 'alone' }, 'invalid_wallet', 'wallets'],
  ['POST /wallet-groups/g/wallets', { wallets: [] }, 'invalid_wallet', 'wallets'],
  ['POST /wallet-groups/g/wallets', { wallets: WALLET }, 'invalid_wallet', 'wallets'],
  ['POST /wallet-groups/g/wallets', { wallets: [WALLET, 'x'] }, 'invalid_wallet', 'wallets'],
  ['POST /wallet-groups/g/wallets', { wallet: LONGER }, 'invalid_wallet', 'wallet'],
  ['POST /wallet-groups/g/wallets', { wallets: [WALLET], wallet: WALLET }, 'conflicting_params', 'wallet'],
  ['POST /wallet-groups/g/wallets', { wallets: [WALLET], note: 'both' }, 'conflicting_params', 'note'],
  ['POST /wallet-groups/g/wallets', { wallet: WALLET, note: 'x'.repeat(257) }, 'invalid_param', 'note'],
  ['POST /wallet-groups/g/wallets', { wallets: MANY.slice(0, 1001) }, 'group_full', 'wallets'],
  ['POST /wallet-groups/g/wallets', { wallets: MANY }, 'group_full', 'wallets'],
  [`DELETE /wallet-groups/h/wallets/${WALLET}`, undefined, 'group_not_found'],
  [`DELETE /wallet-groups/G/wallets/${WALLET}`, undefined, 'invalid_param', 'id'],
  ['DELETE /wallet-groups/g/wallets/x', undefined, 'invalid_wallet', 'wallet'],
  ['POST /wallet-favorites', {}, 'invalid_wallet', 'wallet'],
  ['POST /wallet-favorites', { wallet: 'x' }, 'invalid_wallet', 'wallet'],
  ['POST /wallet-favorites', { wallet: WALLET, alias: LONG }, 'invalid_param', 'alias'],
  ['POST /wallet-favorites', { wallet: WALLET, alias: 7 }, 'invalid_param', 'alias'],
  ['DELETE /wallet-favorites/x', undefined, 'invalid_wallet', 'wallet'],
  ['POST /ws-subscriptions', { kinds: ['grad'] }, 'name_required', 'name'],
  ['POST /ws-subscriptions', { ...KINDS, name: LONG }, 'name_too_long', 'name'],
  ['POST /ws-subscriptions', { name: 'T' }, 'invalid_param', 'kinds'],
  ['POST /ws-subscriptions', { name: 'T', kinds: [] }, 'invalid_param', 'kinds'],
  ['POST /ws-subscriptions', { name: 'T', kinds: 'grad' }, 'invalid_param', 'kinds'],
  ['POST /ws-subscriptions', { name: 'T', kinds: ['grad', 'sells'] }, 'unknown_kind', 'kinds'],
  ['POST /ws-subscriptions', { name: 'T', kinds: ['swaps'] }, 'wallet_list_required', 'wallet_list_id'],
  ['POST /ws-subscriptions', { ...KINDS, wallet_list_id: 'theirs' }, 'group_not_found', 'wallet_list_id'],
  ['POST /ws-subscriptions', { ...KINDS, wallet_list_id: 'h' }, 'group_not_found', 'wallet_list_id'],
  ['POST /ws-subscriptions', { ...KINDS, wallet_list_id: 5 }, 'invalid_param', 'wallet_list_id'],
  ['POST /ws-subscriptions', { ...KINDS, dev_list_id: 'theirs' }, 'dev_list_invalid', 'dev_list_id'],
  ['POST /ws-subscriptions', { ...KINDS, dev_list_id: 'h' }, 'dev_list_invalid', 'dev_list_id'],
  ['POST /ws-subscriptions', { ...KINDS, dev_list_id: 5 }, 'dev_list_invalid', 'dev_list_id'],
  ['POST /ws-subscriptions', { ...KINDS, min_sol: 99_999_999 }, 'invalid_param', 'min_sol'],
  ['POST /ws-subscriptions', { ...KINDS, min_sol: '1000000000000000001' }, 'invalid_param', 'min_sol'],
  ['POST /ws-subscriptions', { ...KINDS, min_sol: '1.5' }, 'invalid_param', 'min_sol'],
  ['PUT /ws-subscriptions/999999999', {}, 'stream_not_found'],
  ['PUT /ws-subscriptions/x', {}, 'invalid_param', 'id'],
  ['PUT /ws-subscriptions/0', { name: ' ' }, 'name_required', 'name'],
  ['PUT /ws-subscriptions/0', { name: LONG }, 'name_too_long', 'name'],
  ['PUT /ws-subscriptions/0', { kinds: ['sells'] }, 'unknown_kind', 'kinds'],
  ['PUT /ws-subscriptions/0', { kinds: ['swaps'], wallet_list_id: null }, 'wallet_list_required', 'wallet_list_id'],
  ['PUT /ws-subscriptions/0', { wallet_list_id: 'theirs' }, 'group_not_found', 'wallet_list_id'],
  ['PUT /ws-subscriptions/0', { dev_list_id: 'theirs', active: false }, 'dev_list_invalid', 'dev_list_id'],
  ['PUT /ws-subscriptions/0', { active: 1 }, 'invalid_param', 'active'],
  ['POST /ws-subscriptions/999999999/rotate', undefined, 'stream_not_found'],
  ['POST /ws-subscriptions/-1/rotate', undefined, 'invalid_param', 'id'],
  ['DELETE /ws-subscriptions/999999999', undefined, 'stream_not_found'],
  ['DELETE /ws-subscriptions/1e2', undefined, 'invalid_param', 'id'],
];

/** Refusals that depend on who asks and how often: held over all routes elsewhere. */
const ELSEWHERE: readonly ErrorCode[] = [
  ...(['missing_api_key', 'invalid_api_key', 'api_key_revoked', 'api_key_suspended', 'session_required'] as const),
  ...(['account_banned', 'account_not_ready', 'account_suspended', 'owner_required', 'cross_origin'] as const),
  ...(['rate_limited', 'internal', 'keys_unavailable', 'storage_unavailable', 'query_timeout'] as const),
  'shutting_down',
];
/** Bounds that take many rows to reach: in tests of their own below. */
const BOUNDS: readonly string[] = [
  'POST /wallet-groups too_many_items',
  'POST /wallet-groups/{id}/wallets too_many_items',
  'POST /wallet-favorites too_many_items',
  'POST /ws-subscriptions stream_limit',
];

describe.each(ENGINES)('what list routes refuse on $engine', ({ open }) => {
  const clock = createHandClock();
  let accounts: TestAccounts;
  let app: ListApp;
  let stream: string;
  beforeAll(async () => {
    accounts = await open();
    app = await openListApp(accounts, clock);
    await app.call('key', 'POST /wallet-groups', { id: 'g', name: 'G' });
    await app.call('stranger', 'POST /wallet-groups', { id: 'theirs', name: 'Theirs' });
    const made = await app.call('key', 'POST /ws-subscriptions', { ...KINDS, wallet_list_id: 'g' });
    stream = String(made.body.id);
  });
  afterAll(async () => {
    await app.close();
    await accounts.close();
  });

  const refusals = REFUSED.map(([request, body, code, param]) => ({ request, body, code, param }));
  it.each(refusals)('$request $body: $code', async ({ request, body, code, param }) => {
    const { status, body: answer } = await app.call(
      'key',
      request.replace('subscriptions/0', `subscriptions/${stream}`),
      body,
    );
    expect([status, answer.error?.code, answer.error?.param]).toEqual([ERRORS[code].status, code, param]);
  });

  it('nothing of what was refused has changed anything', async () => {
    const groups = await app.call('session', 'GET /wallet-groups?members=1');
    expect(groups.body.data).toMatchObject([{ id: 'g', name: 'G', members: [] }]);
    expect((await app.call('session', 'GET /wallet-favorites')).body.data).toEqual([]);
    const streams = await app.call('session', 'GET /ws-subscriptions');
    expect(streams.body.data).toMatchObject([{ name: 'T', active: true, kinds: ['grad'], wallet_list_id: 'g' }]);
  });

  it.each(LIST_ROUTES.filter(({ body }) => body !== undefined).map((route) => [routeName(route), route] as const))(
    '%s refuses what is no body of ours',
    async (name, route) => {
      const request = name.replace('ws-subscriptions/{id}', `ws-subscriptions/${stream}`).replace('{id}', 'g');
      for (const [body, code] of [
        ['{', 'invalid_json'],
        ['[]', 'invalid_json'],
        ['null', 'invalid_json'],
        [LARGE, 'body_too_large'],
      ] as const) {
        const { status, body: answer } = await app.call('key', request, body);
        expect([status, answer.error?.code]).toEqual([ERRORS[code].status, code]);
        expect(routeErrors(route)).toContain(code);
      }
    },
  );

  it('a group, a wallet, a favorite and a stream more than there may be', async () => {
    const full = await openListApp(accounts, clock);
    const { wallet: owner } = full.owner;
    const group = { owner, name: 'G', created_at: 0, updated_at: 0 };
    const ids = Array.from({ length: MAX_GROUPS }, (_, i) => `g${i}`);
    await accounts.db
      .insertInto('wallet_groups')
      .values(ids.map((id) => ({ ...group, id })))
      .execute();
    const wallets = MANY.slice(0, MAX_GROUP_WALLETS);
    for (const group_id of ids.slice(0, MAX_LISTED_WALLETS / MAX_GROUP_WALLETS)) {
      const members = wallets.map((wallet) => ({ owner, group_id, wallet, note: null, added_at: 0 }));
      await accounts.db.insertInto('wallet_group_members').values(members).execute();
    }
    const favorites = wallets.map((wallet) => ({ owner, wallet, alias: null, added_at: 0 }));
    await accounts.db.insertInto('wallet_favorites').values(favorites).execute();
    for (let i = 0; i < 3; i += 1) await full.call('key', 'POST /ws-subscriptions', KINDS);
    const refusals = [
      await full.call('session', 'POST /wallet-groups', { name: 'G' }),
      await full.call('session', 'POST /wallet-groups/g99/wallets', { wallet: WALLET }),
      await full.call('session', 'POST /wallet-favorites', { wallet: WALLET }),
      await full.call('session', 'POST /ws-subscriptions', KINDS),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error?.code, body.error?.details])).toEqual([
      [422, 'too_many_items', { max: 100 }],
      [422, 'too_many_items', { max: 10_000 }],
      [422, 'too_many_items', { max: 1000 }],
      [409, 'stream_limit', { limit: 3, used: 3 }],
    ]);
    await full.close();
  });
});

describe('the table of refusals', () => {
  it('has every code that a contract declares, and none that it does not', () => {
    const seen = new Map<string, Set<ErrorCode>>();
    for (const [request, , code] of REFUSED) {
      const name = nameOf(request);
      seen.set(name, (seen.get(name) ?? new Set()).add(code));
    }
    for (const route of LIST_ROUTES) {
      const name = routeName(route);
      const BODY = ['invalid_json', 'body_too_large', 'unsupported_media_type'];
      const declared = routeErrors(route).filter(
        (code) => !ELSEWHERE.includes(code) && !BODY.includes(code) && !BOUNDS.includes(`${name} ${code}`),
      );
      expect([name, [...(seen.get(name) ?? [])].sort()]).toEqual([name, declared]);
    }
  });
});

/** The route of a request of the table. */
function nameOf(request: string): string {
  const [method, path = ''] = request.replace(/\?.*/, '').split(' ');
  const match = LIST_ROUTES.find((route) => {
    const shape = route.path.replaceAll(/\{\w+\}/g, '[^/]+');
    return route.method === method && new RegExp(`^${shape}$`).test(path);
  });
  return match === undefined ? request : routeName(match);
}
