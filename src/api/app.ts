import cors from '@fastify/cors';
import Fastify, { type FastifyInstance } from 'fastify';
import type { AccountAnswers } from '../accounts/account-answers.ts';
import type { CreditAnswers } from '../accounts/credits/credit-answers.ts';
import type { CreditMeter } from '../accounts/credits/credit-meter.ts';
import type { KeyDirectory } from '../accounts/keys/key-directory.ts';
import type { ListAnswers } from '../accounts/lists/lists.ts';
import type { RateLimits } from '../accounts/rate-limits.ts';
import type { AuthAnswers } from '../accounts/sessions/auth-answers.ts';
import type { OwnOrigin } from '../accounts/sessions/own-origin.ts';
import type { SessionDirectory } from '../accounts/sessions/session-directory.ts';
import type { Answers } from '../books/answers.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { MetadataAnswers } from '../metadata/metadata-answers.ts';
import { BASE_PATH, BODY_LIMIT_BYTES, EXPOSED_HEADERS } from './contract/headers.ts';
import { ANNOUNCED_PRICES, type AnnouncedPrices, createPriceBook } from './contract/price-book.ts';
import type { Health } from './contract/resources/system.ts';
import { ROUTES } from './contract/routes.ts';
import { limitedByAddress } from './plugins/authenticate.ts';
import { readJsonBodies } from './plugins/body.ts';
import type { Arrival } from './plugins/client-address.ts';
import { createClientErrorAnswers } from './plugins/client-errors.ts';
import { openApiAnswer, serveDocumentation, serveOpenApi } from './plugins/documentation.ts';
import { serveErrorPages } from './plugins/error-pages.ts';
import { answerErrors, sendError, toApiError } from './plugins/errors.ts';
import { createAnswerHeaders, preflightHeaders } from './plugins/headers.ts';
import { type MetricsText, serveMetrics } from './plugins/metrics.ts';
import { createRawAnswers } from './plugins/raw-answer.ts';
import { refuseMethods } from './plugins/refuse-methods.ts';
import { refuseUnclearHeads, type UnclearConnections } from './plugins/request-head.ts';
import { createRequestIds } from './plugins/request-id.ts';
import { type BoundRoute, routeEveryMethod, serveRoute } from './plugins/serve-route.ts';
import { accountRoutes } from './routes/account.ts';
import { authRoutes } from './routes/auth.ts';
import { creditRoutes } from './routes/credits.ts';
import { intelligenceRoutes } from './routes/intelligence.ts';
import { launchRoutes } from './routes/launch.ts';
import { listRoutes } from './routes/lists.ts';
import { metadataRoutes } from './routes/metadata.ts';
import { movementsRoutes } from './routes/movements.ts';
import { packRoutes } from './routes/pack.ts';
import { pricesRoutes } from './routes/prices.ts';
import { systemRoutes } from './routes/system.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { tradersRoutes } from './routes/traders.ts';
import type { SocketBounds } from './sockets/socket-bounds.ts';

export interface AppDependencies {
  readonly answers: Answers;
  readonly metadata: MetadataAnswers;
  readonly auth: AuthAnswers;
  readonly account: AccountAnswers;
  readonly credits: CreditAnswers;
  readonly lists: ListAnswers;
  readonly keys: KeyDirectory;
  readonly sessions: SessionDirectory;
  readonly limits: RateLimits;
  readonly ownOrigin: OwnOrigin;
  /** Where a request came from, as the one text of its address. */
  readonly clientAddress: (arrival: Arrival) => string;
  readonly meter: CreditMeter;
  /** What connections may take. */
  readonly sockets: SocketBounds;
  /** Instead of those that this release announces. */
  readonly announcedPrices?: AnnouncedPrices;
  readonly clock: Clock;
  readonly log: Logger;
  readonly health: () => Health;
  /** What `/metrics` tells; without it there is no such path. */
  readonly metrics?: MetricsText;
  /** What has to be sent to read them; undefined lets everybody. */
  readonly metricsToken?: string | undefined;
  /** Age of the newest indexed block in milliseconds; undefined while unknown. */
  readonly dataLagMs: () => number | undefined;
}

const HEADER_LIMIT_BYTES = 16 * 1024;
/** A path parameter longer than this is no address and no id. */
const PARAMETER_LIMIT_CHARACTERS = 256;
const PREFLIGHT_MAX_AGE_S = 86_400;

/** The REST API, not listening yet. Closing it answers what is under way and drops idle connections. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { answers, metadata, keys, sessions, limits, ownOrigin, meter, clock, log, health, sockets } = dependencies;
  const newRequestId = createRequestIds(clock);
  const { isHttps } = ownOrigin;
  const rawAnswer = createRawAnswers(newRequestId, isHttps);
  const publicOrigin = isHttps ? ownOrigin.choose(undefined) : undefined;
  let isClosing = false;
  const { dataLagMs } = dependencies;
  const headers = createAnswerHeaders({ answers, dataLagMs, publicOrigin, isClosing: () => isClosing });
  const announced = dependencies.announcedPrices ?? ANNOUNCED_PRICES;
  const prices = createPriceBook({ routes: ROUTES, announced, now: () => clock.now() });
  const single: readonly BoundRoute[] = [
    ...tokenRoutes(answers),
    ...tradersRoutes(answers.traders),
    ...intelligenceRoutes(answers.intelligence),
    ...launchRoutes(answers.launch),
    ...movementsRoutes(answers.movements),
    ...metadataRoutes(metadata),
    ...pricesRoutes(answers.prices),
    ...systemRoutes(answers, health, prices),
    ...authRoutes(dependencies.auth),
    ...accountRoutes(dependencies.account),
    ...creditRoutes(dependencies.credits),
    ...listRoutes(dependencies.lists),
  ];
  const routes = [...single, ...packRoutes({ answers: answers.pack, bound: single, prices, log })];

  const unclear: UnclearConnections = new WeakSet();
  const clientErrors = createClientErrorAnswers({
    answer: rawAnswer,
    letGo: sockets.letGo,
    isAnswering: sockets.isAnswering,
    unclear,
  });
  const app = Fastify({
    logger: false,
    // What the router refuses before there is a route: a path that is not UTF-8, a parameter too long.
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
  app.decorateRequest('keyHolder', undefined);
  app.decorateRequest('sessionHolder', undefined);
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
  const documentation = { openApi: openApiAnswer(), headers, limit: limitedByAddress({ limits }, 'documents') };
  serveDocumentation(app, { ...documentation, isHttps });
  serveErrorPages(app, headers);
  const { metrics, metricsToken: token } = dependencies;
  if (metrics !== undefined) {
    serveMetrics(app, { metrics, headers, limit: limitedByAddress({ limits }, 'metrics'), token });
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
      for (const route of routes) serveRoute(api, route, { gate, meter, prices, headers });
      refuseMethods(api, methodsByPath(routes));
    },
    { prefix: BASE_PATH },
  );
  return app;
}

/** What every path can be asked with. HEAD goes wherever GET does. */
function methodsByPath(routes: readonly BoundRoute[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, readonly string[]>();
  for (const { contract } of routes) {
    const added = contract.method === 'GET' ? ['GET', 'HEAD'] : [contract.method];
    methods.set(contract.path, [...(methods.get(contract.path) ?? []), ...added]);
  }
  return methods;
}
