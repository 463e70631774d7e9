import type { preHandlerHookHandler } from 'fastify';
import type { KeyHolder } from '../../accounts/caller.ts';
import type { CreditMeter, Reservation } from '../../accounts/credits/credit-meter.ts';
import { ApiError } from '../contract/errors.ts';
import type { Parameters, Values } from '../contract/parameter.ts';
import { chargedCredits, type Price } from '../contract/price.ts';
import type { Metered } from './headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What this call has taken from its key; undefined before that, and on public routes. */
    reservation: Reservation | undefined;
  }
}

/** Takes the price in force of a valid call before it runs, or refuses it with 402. Whoever has no key was let in for free. */
export function charge(
  meter: CreditMeter,
  route: string,
  price: () => Price<Values<Parameters>>,
): preHandlerHookHandler {
  return (request, _reply, done) => {
    const holder = request.keyHolder;
    // A page of the web application: browsing is free.
    if (holder === undefined) {
      done();
      return;
    }
    const cost = price().compute(request.query as Values<Parameters>);
    const admit = (reservation: Reservation | undefined): void => {
      request.reservation = reservation;
      if (reservation !== undefined) done();
      else done(exhausted(meter, holder, cost));
    };
    const taken = meter.reserve(holder, request.id, route, cost);
    if (taken instanceof Promise) taken.then(admit, (cause) => done(new ApiError('credits_unavailable', { cause })));
    else admit(taken);
  };
}

function exhausted(meter: CreditMeter, holder: KeyHolder, cost: number): ApiError {
  const resetAt = meter.resetAt?.(holder);
  const remaining = meter.remaining(holder) ?? 0;
  const renewal = resetAt === undefined ? {} : { reset_at: new Date(resetAt).toISOString() };
  return new ApiError('credits_exhausted', { details: { cost, remaining, ...renewal } });
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
  return { cost, remaining: reservation.settle(cost) };
}
