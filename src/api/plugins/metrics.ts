import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { AnswerHeaders } from './headers.ts';
import { refuseOtherMethods } from './serve-route.ts';

/** What the service tells of itself to whoever watches it. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

const METRICS_PATH = '/metrics';

export interface MetricsOptions {
  readonly metrics: MetricsText;
  readonly headers: AnswerHeaders;
  /** How often somebody may ask. */
  readonly limit: onRequestHookHandler;
}

/**
 * Figures of the process and of what it does, without names, keys or addresses.
 * Whoever reaches the port reads them: what is published keeps the path to itself.
 */
export function serveMetrics(app: FastifyInstance, { metrics, headers, limit }: MetricsOptions): void {
  app.get(METRICS_PATH, { onRequest: limit }, async (_request, reply) => {
    const text = await metrics.text();
    headers.free(reply, 'no-store');
    return reply.header('content-type', metrics.contentType).send(text);
  });
  refuseOtherMethods(app, METRICS_PATH, ['GET', 'HEAD']);
}
