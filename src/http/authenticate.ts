import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { KeyDirectory } from '../accounts/keys/key-directory.ts';
import type { RateTicket } from '../accounts/rate-limit.ts';
import type { AddressLimit, RateLimits } from '../accounts/rate-limits.ts';
import type { OwnOrigin } from '../accounts/sessions/own-origin.ts';
import type { SessionTokens } from '../accounts/sessions/session-cookies.ts';
import type { SessionDirectory } from '../accounts/sessions/session-directory.ts';
import { refusalOf } from '../accounts/states.ts';
import { ApiError } from '../contract/errors.ts';
import { isBrowserAct, type RouteContract } from '../contract/route.ts';
import type { KeyPrincipal, Principal, SessionPrincipal } from '../handlers/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { rateHeaders, retryAfterSeconds } from './rate-headers.ts';
import { isCrossOrigin, isOwnPage } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The principal of the request's key; undefined without one, and on routes that ask for none. */
    keyPrincipal: KeyPrincipal | undefined;
    /** The principal of the session; undefined with a key, on routes that ask for none, and for strangers. */
    sessionPrincipal: SessionPrincipal | undefined;
    /** Address that the request came from, behind the proxies that are trusted. */
    clientAddress: string;
  }
}

/** Everything that tells who asks, and how often they may. */
export interface Gate {
  readonly keys: KeyDirectory;
  readonly sessions: SessionDirectory;
  readonly limits: RateLimits;
  readonly ownOrigin: OwnOrigin;
  readonly clock: Pick<Clock, 'now'>;
}

/** Told at the end of a check: the refusal, or nothing. */
type Done = (refusal?: ApiError) => void;
type Check = (request: FastifyRequest, done: Done) => void;

/**
 * Lets in whom a route is for, as often as they may ask. A key is read from
 * X-API-Key only, never from the URL, which ends up in logs; with one, nothing of
 * cookies is looked at, except on routes that are for sessions alone.
 */
export function authenticate(route: RouteContract, gate: Gate): onRequestHookHandler {
  const check = checkOf(route, gate);
  return (request, _reply, done) => check(request, done);
}

function checkOf(route: RouteContract, gate: Gate): Check {
  const { access } = route;
  if (access === 'public') return byAddress(route, gate);
  if (access === 'session') return bySession(route, gate);
  const withKey = byKey(route, gate);
  const withoutKey = access === 'key' ? byPage(route, gate) : bySession(route, gate);
  return (request, done) => {
    const text = request.headers['x-api-key'];
    if (typeof text === 'string' && text !== '') withKey(request, text, done);
    else withoutKey(request, done);
  };
}

/** Anybody, but for pages of other sites on routes that change something. */
function byAddress(route: RouteContract, gate: Gate): Check {
  const { ownOrigin } = gate;
  const acts = isBrowserAct(route);
  return (request, done) => {
    const { headers } = request;
    const isRefused = route.ownPagesOnly ? !isOwnPage(headers, ownOrigin) : acts && isCrossOrigin(headers, ownOrigin);
    done(isRefused ? new ApiError('cross_origin') : limitAddress(gate, route.limitedAs, request));
  };
}

function byKey({ access }: RouteContract, gate: Gate) {
  const { keys, limits, clock } = gate;

  function admit(request: FastifyRequest, principal: KeyPrincipal | undefined): ApiError | undefined {
    if (principal === undefined) return new ApiError('invalid_api_key');
    const { id, rate } = principal;
    const refusal = refusalOf(principal);
    const ofLists = access === 'owner' && refusal === undefined ? askLists(principal) : undefined;
    const isTaken = refusal === undefined && ofLists?.allowed !== false;
    const ofKey = isTaken ? limits.keys.take(id, rate) : limits.keys.peek(id, rate);
    const isListsLess = ofLists !== undefined && (!ofLists.allowed || ofLists.remaining < ofKey.remaining);
    const ticket = isListsLess ? ofLists : ofKey;
    request.rate = rateHeaders(isListsLess ? 'account' : 'key', ticket, clock);
    if (refusal !== undefined) return new ApiError(refusal);
    if (!ticket.allowed) return rateLimited(ticket);
    request.keyPrincipal = principal;
    return refuseOwner(access, principal);
  }

  /** Takes from the lists' limit when the key's lets the call in: whichever refuses, the other loses nothing. */
  function askLists({ id, rate, accountId }: KeyPrincipal): RateTicket | undefined {
    return limits.keys.peek(id, rate).allowed ? limits.lists(accountId) : undefined;
  }

  return (request: FastifyRequest, text: string, done: Done): void => {
    const found = keys.find(text, request);
    // Most requests by far: not even a function is made for them.
    if (!(found instanceof Promise)) done(admit(request, found));
    else whenFound(request, found, done, (principal) => admit(request, principal));
  };
}

