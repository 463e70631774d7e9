import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { ApiError, type ErrorCode } from '../contract/errors.ts';
import type { AnswerHeaders } from './headers.ts';
import { refuseOtherMethods } from './serve-route.ts';

/** What balancers of load are told, outside the prefix of the API. */
export interface Probes {
  /** The body of `/health`. */
  health(): object;
  /** Why nothing is to be sent here now; undefined when it may be. */
  unready(): Unready | undefined;
}

export interface Unready {
  readonly code: Extract<ErrorCode, 'warming_up' | 'lagging'>;
  /** The reason, for people. */
  readonly message: string;
}

export interface ProbeOptions {
  readonly probes: Probes;
  readonly headers: AnswerHeaders;
  /** Bounds how often somebody may ask. */
  readonly limit: onRequestHookHandler;
  /** True while the service stops: what is under way is answered, and nothing more is to come. */
  readonly isClosing: () => boolean;
}

/** Paths of the probes. */
export const PROBE_PATHS = ['/health', '/ready'] as const;
const [HEALTH_PATH, READY_PATH] = PROBE_PATHS;
const READY = JSON.stringify({ ready: true });

/** `/health`, as the API tells it, and `/ready`, which is 503 while others should be asked. Free, and without a key. */
export function serveProbes(app: FastifyInstance, { probes, headers, limit, isClosing }: ProbeOptions): void {
  app.get(HEALTH_PATH, { onRequest: limit }, (_request, reply) => {
    const body = JSON.stringify(probes.health());
    headers.free(reply, 'no-store');
    return reply.send(body);
  });
  app.get(READY_PATH, { onRequest: limit }, (_request, reply) => {
    if (isClosing()) throw new ApiError('shutting_down');
    const unready = probes.unready();
    if (unready !== undefined) throw new ApiError(unready.code, { message: unready.message });
    headers.free(reply, 'no-store');
    return reply.send(READY);
  });
  for (const path of PROBE_PATHS) refuseOtherMethods(app, path, ['GET', 'HEAD']);
}
