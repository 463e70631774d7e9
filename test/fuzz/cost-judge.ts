import type { WireAnswer } from './answer-reader.ts';
import { mayCall } from './caller.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** Returns what is wrong with the cost that an answer tells: by its status, as the specification's table has it. */
export function costFault(
  { route, meets, price, caller }: FuzzRequest,
  { status, headers }: WireAnswer,
): string | undefined {
  const cost = headers.get('x-credits-cost')?.[0];
  const remaining = headers.get('x-credits-remaining')?.[0];
  if (remaining !== undefined && !/^\d+$/.test(remaining)) return `X-Credits-Remaining: ${remaining}`;
  if (cost !== undefined && !/^\d+$/.test(cost)) return `X-Credits-Cost: ${cost}`;
  if (meets !== 'route') return undefined;
  const isMetered = route.access === 'key' && caller.keys.length > 0 && mayCall(caller.kind, route);
  if (!isMetered) return cost === undefined || cost === '0' ? undefined : `${cost} credits for what costs nothing`;
  if (cost === undefined) return 'X-Credits-Cost is missing';
  if (price === undefined || cost === undefined) return undefined;
  const [least, most] = expected(status, price, route);
  const charged = Number(cost);
  return charged >= least && charged <= most ? undefined : `${charged} credits for a ${status} of ${price}`;
}

function expected(
  status: number,
  price: number,
  { pricedByParts, freeWhenAbsent }: FuzzRequest['route'],
): readonly [number, number] {
  if (status === 304) return [Math.min(1, price), Math.min(1, price)];
  if (status === 404) return freeWhenAbsent ? [0, 0] : [Math.min(1, price), Math.min(1, price)];
  if (status >= 400) return [0, 0];
  return pricedByParts ? [1, price] : [price, price];
}
