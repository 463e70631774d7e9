import type { TSchema } from 'typebox';
import type { Deprecation } from './deprecation.ts';
import type { ErrorCode } from './errors.ts';
import type { Field, Fields } from './field.ts';
import type { Parameter, Parameters, Values } from './parameter.ts';
import type { Price } from './price.ts';

/**
 * A route as one value. Validation, the cost table, the OpenAPI document, the
 * clients and the tests that walk every route derive from it.
 */
export interface RouteContract<
  P extends Parameters = Parameters,
  Q extends Parameters = Parameters,
  B extends Fields = Fields,
> {
  readonly method: Method;
  /** Below the base path, parameters in braces. */
  readonly path: string;
  /** Groups routes in the documentation. */
  readonly tag: 'tokens' | 'leaders' | 'system' | 'credits' | 'accounts' | 'lists';
  /** Name of the operation in clients. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Pages of the web application read it too, free of charge, in a session from their own origin. */
  readonly pages: boolean;
  /** Answered to pages of our own origin alone, as far as a browser tells. */
  readonly ownPagesOnly: boolean;
  /** Answered to accounts in any state: what is no use of the service but its end. */
  readonly inAnyState: boolean;
  /** It will go; undefined for one that stays. */
  readonly deprecated: Deprecation | undefined;
  /** Rate limit by address under which calls of a route without keys are counted. */
  readonly limitedAs: 'reads' | 'sign_in';
  readonly params: P;
  readonly query: Q;
  /** Fields of a JSON body; undefined for a route that takes none. */
  readonly body: B | undefined;
  /** Query parameters that cannot be sent together. */
  readonly conflicts: readonly (readonly [string, string])[];
  readonly price: Price<Values<Q>>;
  /** The query parameters that the price depends on. */
  readonly pricedBy: readonly string[];
  /** Settled by the parts that succeeded, which the rule calls `ok`. */
  readonly pricedByParts: boolean;
  /** Schema of the 200 body; of Location when the route redirects. */
  readonly response: TSchema;
  /** Answered with a 302 to another address, without a body. */
  readonly redirects: boolean;
  /** Value of Cache-Control on a 200. */
  readonly cacheControl: string;
  /** Sent with an ETag, and answers 304 to a matching If-None-Match. */
  readonly etag: boolean;
  /** Errors of this route's own; every route may also answer with those of its access and parameters. */
  readonly errors: readonly ErrorCode[];
  /** Error that an answer of undefined becomes. */
  readonly absent: ErrorCode | undefined;
  /** A 404 costs nothing, where others cost a credit so that probing is not free. */
  readonly freeWhenAbsent: boolean;
  readonly limits: RouteLimits;
  /** Named answers for the documentation. */
  readonly examples: Readonly<Record<string, unknown>>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Callers that a route is for, and what they pay:
 * - `public`: anyone, free, limited by address
 * - `key`: an API key, charged
 * - `account`: an API key or a session, free
 * - `owner`: the same, of a wallet: what belongs to the wallet
 * - `session`: somebody who signed in, free
 */
export type Access = 'public' | 'key' | 'account' | 'owner' | 'session';

export interface RouteLimits {
  /** An answer that takes longer is given up with query_timeout. */
  readonly timeoutMs: number;
}

const FAST_READ = 'private, max-age=1';
const READ_TIMEOUT_MS = 5000;

type NoParameters = Record<never, Parameter<unknown>>;

type NoFields = Record<never, Field<unknown>>;

type Declared<P extends Parameters, Q extends Parameters, B extends Fields> = Pick<
  RouteContract<P, Q, B>,
  'path' | 'tag' | 'name' | 'summary' | 'access' | 'price' | 'response'
> &
  Partial<RouteContract<P, Q, B>> & {
    readonly conflicts?: readonly (readonly [keyof Q & string, keyof Q & string])[];
    readonly pricedBy?: readonly (keyof Q & string)[];
  };

/** Fills in what most routes have in common: a GET without parameters, cached for a second, that always has an answer. */
export function defineRoute<
  const P extends Parameters = NoParameters,
  const Q extends Parameters = NoParameters,
  const B extends Fields = NoFields,
>(declared: Declared<P, Q, B>): RouteContract<P, Q, B> {
  return {
    method: 'GET',
    params: {} as P,
    query: {} as Q,
    body: undefined,
    pages: false,
    ownPagesOnly: false,
    inAnyState: false,
    deprecated: undefined,
    limitedAs: 'reads',
    conflicts: [],
    pricedBy: [],
    pricedByParts: false,
    cacheControl: FAST_READ,
    etag: false,
    errors: [],
    absent: undefined,
    redirects: false,
    freeWhenAbsent: false,
    limits: { timeoutMs: READ_TIMEOUT_MS },
    examples: {},
    ...declared,
  };
}

/** `GET /tokens/{mint}`: how the cost table and the documentation name a route. */
export function routeName(route: Pick<RouteContract, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`;
}

/** Every error code that a route can answer with, sorted. */
export function routeErrors(route: RouteContract): readonly ErrorCode[] {
  const { access, method, body, absent } = route;
  const codes = new Set<ErrorCode>([...route.errors, ...ACCESS_ERRORS[access], 'rate_limited', 'internal']);
  const parameters: Parameters = { ...route.params, ...route.query };
  if (route.inAnyState) for (const code of STATE_ERRORS) codes.delete(code);
  for (const { error } of Object.values(parameters)) codes.add(error);
  if (route.conflicts.length > 0) codes.add('conflicting_params');
  if (absent !== undefined) codes.add(absent);
  if (body !== undefined) for (const code of BODY_ERRORS) codes.add(code);
  for (const { errors } of Object.values(body ?? {})) for (const code of errors) codes.add(code);
  if (isBrowserAct(route)) codes.add('cross_origin');
  // Public routes that only read are answered from memory.
  if (access !== 'public' || method !== 'GET') for (const code of STORE_ERRORS) codes.add(code);
  return [...codes].sort();
}

/** True when a browser can change something, in a session or by opening one: only the own origin's pages may ask. */
export function isBrowserAct({ method, access }: Pick<RouteContract, 'method' | 'access'>): boolean {
  return method !== 'GET' && access !== 'key';
}

/** Errors with which the body of any route can be refused. */
const BODY_ERRORS: readonly ErrorCode[] = ['invalid_json', 'body_too_large', 'unsupported_media_type'];

/** Errors of routes that are not answered from memory. */
const STORE_ERRORS: readonly ErrorCode[] = ['query_timeout', 'shutting_down', 'storage_unavailable'];

/** States of an account in which it may not ask. */
const STATE_ERRORS: readonly ErrorCode[] = ['account_banned', 'account_not_ready', 'account_suspended'];

/** Errors with which an account can be refused, and a caller of whom it cannot be found out whether they have one. */
const ACCOUNT_ERRORS: readonly ErrorCode[] = [...STATE_ERRORS, 'keys_unavailable'];

const KEY_ERRORS: readonly ErrorCode[] = [
  ...ACCOUNT_ERRORS,
  'api_key_revoked',
  'api_key_suspended',
  'invalid_api_key',
  'missing_api_key',
];

/** Errors with which callers can be refused, by the route's access. */
const ACCESS_ERRORS: Readonly<Record<Access, readonly ErrorCode[]>> = {
  public: [],
  key: [...KEY_ERRORS, 'credits_exhausted', 'credits_unavailable'],
  account: [...KEY_ERRORS, 'session_required'],
  owner: [...KEY_ERRORS, 'session_required', 'owner_required'],
  session: [...ACCOUNT_ERRORS, 'session_required'],
};

/** The price without query parameters. */
export function defaultPrice(route: RouteContract): number {
  return route.price.compute(absentValues(route.query));
}

/** Values that a route sees when no query parameter is sent. */
export function absentValues(query: Parameters): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).map(([name, { absent }]) => [name, absent]));
}
