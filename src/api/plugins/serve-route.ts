import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { Parameters, Values } from '../contract/parameter.ts';
import type { RouteContract } from '../contract/route.ts';
import type { CreditMeter } from '../credits/credit-meter.ts';
import type { KeyDirectory } from '../keys/key-directory.ts';
import { authenticate } from './authenticate.ts';
import { charge, settle } from './charge.ts';
import { entityTag, matchesTag } from './entity-tag.ts';
import { type MeteredHeaders, publicHeaders } from './headers.ts';
import { compileParameters, type ParameterSet } from './validate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False keeps the CORS plugin from a route's answers. */
    cors?: false;
    /** A 404 of the route costs nothing. */
    freeWhenAbsent?: boolean;
  }
}

/** An answer that differs from what its contract says of all answers. */
export interface ShapedAnswer {
  /** Bytes of a JSON body; undefined for none. */
  readonly body: Buffer | undefined;
  /** 200 when left out. */
  readonly status?: 200 | 302;
  /** Where a 302 leads. */
  readonly location?: string;
  /** Instead of the contract's. */
  readonly cacheControl?: string;
  /** Credits instead of the price, never more than it: no more was taken. */
  readonly cost?: number;
}

/** Bytes of a JSON body, or an answer of its own shape, at once when it is at hand; undefined when the contract's `absent` applies. */
export type Answer = Buffer | ShapedAnswer | Promise<Buffer | ShapedAnswer | undefined>;

/** A contract and the function that answers it. */
export interface BoundRoute {
  readonly contract: RouteContract;
  read(params: unknown, query: unknown): Answer;
}

/** Binds a contract to its answer, with parameters typed by the contract. */
export function bind<P extends Parameters, Q extends Parameters>(
  contract: RouteContract<P, Q>,
  read: (params: Values<P>, query: Values<Q>) => Answer,
): BoundRoute {
  return { contract, read: (params, query) => read(params as Values<P>, query as Values<Q>) };
}

export interface RouteServices {
  readonly keys: KeyDirectory;
  readonly meter: CreditMeter;
  readonly meteredHeaders: MeteredHeaders;
}

/** Serves a contract: key, parameters, price, answer, in this order, so that nobody pays for what is refused. */
export function serveRoute(app: FastifyInstance, route: BoundRoute, services: RouteServices): void {
  const { contract } = route;
  const keyed = contract.access === 'key';
  app.route({
    method: contract.method,
    url: fastifyPath(contract.path),
    schema: {
      params: parameterSet(contract.params, []),
      querystring: parameterSet(contract.query, contract.conflicts),
    },
    validatorCompiler: compileParameters,
    // Our header blocks carry what the CORS hook would add; preflights are still the plugin's.
    config: { cors: false, freeWhenAbsent: contract.freeWhenAbsent },
    onRequest: keyed ? [authenticate(services.keys)] : [],
    preHandler: keyed ? [charge(services.meter, contract.price)] : [],
    handler: createHandler(route, services.meteredHeaders),
  });
}

/** Refuses the methods that a path does not know, before anything of their body is read. */
export function refuseOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'].filter((method) => !allowed.includes(method)),
    url: fastifyPath(path),
    onRequest: (_request, reply, done) => {
      reply.header('allow', allowed.join(', '));
      done(new ApiError('method_not_allowed'));
    },
    handler: () => undefined,
  });
}

function createHandler({ contract, read }: BoundRoute, meteredHeaders: MeteredHeaders) {
  const { absent, limits } = contract;
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const answer = read(request.params, request.query);
    // A body at hand needs neither a timer nor a turn of the microtask queue.
    if (!(answer instanceof Promise)) {
      send(request, reply, answer, contract, meteredHeaders);
      return;
    }
    let open = true;
    const fail = (error: unknown): void => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      reply.send(error instanceof Error ? error : new ApiError('internal', { cause: error }));
    };
    const timer = setTimeout(() => fail(new ApiError('query_timeout')), limits.timeoutMs);
    answer
      .then((found) => {
        if (!open) return;
        if (found === undefined) {
          fail(new ApiError(absent ?? 'internal'));
          return;
        }
        send(request, reply, found, contract, meteredHeaders);
        open = false;
        clearTimeout(timer);
      })
      .catch(fail);
  };
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Buffer | ShapedAnswer,
  contract: RouteContract,
  meteredHeaders: MeteredHeaders,
): void {
  if (answer instanceof Uint8Array) sendBody(request, reply, answer, contract, meteredHeaders);
  else sendShaped(request, reply, answer, contract, meteredHeaders);
}

function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  { cacheControl, etag }: RouteContract,
  meteredHeaders: MeteredHeaders,
): void {
  const tag = etag ? entityTag(body) : undefined;
  const status = tag !== undefined && matchesTag(request.headers['if-none-match'], tag) ? 304 : 200;
  const metered = settle(request.reservation, status);
  reply.headers(
    metered === undefined ? publicHeaders(request.id, cacheControl) : meteredHeaders(request.id, cacheControl, metered),
  );
  if (tag !== undefined) reply.header('etag', tag);
  if (status === 304) reply.code(304).send();
  else reply.send(body);
}

function sendShaped(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, status = 200, location, cacheControl, cost }: ShapedAnswer,
  contract: RouteContract,
  meteredHeaders: MeteredHeaders,
): void {
  const tag = contract.etag && status === 200 && body !== undefined ? entityTag(body) : undefined;
  const answered = tag !== undefined && matchesTag(request.headers['if-none-match'], tag) ? 304 : status;
  const metered = settle(request.reservation, answered, cost);
  const caching = cacheControl ?? contract.cacheControl;
  reply.headers(
    metered === undefined ? publicHeaders(request.id, caching) : meteredHeaders(request.id, caching, metered),
  );
  if (tag !== undefined) reply.header('etag', tag);
  if (location !== undefined) reply.header('location', location);
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
