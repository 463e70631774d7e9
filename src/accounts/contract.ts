import { Type } from 'typebox';
import { ApiError } from '../contract/errors.ts';
import type { Field } from '../contract/field.ts';
import { booleanField, integerField, nameField, nullable, optional } from '../contract/fields.ts';
import { type Parameter, parameter } from '../contract/parameter.ts';
import { FREE } from '../contract/price.ts';
import { defineRoute, type RouteContract } from '../contract/route.ts';
import { Done, List } from '../contract/scalars.ts';
import {
  Account,
  accountExample,
  budgetKeyExample,
  ConnectionResource,
  connectionExample,
  IssuedKey,
  issuedKeyExample,
  KeyResource,
  keyExample,
} from './contract-shapes.ts';

/** A budget is a month's credits; the general pool has them or has not. */
const MAX_BUDGET = 1_000_000_000_000;
const MAX_RPS = 10_000;
const MAX_BURST = 100_000;
const CONNECTION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const ACCOUNT_ROUTE = { tag: 'accounts', price: FREE, cacheControl: 'no-store' } as const;
/** Routes that change an account are for sessions alone: a key that leaks must not be able to make others. */
const OWN_ROUTE = { ...ACCOUNT_ROUTE, access: 'session' } as const;

const keyId: Parameter<number> = parameter({
  schema: Type.Integer({ minimum: 1, description: 'The key.' }),
  // Fifteen digits are a number that JSON carries exactly.
  parse: (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined),
  absent: 0,
  error: 'invalid_param',
  expected: 'must be the number of a key',
});

const connectionId: Parameter<string> = parameter({
  schema: Type.String({ pattern: CONNECTION_ID.source, description: 'The connection.' }),
  parse: (text) => (CONNECTION_ID.test(text) ? text : undefined),
  absent: '',
  error: 'invalid_param',
  expected: 'must be the id of a connection',
});

const budget = integerField(
  1,
  MAX_BUDGET,
  'Credits a month that this key alone pays with: moved from the account’s general pool now and at each renewal.',
);

const rps = integerField(1, MAX_RPS, 'Requests a second.');
const burst = integerField(1, MAX_BURST, 'Requests at once after a pause.');

/** The rate limit of a key. */
const rateLimit: Field<{ readonly rps: number; readonly burst: number }> = {
  schema: Type.Object(
    { rps: rps.schema, burst: burst.schema },
    { description: 'How often the key may ask, within the plan.' },
  ),
  required: true,
  errors: ['invalid_param'],
  read(sent, name) {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
      throw new ApiError('invalid_param', { param: name, message: `${name} must be an object with rps and burst` });
    }
    const { rps: perSecond, burst: atOnce } = sent as Readonly<Record<string, unknown>>;
    return { rps: rps.read(perSecond, `${name}.rps`), burst: burst.read(atOnce, `${name}.burst`) };
  },
};

export const getAccount = defineRoute({
  ...ACCOUNT_ROUTE,
  access: 'account',
  path: '/account',
  name: 'getAccount',
  summary: 'The account that asks, and what it may have',
  response: Account,
  examples: { account: accountExample },
});

export const listKeys = defineRoute({
  ...OWN_ROUTE,
  path: '/account/keys',
  name: 'listKeys',
  summary: 'Its API keys',
  description: 'Oldest first: all that are not revoked, and the newest 20 that are.',
  response: List(KeyResource),
  examples: { keys: { data: [keyExample, budgetKeyExample] } },
});

export const createKey = defineRoute({
  ...OWN_ROUTE,
  method: 'POST',
  path: '/account/keys',
  name: 'createKey',
  summary: 'Make an API key, which is shown this once',
  description:
    'An account has as many keys as its plan says; revoked ones do not count. With a `budget` the key pays with credits of its own, which come from the general pool: 402 when that has less.',
  body: { name: nameField('What to call it.'), budget: optional(budget), rate_limit: optional(rateLimit) },
  response: IssuedKey,
  errors: ['key_limit', 'credits_exhausted'],
  examples: { made: issuedKeyExample },
});

export const changeKey = defineRoute({
  ...OWN_ROUTE,
  method: 'PUT',
  path: '/account/keys/{id}',
  name: 'changeKey',
  summary: 'Rename a key, give it a budget, turn it off or on',
  description:
    'What is left out stays as it is. A `budget` of null takes the key’s own credits back to the general pool. `active` false suspends the key, true lets it in again; a key that the operator suspended stays so.',
  params: { id: keyId },
  body: {
    name: optional(nameField('What to call it from now on.')),
    budget: optional(nullable(budget)),
    active: optional(booleanField('False suspends it.')),
  },
  response: KeyResource,
  errors: ['credits_exhausted', 'api_key_suspended'],
  absent: 'key_not_found',
  examples: { key: budgetKeyExample },
});

export const rotateKey = defineRoute({
  ...OWN_ROUTE,
  method: 'POST',
  path: '/account/keys/{id}/rotate',
  name: 'rotateKey',
  summary: 'Give a key another text, which is shown this once',
  description:
    'Id, budget, limits and usage stay. The old text is `api_key_revoked` at once, and its connections close with 4401.',
  params: { id: keyId },
  response: IssuedKey,
  absent: 'key_not_found',
  examples: { rotated: issuedKeyExample },
});

export const revokeKey = defineRoute({
  ...OWN_ROUTE,
  method: 'DELETE',
  path: '/account/keys/{id}',
  name: 'revokeKey',
  summary: 'Revoke a key for good',
  description: 'What is left of its budget goes back to the general pool.',
  params: { id: keyId },
  response: Done,
  absent: 'key_not_found',
  examples: { done: { ok: true } },
});

export const listConnections = defineRoute({
  ...OWN_ROUTE,
  path: '/account/connections',
  name: 'listConnections',
  summary: 'Its open WebSocket connections',
  description: 'Those that the answering process holds.',
  response: List(ConnectionResource),
  examples: { connections: { data: [connectionExample] }, none: { data: [] } },
});

export const closeConnection = defineRoute({
  ...OWN_ROUTE,
  method: 'DELETE',
  path: '/account/connections/{id}',
  name: 'closeConnection',
  summary: 'Close a connection, with code 4410',
  description: 'Its place is free for another one.',
  params: { id: connectionId },
  response: Done,
  absent: 'connection_not_found',
  examples: { done: { ok: true } },
});

/** An account, its keys and its connections. */
export const ACCOUNT_ROUTES: readonly RouteContract[] = [
  getAccount,
  listKeys,
  createKey,
  changeKey,
  rotateKey,
  revokeKey,
  listConnections,
  closeConnection,
];
