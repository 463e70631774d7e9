import type { InjectOptions } from 'fastify';
import { budgetKeyExample, connectionExample } from '../../../src/accounts/contract-shapes.ts';
import { groupExample, streamExample } from '../../../src/accounts/lists/contract-shapes.ts';
import type { Fields } from '../../../src/contract/field.ts';
import { BASE_PATH } from '../../../src/contract/headers.ts';
import type { RouteContract } from '../../../src/contract/route.ts';
import { SESSION_COOKIES } from '../answers/sessions.ts';
import { requiredQuery, TEST_KEY, TEST_ORIGIN } from '../api-app.ts';
import { KNOWN_MINT, UNKNOWN_MINT } from '../token-answers.ts';

/** Headers of a page of ours in which nobody signed in. */
export const PAGE_HEADERS = { 'sec-fetch-site': 'same-origin', origin: TEST_ORIGIN };
/** Headers of one in which somebody did. */
export const SESSION_HEADERS = { ...PAGE_HEADERS, cookie: SESSION_COOKIES };
export const KEY_HEADERS = { 'x-api-key': TEST_KEY };

/** Values of `{id}`: one that the doubles know, and one that they do not. */
const IDS: Readonly<Record<string, readonly [known: string, unknown: string]>> = {
  'wallet-groups': [groupExample.id, 'nobodys'],
  'ws-subscriptions': [String(streamExample.id), '404'],
  keys: [String(budgetKeyExample.id), '404'],
  connections: [connectionExample.id, '00000000-0000-4000-8000-000000000404'],
};

/** Values that fields of these names accept. */
const FIELD_VALUES: Readonly<Record<string, unknown>> = {
  name: 'sharks',
  wallet: KNOWN_MINT,
  wallets: [KNOWN_MINT],
  kinds: ['swaps'],
  wallet_list_id: groupExample.id,
  message: 'a message',
  signature: '1'.repeat(64),
};

/** Fields that a route needs although none of them is required alone. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = { addGroupWallets: ['wallets'] };

export interface Variation {
  /** Path parameters instead of known ones. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** In the place of the whole body. */
  readonly payload?: unknown;
  /** Fields instead of the acceptable ones; undefined leaves one out. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Instead of those of somebody whom the route lets in. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that the route answers with a success, but for what varies. */
export function requestOf(route: RouteContract, varied: Variation = {}): InjectOptions {
  const { method, path, body } = route;
  const query = requiredQuery(route);
  for (const [name, value] of Object.entries(varied.query ?? {})) query.set(name, value);
  const inPath = path.replace(/([\w-]+)\/\{(\w+)\}/g, (_all, before: string, name: string) => {
    return `${before}/${encodeURIComponent(varied.params?.[name] ?? knownValue(before, name))}`;
  });
  const payload =
    'payload' in varied ? varied.payload : body && { ...acceptableFields(route.name, body), ...varied.fields };
  return {
    method,
    url: `${BASE_PATH}${inPath}${query.size === 0 ? '' : `?${query}`}`,
    headers: varied.headers ?? callerOf(route),
    ...(payload === undefined ? {} : { payload: payload as object }),
  };
}

/** Path parameters that name nothing that the doubles know. */
export function unknownParams({ path }: RouteContract): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, before = '', name = '']) => [
      name,
      name === 'id' ? idsOf(before)[1] : UNKNOWN_MINT,
    ]),
  );
}

/** Headers of a caller that the route is for: with a key where keys count. */
export function callerOf({ access }: RouteContract): Readonly<Record<string, string>> {
  if (access === 'session') return SESSION_HEADERS;
  return access === 'public' ? PAGE_HEADERS : KEY_HEADERS;
}

function knownValue(before: string, name: string): string {
  return name === 'id' ? idsOf(before)[0] : KNOWN_MINT;
}

function idsOf(before: string): readonly [string, string] {
  const ids = IDS[before];
  if (ids === undefined) throw new Error(`name an id behind /${before}/`);
  return ids;
}

function acceptableFields(routeName: string, fields: Fields): Record<string, unknown> {
  const sent = Object.keys(fields).filter((name) => fields[name]!.required || ONE_OF[routeName]?.includes(name));
  return Object.fromEntries(
    sent.map((name) => {
      if (!(name in FIELD_VALUES)) throw new Error(`name a value that the field ${name} accepts`);
      return [name, FIELD_VALUES[name]];
    }),
  );
}
