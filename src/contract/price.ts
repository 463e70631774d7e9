/**
 * Price of a call, in credits. The rule is printed in the cost table, the
 * function charges by it, and a test holds them together at the defaults.
 */
export interface Price<Query> {
  /** Text of the cost table; `L` stands for the limit parameter. */
  readonly rule: string;
  compute(query: Query): number;
}

export const FREE: Price<unknown> = { rule: '0', compute: () => 0 };

/** The same price whatever is asked. */
export function flatPrice(credits: number): Price<unknown> {
  return { rule: String(credits), compute: () => credits };
}

export const ROW_RULE = '2 + 3*ceil(max(0, L-20)/50)';

/** The one rule of every row list. */
export function rowPrice(limit: number): number {
  return 2 + 3 * Math.ceil(Math.max(0, limit - 20) / 50);
}

/** One credit for every so many of a list that were begun, and one at least. */
export function startedPrice(count: number, perCredit: number): number {
  return Math.max(1, Math.ceil(count / perCredit));
}

/**
 * Credits that a finished call is charged, out of its price. Probing for unknown keys and
 * revalidating are cheap but not free; our own faults and refused requests cost nothing.
 */
export function chargedCredits(status: number, price: number): number {
  if (status === 304 || status === 404) return Math.min(1, price);
  return status < 400 ? price : 0;
}