function bySession(route: RouteContract, gate: Gate): Check {
  const { sessions, limits, ownOrigin, clock } = gate;
  const acts = isBrowserAct(route);
  const takesKey = route.access !== 'session';

  function admit(request: FastifyRequest, principal: SessionPrincipal | undefined): ApiError | undefined {
    if (principal === undefined) return new ApiError('session_required');
    const refusal = route.inAnyState ? undefined : refusalOf(principal);
    if (refusal !== undefined) return new ApiError(refusal);
    if (acts && isCrossOrigin(request.headers, ownOrigin)) return new ApiError('cross_origin');
    const ticket = limits.account(principal.accountId);
    request.rate = rateHeaders('account', ticket, clock);
    if (!ticket.allowed) return rateLimited(ticket);
    request.sessionPrincipal = principal;
    return refuseOwner(route.access, principal);
  }

  return (request, done) => {
    const token = tokensOf(request, sessions)?.session;
    if (token === undefined) done(new ApiError(takesKey ? 'missing_api_key' : 'session_required'));
    else whenFound(request, sessions.find(token, request), done, (principal) => admit(request, principal));
  };
}

/** Without a key: pages of the web application read some routes, in a session or as somebody whom nobody knows. */
function byPage({ pages }: RouteContract, gate: Gate): Check {
  if (!pages) return (_request, done) => done(new ApiError('missing_api_key'));
  const { sessions, ownOrigin } = gate;

  function admit(
    request: FastifyRequest,
    principal: SessionPrincipal | undefined,
    page: string | undefined,
  ): ApiError | undefined {
    const isOpen =
      principal !== undefined || (page !== undefined && sessions.isPageSession(page, request.clientAddress));
    if (!isOpen) return new ApiError('missing_api_key');
    const refusal = principal === undefined ? undefined : refusalOf(principal);
    if (refusal !== undefined) return new ApiError(refusal);
    request.sessionPrincipal = principal;
    return limitAddress(gate, 'pages', request);
  }

  return (request, done) => {
    const tokens = isOwnPage(request.headers, ownOrigin) ? tokensOf(request, sessions) : undefined;
    // Whoever's session has ended reads on as somebody whom nobody knows.
    const found = tokens?.session === undefined ? undefined : sessions.find(tokens.session, request);
    whenFound(request, found, done, (principal) => admit(request, principal, tokens?.page));
  };
}

/** Limits the rate of an address, on paths that are no route of the contract. */
export function limitedByAddress(gate: Pick<Gate, 'limits'>, limit: AddressLimit): onRequestHookHandler {
  return (request, _reply, done) => done(limitAddress(gate, limit, request));
}

function limitAddress(
  { limits }: Pick<Gate, 'limits'>,
  limit: AddressLimit,
  request: FastifyRequest,
): ApiError | undefined {
  const ticket = limits.address(limit, request.clientAddress);
  return ticket.allowed ? undefined : rateLimited(ticket);
}

function rateLimited(ticket: RateTicket): ApiError {
  return new ApiError('rate_limited', { retryAfter: retryAfterSeconds(ticket) });
}

/** Refuses the operator, who has no wallet, on routes over a wallet's own things. */
function refuseOwner(access: RouteContract['access'], { wallet }: Principal): ApiError | undefined {
  return access === 'owner' && wallet === undefined ? new ApiError('owner_required') : undefined;
}

function tokensOf({ headers }: FastifyRequest, sessions: SessionDirectory): SessionTokens | undefined {
  return headers.cookie === undefined ? undefined : sessions.readTokens(headers.cookie);
}

/** Goes on at once with what is at hand. What cannot be read is told apart from what is not known. */
function whenFound<T>(
  { server }: FastifyRequest,
  found: T | undefined | Promise<T | undefined>,
  done: Done,
  admit: (principal: T | undefined) => ApiError | undefined,
): void {
  if (!(found instanceof Promise)) {
    done(admit(found));
    return;
  }
  let isTold = false;
  const tell: Done = (refusal) => {
    leave();
    if (!isTold) done(refusal);
    isTold = true;
  };
  let leave = (): void => {};
  leave = server.answersUnderWay.enter(tell);
  found
    .then(admit, (cause) => new ApiError('keys_unavailable', { cause }))
    .then(tell, (cause) => tell(new ApiError('internal', { cause })));
}
