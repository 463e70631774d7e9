import { METHODS as HTTP_METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { CreditMeter } from '../accounts/credits/credit-meter.ts';
import { type Deprecation, deprecationHeaders } from '../contract/deprecation.ts';
import { ApiError, ERRORS } from '../contract/errors.ts';
import type { Parameters } from '../contract/parameter.ts';
import type { PriceBook } from '../contract/price-book.ts';
import { type RouteContract, routeName } from '../contract/route.ts';
import { Absence, slotOfBody } from '../contract/stamp.ts';
import type { Answer, BoundRoute, ShapedAnswer } from '../handlers/bind.ts';
import { Asker, readAs } from '../store/reads/reader.ts';
import type { AnswersUnderWay } from './answers-under-way.ts';
import { authenticate, type Gate } from './authenticate.ts';
import { passOverBody } from './body.ts';
import { type Charge, charge, settle } from './charge.ts';
import { entityTag, matchesTag } from './entity-tag.ts';
import type { AnswerHeaders } from './headers.ts';
import { readShare } from './read-share.ts';
import { compileContract, type FieldSet, type ParameterSet } from './validate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False keeps the CORS plugin from a route's answers. */
    cors?: false;
    /** Answers of the route cost credits. */
    metered?: boolean;
    /** A 404 of the route costs nothing. */
    freeWhenAbsent?: boolean;
    /** False passes over what is sent as a body. */
    takesBody?: boolean;
  }
}

export interface RouteServices {
  readonly gate: Gate;
  readonly meter: CreditMeter;
  readonly prices: PriceBook;
  readonly headers: AnswerHeaders;
  readonly underWay: AnswersUnderWay;
}

/** Serves a contract: key, rate limit, parameters, price, answer, in this order, so that nobody pays for what is refused. */
export function serveRoute(
  app: FastifyInstance,
  route: BoundRoute,
  { gate, meter, prices, headers, underWay }: RouteServices,
): void {
  const { contract } = route;
  app.route({
    method: contract.method,
    url: fastifyPath(contract.path),
    schema: {
      params: parameterSet(contract.params, []),
      querystring: parameterSet(contract.query, contract.conflicts),
      ...(contract.body === undefined ? {} : { body: { fields: contract.body } satisfies FieldSet }),
    },
    validatorCompiler: compileContract,
    // Our header blocks carry what the CORS hook would add; preflights are still the plugin's.
    config: {
      cors: false,
      metered: contract.access === 'key',
      freeWhenAbsent: contract.freeWhenAbsent,
      takesBody: contract.body !== undefined,
    },
    onRequest: [
      ...(contract.deprecated === undefined ? [] : [announceSunset(contract.deprecated)]),
      authenticate(contract, gate),
      ...(mayHaveBody(contract) ? [passOverBody] : []),
    ],
    handler:
      contract.access === 'key'
        ? createPaidHandler(
            charge(meter, routeName(contract), () => prices.priceOf(contract)),
            createHandler(route, headers, underWay),
            underWay,
          )
        : createHandler(route, headers, underWay),
  });
}

/** On refusals too: whoever cannot use a route any more should still learn that it goes. */
function announceSunset(deprecation: Deprecation): onRequestHookHandler {
  const headers = deprecationHeaders(deprecation);
  return (_request, reply, done) => {
    reply.headers(headers);
    done();
  };
}

/** Of routes that take none. The framework reads none of a GET. */
function mayHaveBody({ method, body }: RouteContract): boolean {
  return method !== 'GET' && body === undefined;
}

/** Brings the router every method that the parser lets through, so that a path can refuse it. CONNECT is never a request. */
export function routeEveryMethod(app: FastifyInstance): void {
  const known = new Set(app.supportedMethods);
  for (const method of HTTP_METHODS) if (!known.has(method) && method !== 'CONNECT') app.addHttpMethod(method);
  // The framework would refuse it for its body before it looks whether the path exists. Older versions of Node do not know it.
  if (known.has('QUERY') && HTTP_METHODS.includes('QUERY')) app.addHttpMethod('QUERY', { overrideExisting: true });
}

/** Refuses the methods that a path does not know, before anything of a body is read. Where there is CORS it answers OPTIONS first. */
export function refuseOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url: fastifyPath(path),
    onRequest: (_request, reply, done) => {
      reply.header('allow', allowed.join(', '));
      done(new ApiError('method_not_allowed'));
    },
    handler: () => undefined,
  });
}

