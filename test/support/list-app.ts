import type { InjectOptions } from 'fastify';
import type { ListOwner } from '../../src/accounts/lists/list-owner.ts';
import { createLists } from '../../src/accounts/lists/lists.ts';
import type { KeyPrincipal, SessionPrincipal } from '../../src/handlers/caller.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { SESSION_COOKIES, SESSION_TOKEN, sessionsDouble, TEST_SESSION } from './answers/sessions.ts';
import { buildTestApp, TEST_KEY, TEST_ORIGIN, TEST_PRINCIPAL } from './api-app.ts';
import { addOwner } from './list-owners.ts';

/**
 * Kinds of askers: by a key that is bound to the owner's wallet, in a session of it, by another wallet's key, by the
 * operator's, by nothing.
 */
export type Caller = 'key' | 'session' | 'stranger' | 'operator' | 'nobody';

export interface ListApp {
  readonly owner: ListOwner;
  readonly stranger: ListOwner;
  call(caller: Caller, request: string, body?: unknown): Promise<{ readonly status: number; readonly body: ListBody }>;
  close(): Promise<void>;
}

/** The body of any list route's answer, as far as tests look into it. */
export interface ListBody {
  readonly error?: { readonly code: string; readonly param?: string; readonly details?: unknown };
  readonly data?: readonly Record<string, unknown>[];
  readonly [field: string]: unknown;
}

/** The API over lists of a real database, asked by two owners and others. */
export async function openListApp(
  accounts: Pick<AccountsDatabase, 'db' | 'engine' | 'secrets'>,
  clock: Clock,
): Promise<ListApp> {
  const owner = await addOwner(accounts);
  const stranger = await addOwner(accounts);
  const keys: Readonly<Record<string, KeyPrincipal>> = {
    'key-of-owner': boundTo(owner, 2),
    'key-of-stranger': boundTo(stranger, 3),
    [TEST_KEY]: { ...TEST_PRINCIPAL, wallet: undefined, plan: 'operator' },
  };
  const session: SessionPrincipal = { ...TEST_SESSION, ...owner };
  const secrets = await accounts.secrets();
  const app = buildTestApp({
    lists: createLists({ ...accounts, clock, changes: { tell() {} }, secrets, streamLimit: () => 3 }),
    keys: { find: (text) => keys[text] },
    sessions: sessionsDouble({ find: (token) => (token === SESSION_TOKEN ? session : undefined) }),
  });
  return {
    owner,
    stranger,
    async call(caller, request, body) {
      const [method, path] = request.split(' ') as [NonNullable<InjectOptions['method']>, string];
      const response = await app.inject({
        method,
        url: `/api${path}`,
        headers: { ...HEADERS[caller], ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: response.statusCode, body: response.json() };
    },
    close: () => app.close(),
  };
}

const HEADERS: Readonly<Record<Caller, Readonly<Record<string, string>>>> = {
  key: { 'x-api-key': 'key-of-owner' },
  session: { cookie: SESSION_COOKIES, origin: TEST_ORIGIN },
  stranger: { 'x-api-key': 'key-of-stranger' },
  operator: { 'x-api-key': TEST_KEY },
  nobody: {},
};

function boundTo({ accountId, wallet }: ListOwner, id: number): KeyPrincipal {
  return { ...TEST_PRINCIPAL, id, accountId, wallet, plan: 'trial', poolId: id };
}
