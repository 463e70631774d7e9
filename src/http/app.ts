import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import type { CreditMeter } from '../accounts/credits/credit-meter.ts';
import type { KeyDirectory } from '../accounts/keys/key-directory.ts';
import type { RateLimits } from '../accounts/rate-limits.ts';
import type { OwnOrigin } from '../accounts/sessions/own-origin.ts';
import type { SessionDirectory } from '../accounts/sessions/session-directory.ts';
import { BASE_PATH, BODY_LIMIT_BYTES, EXPOSED_HEADERS } from '../contract/headers.ts';
import type { PriceBook } from '../contract/price-book.ts';
import type { RouteContract } from '../contract/route.ts';
import type { BoundRoute } from '../handlers/bind.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createAnswersUnderWay } from './answers-under-way.ts';
import { limitedByAddress } from './authenticate.ts';
import { readJsonBodies } from './body.ts';
import type { Arrival } from './client-address.ts';
import { createClientErrorAnswers } from './client-errors.ts';
import { openApiAnswer, serveDocumentation, serveOpenApi } from './documentation.ts';
import { serveErrorPages } from './error-pages.ts';
import { answerErrors, sendError, toApiError } from './errors.ts';
import { createAnswerHeaders, preflightHeaders } from './headers.ts';
import { type MetricsText, serveMetrics } from './metrics.ts';
import { type Probes, serveProbes } from './probes.ts';
import { createRawAnswers } from './raw-answer.ts';
import { refuseMethods } from './refuse-methods.ts';
import { refuseUnclearHeads, type UnclearConnections } from './request-head.ts';
import { createRequestIds } from './request-id.ts';
import { routeEveryMethod, serveRoute } from './serve-route.ts';
import type { SocketBounds } from './sockets/socket-bounds.ts';

export interface AppDependencies {
  /** Routes that are served: contracts bound to what answers them. */
  readonly routes: readonly BoundRoute[];
  /** Their contracts in the order of the documentation. */
  readonly documented: readonly RouteContract[];
  readonly prices: PriceBook;
  /** Newest slot an answer can contain. */
  readonly indexedSlot: () => number;
  readonly keys: KeyDirectory;
  readonly sessions: SessionDirectory;
  readonly limits: RateLimits;
  readonly ownOrigin: OwnOrigin;
  /** Tells the one text of the address that a request came from. */
  readonly clientAddress: (arrival: Arrival) => string;
  readonly meter: CreditMeter;
  /** Bounds of connections. */
  readonly sockets: SocketBounds;
  readonly clock: Clock;
  readonly log: Logger;
  /** Text of `/metrics`; without it there is no such path. */
  readonly metrics?: MetricsText;
  /** The token that has to be sent to read them; undefined lets everybody. */
  readonly metricsToken?: string | undefined;
  /** What `/health` and `/ready` tell outside the API; without it there are no such paths. */
  readonly probes?: Probes | undefined;
  /** Age of the newest indexed block in milliseconds; undefined while unknown. */
  readonly dataLagMs: () => number | undefined;
}

const HEADER_LIMIT_BYTES = 16 * 1024;
/** A path parameter longer than this is no address and no id. */
const PARAMETER_LIMIT_CHARACTERS = 256;
const PREFLIGHT_MAX_AGE_S = 86_400;

/** The REST API, not listening yet. Closing it answers what is under way and drops idle connections. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { routes, prices, keys, sessions, limits, ownOrigin, meter, clock, log, sockets } = dependencies;
  const newRequestId = createRequestIds(clock);
  const { isHttps } = ownOrigin;
  const rawAnswer = createRawAnswers(newRequestId, isHttps);
  const publicOrigin = isHttps ? ownOrigin.choose(undefined) : undefined;
  let isClosing = false;
  const { indexedSlot, dataLagMs } = dependencies;
  const headers = createAnswerHeaders({ indexedSlot, dataLagMs, publicOrigin, isClosing: () => isClosing });
  const unclear: UnclearConnections = new WeakSet();
  const clientErrors = createClientErrorAnswers({
    answer: rawAnswer,
    letGo: sockets.letGo,
    isAnswering: sockets.isAnswering,
    unclear,
  });
  const app = Fastify({
    logger: false,
    // Errors that the router finds before there is a route: a path that is not UTF-8, a parameter too long.
    frameworkErrors: (error, request, reply) => {
      sendError(request, reply, toApiError(error), headers);
    },
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory: (handler) =>
      sockets.createServer({
        handler,
        http: { maxHeaderSize: HEADER_LIMIT_BYTES, requireHostHeader: false },
        answer: rawAnswer,
      }),
    routerOptions: { maxParamLength: PARAMETER_LIMIT_CHARACTERS, ignoreTrailingSlash: true },
    clientErrorHandler: clientErrors.clientError,
  });
  routeEveryMethod(app);
  app.server.on('connect', clientErrors.connect);
  const underWay = createAnswersUnderWay();
  app.decorate('answersUnderWay', underWay);
  app.decorateRequest('keyPrincipal', undefined);
  app.decorateRequest('sessionPrincipal', undefined);
  app.decorateRequest('clientAddress', {
    getter() {
      return dependencies.clientAddress(this.raw);
    },
  });
  app.decorateRequest('rate', undefined);
  app.decorateRequest('reservation', undefined);
  answerErrors(app, { log, headers });
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', refuseUnclearHeads(app.server, unclear));
  const documentation = {
    openApi: openApiAnswer(dependencies.documented),
    headers,
    limit: limitedByAddress({ limits }, 'documents'),
  };
  serveDocumentation(app, { ...documentation, isHttps });
  serveErrorPages(app, headers);
  const { metrics, metricsToken: token, probes } = dependencies;
  if (metrics !== undefined) {
    serveMetrics(app, { metrics, headers, limit: limitedByAddress({ limits }, 'metrics'), token });
  }
  if (probes !== undefined) {
    const limit = limitedByAddress({ limits }, 'probes');
    serveProbes(app, { probes, headers, limit, isClosing: () => isClosing });
  }
  app.register(
    async (api) => {
      readJsonBodies(api);
      api.addHook('onRequest', preflightHeaders(headers));
      await api.register(cors, {
        origin: '*',
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
        allowedHeaders: ['X-API-Key', 'Content-Type', 'If-None-Match'],
        exposedHeaders: [...EXPOSED_HEADERS],
        maxAge: PREFLIGHT_MAX_AGE_S,
        // Tools ask for OPTIONS without being browsers.
        strictPreflight: false,
      });
      serveOpenApi(api, documentation);
      const gate = { keys, sessions, limits, ownOrigin, clock };
      for (const route of routes) serveRoute(api, route, { gate, meter, prices, headers, underWay });
      refuseMethods(api, methodsByPath(routes));
    },
    { prefix: BASE_PATH },
  );
  return app;
}

/** Methods that every path can be asked with. HEAD goes wherever GET does. */
function methodsByPath(routes: readonly BoundRoute[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, readonly string[]>();
  for (const { contract } of routes) {
    const added = contract.method === 'GET' ? ['GET', 'HEAD'] : [contract.method];
    methods.set(contract.path, [...(methods.get(contract.path) ?? []), ...added]);
  }
  return methods;
}
