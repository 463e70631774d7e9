import type { FastifyInstance } from 'fastify';
import type { Reservation } from '../../src/accounts/credits/credit-meter.ts';

/** As it reads in the headers of a key in full flow. */
const RATE_HEADERS = {
  'ratelimit-policy': '"key";q=1000000;w=1',
  ratelimit: '"key";r=999999;t=1',
  'x-ratelimit-limit': 1_000_000,
  'x-ratelimit-remaining': 999_999,
  'x-ratelimit-reset': 1_790_000_000,
};

const PAID: Reservation = { cost: 1, remaining: 199_999, settle: () => 199_999 };

/**
 * Takes key, limit and credits out of every route of an app that is not ready yet:
 * their hooks are left out, and what they would leave on a request is the same
 * for all, so that the answers' headers are written as before.
 */
export function leaveMeteringOut(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!('config' in route) || route.config?.freeWhenAbsent === undefined) return;
    route.onRequest = [];
    route.preHandler = [];
    const { handler } = route;
    route.handler = function handle(request, reply) {
      request.rate = RATE_HEADERS;
      request.reservation = PAID;
      return handler.call(this, request, reply);
    };
  });
}
