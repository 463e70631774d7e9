import type { preHandlerHookHandler } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { chargedCredits, type Price } from '../contract/price.ts';
import type { CreditMeter, Reservation } from '../credits/credit-meter.ts';
import type { Metered } from './headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What this call has taken from its key; undefined before that, and on public routes. */
    reservation: Reservation | undefined;
  }
}

/** Takes the price of a valid call before it runs, or refuses it with 402. */
export function charge(meter: CreditMeter, price: Price<unknown>): preHandlerHookHandler {
  return (request, _reply, done) => {
    const holder = request.keyHolder;
    if (holder === undefined) {
      done(new ApiError('missing_api_key'));
      return;
    }
    const cost = price.compute(request.query);
    request.reservation = meter.reserve(holder.id, request.id, cost);
    if (request.reservation !== undefined) {
      done();
      return;
    }
    done(new ApiError('credits_exhausted', { details: { cost, remaining: meter.remaining(holder.id) ?? 0 } }));
  };
}

/**
 * What an answer with this status costs in the end; undefined when nothing was
 * taken. `price` is what the answer is worth, where that is less than what was taken.
 */
export function settle(
  reservation: Reservation | undefined,
  status: number,
  price: number | undefined = reservation?.cost,
): Metered | undefined {
  if (reservation === undefined || price === undefined) return undefined;
  const cost = chargedCredits(status, Math.min(price, reservation.cost));
  if (cost === reservation.cost) return reservation;
  return { cost, remaining: reservation.settle(cost) };
}
