import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { AnswerHeaders } from './headers.ts';
import { refuseOtherMethods } from './serve-route.ts';

/** The service's metrics, as text for scrapes. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

const METRICS_PATH = '/metrics';

export interface MetricsOptions {
  readonly metrics: MetricsText;
  readonly headers: AnswerHeaders;
  /** Bounds how often somebody may ask. */
  readonly limit: onRequestHookHandler;
  /** The token that has to be sent as `Authorization: Bearer …`; undefined lets everybody read. */
  readonly token: string | undefined;
}

/**
 * Figures of the process and of what it does, without names, keys or addresses.
 * Without a token whoever reaches the port reads them; pages of other origins never do.
 */
export function serveMetrics(app: FastifyInstance, { metrics, headers, limit, token }: MetricsOptions): void {
  app.register(async (scope) => {
    scope.addHook('onSend', keepFromOtherOrigins);
    const onRequest = token === undefined ? [limit] : [limit, requireToken(token)];
    scope.get(METRICS_PATH, { onRequest }, async (_request, reply) => {
      const text = await metrics.text();
      headers.free(reply, 'no-store');
      return reply.header('content-type', metrics.contentType).send(text);
    });
    refuseOtherMethods(scope, METRICS_PATH, ['GET', 'HEAD']);
  });
}

/** Takes back, of refusals too, what lets scripts of any origin read the answers of the API. */
const keepFromOtherOrigins: onSendHookHandler = (_request, reply, payload, done) => {
  reply.removeHeader('access-control-allow-origin');
  reply.removeHeader('access-control-expose-headers');
  done(null, payload);
};

/** Compares digests, which are of one length, so that the time taken tells nothing of the token. */
function requireToken(token: string): onRequestHookHandler {
  const wanted = digest(token);
  return ({ headers: { authorization = '' } }, reply, done) => {
    const sent = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (sent !== undefined && timingSafeEqual(digest(sent), wanted)) {
      done();
      return;
    }
    reply.header('www-authenticate', 'Bearer');
    done(new ApiError('metrics_token_required'));
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
