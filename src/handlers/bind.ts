import type { Fields, FieldValues } from '../contract/field.ts';
import type { Parameters, Values } from '../contract/parameter.ts';
import type { RouteContract } from '../contract/route.ts';
import type { Absence } from '../contract/stamp.ts';
import type { Caller } from './caller.ts';

/** An answer that differs from what its contract says of all answers. */
export interface ShapedAnswer {
  /** Bytes of a JSON body; undefined for none. */
  readonly body: Buffer | undefined;
  /** 200 when left out. */
  readonly status?: 200 | 302;
  /** URL that a 302 leads to. */
  readonly location?: string;
  /** Instead of the contract's. */
  readonly cacheControl?: string;
  /** Credits instead of the price, never more than it: no more was taken. */
  readonly cost?: number;
  /** Value of Set-Cookie. */
  readonly cookie?: string;
}

/**
 * Bytes of a JSON body, or an answer of its own shape, at once when it is at hand; where the contract's `absent` applies,
 * an absence in the data, or undefined in what has no slot.
 */
export type Answer = Buffer | ShapedAnswer | Promise<Buffer | ShapedAnswer | Absence | undefined>;

/**
 * Everything besides parameters that an answer may depend on: the request itself, so that nothing is made for those
 * that do not ask.
 */
export interface Call<B = unknown> extends Caller {
  readonly body: B;
  /** Address that the request came from, behind the proxies that are trusted. */
  readonly clientAddress: string;
  readonly headers: {
    /** Of the page that asks, as the browser says; anything when it is no browser. */
    readonly origin?: string | undefined;
  };
}

/** A contract and the function that answers it. */
export interface BoundRoute {
  readonly contract: RouteContract;
  read(params: unknown, query: unknown, call: Call): Answer;
}

/** Binds a contract to its answer, with parameters and body typed by the contract. */
export function bind<P extends Parameters, Q extends Parameters, B extends Fields>(
  contract: RouteContract<P, Q, B>,
  read: (params: Values<P>, query: Values<Q>, call: Call<FieldValues<B>>) => Answer,
): BoundRoute {
  return {
    contract,
    read: (params, query, call) => read(params as Values<P>, query as Values<Q>, call as Call<FieldValues<B>>),
  };
}