const LATE_CHANGE = 'not finished in time, and perhaps done all the same: look before you ask again';

const STOPPED = ERRORS.shutting_down.status;

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/** Answers once the call is paid for, in the same turn while its credits are in hand. */
function createPaidHandler(take: Charge, answer: Handler, underWay: AnswersUnderWay): Handler {
  return (request, reply) => {
    const refusal = take(request);
    if (refusal === undefined) answer(request, reply);
    else if (!(refusal instanceof Promise)) reply.send(refusal);
    else {
      const leave = underWay.enter((error) => reply.send(error));
      refusal
        .finally(leave)
        .then((refused) => {
          // Told meanwhile that the service stops: what was taken is given back.
          if (reply.sent) settle(request.reservation, STOPPED);
          else if (refused === undefined) answer(request, reply);
          else reply.send(refused);
        })
        // The framework catches errors only within its own turn, and this code runs after it.
        .catch((error) => reply.send(error instanceof Error ? error : new ApiError('internal', { cause: error })));
    }
  };
}

function createHandler({ contract, read }: BoundRoute, headers: AnswerHeaders, underWay: AnswersUnderWay): Handler {
  const { absent, limits, method } = contract;
  // Reads end with their request, a change goes on behind the answer to its end.
  const late = method === 'GET' ? {} : { message: LATE_CHANGE };
  return (request, reply) => {
    if (underWay.isOver) {
      reply.send(new ApiError('shutting_down'));
      return;
    }
    const asker = new Asker(() => readShare(request), limits.timeoutMs);
    // Gone while its key or its credits were looked up: what it would read is not begun.
    if (method === 'GET' && (reply.raw.destroyed || request.raw.socket.destroyed)) asker.leave();
    let answer: Answer;
    try {
      answer = readAs(asker, () => read(request.params, request.query, request));
    } catch (error) {
      asker.leave();
      throw error;
    }
    // A body at hand needs neither a timer nor a turn of the microtask queue. What is made anew behind it is not for it.
    if (!(answer instanceof Promise)) {
      send(request, reply, answer, contract, headers);
      asker.leave();
      return;
    }
    let open = true;
    const close = (): void => {
      open = false;
      clearTimeout(timer);
      leave();
      asker.leave();
    };
    const fail = (error: unknown): void => {
      if (!open) return;
      close();
      reply.send(error instanceof Error ? error : new ApiError('internal', { cause: error }));
    };
    const timer = setTimeout(() => fail(new ApiError('query_timeout', late)), limits.timeoutMs);
    let leave = (): void => {};
    leave = underWay.enter(({ code }) => fail(new ApiError(code, late)));
    // Whoever hangs up waits for nothing more. The answer is made up all the same, for what it costs.
    if (method === 'GET') reply.raw.once('close', () => asker.leave());
    answer
      .then((found) => {
        if (!open) return;
        if (found === undefined || found instanceof Absence) {
          fail(new ApiError(absent ?? 'internal', found));
          return;
        }
        send(request, reply, found, contract, headers);
        close();
      })
      .catch(fail);
  };
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Buffer | ShapedAnswer,
  contract: RouteContract,
  headers: AnswerHeaders,
): void {
  const {
    body,
    status = 200,
    location,
    cacheControl,
    cost,
    cookie,
  } = answer instanceof Uint8Array ? ({ body: answer } satisfies ShapedAnswer) : answer;
  const tag = contract.etag && status === 200 && body !== undefined ? entityTag(body) : undefined;
  const answered = tag !== undefined && matchesTag(request.headers['if-none-match'], tag) ? 304 : status;
  const metered = settle(request.reservation, answered, cost);
  const caching = cacheControl ?? contract.cacheControl;
  const slot = body === undefined ? undefined : slotOfBody(body);
  if (contract.access === 'key') headers.data(reply, caching, metered, slot ?? headers.indexedSlot());
  else headers.free(reply, caching);
  if (tag !== undefined) reply.header('etag', tag);
  if (location !== undefined) reply.header('location', location);
  if (cookie !== undefined) reply.header('set-cookie', cookie);
  reply.code(answered);
  if (answered !== 304 && body !== undefined) {
    reply.send(body);
    return;
  }
  if (answered !== 304) reply.removeHeader('content-type');
  reply.send();
}

function parameterSet(parameters: Parameters, conflicts: ParameterSet['conflicts']): ParameterSet {
  return { parameters, conflicts };
}

/** `/tokens/{mint}` as the router writes it. */
function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
