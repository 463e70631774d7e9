import type { FastifyRequest } from 'fastify';
import type { CreditMeter, Reservation } from '../accounts/credits/credit-meter.ts';
import { ApiError } from '../contract/errors.ts';
import type { Parameters, Values } from '../contract/parameter.ts';
import { chargedCredits, type Price } from '../contract/price.ts';
import type { KeyPrincipal } from '../handlers/caller.ts';
import type { Metered } from './headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Credits that this call has taken from its key; undefined before that, and on public routes. */
    reservation: Reservation | undefined;
  }
}

/** Takes what a call costs. Gives why it is refused, at once while its credits are in hand; undefined when it may run. */
export type Charge = (request: FastifyRequest) => ApiError | undefined | Promise<ApiError | undefined>;

/**
 * Takes the price in force of a valid call before it runs, or refuses it with 402.
 * A caller without a key was let in for free. Called where the route is answered, not a
 * hook of its own: the framework runs hooks one by one, for every request.
 */
export function charge(meter: CreditMeter, route: string, price: () => Price<Values<Parameters>>): Charge {
  function admit(request: FastifyRequest, principal: KeyPrincipal, cost: number, taken: Reservation | undefined) {
    request.reservation = taken;
    return taken === undefined ? exhausted(meter, principal, cost) : undefined;
  }

  return (request) => {
    const principal = request.keyPrincipal;
    // A page of the web application: browsing is free.
    if (principal === undefined) return undefined;
    const cost = price().compute(request.query as Values<Parameters>);
    const taken = meter.reserve(principal, request.id, route, cost);
    if (!(taken instanceof Promise)) return admit(request, principal, cost, taken);
    return taken.then(
      (reservation) => admit(request, principal, cost, reservation),
      (cause) => new ApiError('credits_unavailable', { cause }),
    );
  };
}

function exhausted(meter: CreditMeter, principal: KeyPrincipal, cost: number): ApiError {
  const resetAt = meter.resetAt?.(principal);
  const remaining = meter.remaining(principal) ?? 0;
  const renewal = resetAt === undefined ? {} : { reset_at: new Date(resetAt).toISOString() };
  return new ApiError('credits_exhausted', { details: { cost, remaining, ...renewal } });
}

/**
 * Settles the final cost of an answer with this status; undefined when nothing was taken. `price` is what the answer is
 * worth, where that is less than what was taken.
 */
export function settle(
  reservation: Reservation | undefined,
  status: number,
  price: number | undefined = reservation?.cost,
): Metered | undefined {
  if (reservation === undefined || price === undefined) return undefined;
  const cost = chargedCredits(status, Math.min(price, reservation.cost));
  return { cost, remaining: reservation.settle(cost) };
}
