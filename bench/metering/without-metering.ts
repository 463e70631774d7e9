import type { FastifyInstance } from 'fastify';
import type { Reservation } from '../../src/accounts/credits/credit-meter.ts';

/** As it reads in the headers of a key of the account book in full flow, of as many characters. */
const RATE_HEADERS = {
  'ratelimit-policy': '"key";q=10000;w=1, "burst";q=100000;w=10',
  ratelimit: '"key";r=10000;t=1',
  'x-ratelimit-limit': 100_000,
  'x-ratelimit-remaining': 99_999,
  'x-ratelimit-reset': 1_790_000_000,
};

const LEFT = 999_999_999;
const PAID: Reservation = { cost: 1, remaining: LEFT, settle: () => LEFT };

/**
 * Takes key, limit and credits out of every route of an app that is not ready yet:
 * their hook is left out, whoever has no key is not charged, and what they would leave
 * on a request is the same for all, so that the answers' headers are written as before.
 */
export function leaveMeteringOut(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!('config' in route) || route.config?.freeWhenAbsent === undefined) return;
    route.onRequest = [];
    const { handler } = route;
    route.handler = function handle(request, reply) {
      request.rate = RATE_HEADERS;
      request.reservation = PAID;
      return handler.call(this, request, reply);
    };
  });
}
