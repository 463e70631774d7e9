import type { FastifyReply, onRequestHookHandler } from 'fastify';
import { API_VERSION, EXPOSED_HEADERS } from '../contract/headers.ts';
import type { RateHeaders } from './rate-headers.ts';
import { securityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Headers about the caller's limit; undefined while the caller is not known, and for strangers. */
    rate: RateHeaders | undefined;
  }
}

/** Figures that the headers of a metered answer name besides. */
export interface Metered {
  readonly cost: number;
  readonly remaining: number | undefined;
}

/** Sets the headers of answers. They hold what hooks would add otherwise, because a hook runs for every request. */
export interface AnswerHeaders {
  /** Origin at which the service is published; empty when nobody said, and links stay relative. */
  readonly origin: string;
  /** Of an answer that costs nothing, or a refusal. */
  free(reply: FastifyReply, cacheControl: string): void;
  /** Newest slot an answer can contain. */
  readonly indexedSlot: () => number;
  /** Of one out of the data: it tells the slot that it is of, where it is of one, and what it cost unless it was free. */
  data(reply: FastifyReply, cacheControl: string, metered: Metered | undefined, slot: number | undefined): void;
}

export interface AnswerHeadersOptions {
  /** Newest slot an answer can contain. */
  readonly indexedSlot: () => number;
  /** Age of the newest indexed block in milliseconds; undefined while unknown. */
  readonly dataLagMs: () => number | undefined;
  /**
   * Origin at which the service is published by https, which browsers are then told to keep to; undefined while nobody
   * says so.
   */
  readonly publicOrigin: string | undefined;
  /**
   * True while the service stops. Node drops connections that are idle when that begins; those that are answered later
   * have to end with their answer, or they hold it up. Never when left out.
   */
  readonly isClosing?: () => boolean;
}

export function createAnswerHeaders(options: AnswerHeadersOptions): AnswerHeaders {
  const { indexedSlot, dataLagMs, publicOrigin = '', isClosing = () => false } = options;
  const isHttps = publicOrigin.startsWith('https:');
  const constant: Readonly<Record<string, string>> = {
    'content-type': 'application/json; charset=utf-8',
    'x-api-version': API_VERSION,
    ...securityHeaders(isHttps),
    // The same for every origin, and never with credentials.
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
  };

  function common(reply: FastifyReply): void {
    reply.headers(constant);
    if (reply.request.rate !== undefined) reply.headers(reply.request.rate);
    if (isClosing()) reply.header('connection', 'close');
  }

  return {
    origin: publicOrigin,
    free(reply, cacheControl) {
      common(reply);
      reply.headers({ 'x-request-id': reply.request.id, 'cache-control': cacheControl });
    },
    indexedSlot,
    data(reply, cacheControl, metered, slot) {
      common(reply);
      const block: Record<string, string | number> = {
        'x-request-id': reply.request.id,
        'cache-control': cacheControl,
      };
      if (slot !== undefined) block['x-indexed-slot'] = slot;
      const lag = dataLagMs();
      if (lag !== undefined) block['x-data-lag-ms'] = Math.max(0, Math.round(lag));
      if (metered !== undefined) {
        block['x-credits-cost'] = metered.cost;
        if (metered.remaining !== undefined) block['x-credits-remaining'] = metered.remaining;
      }
      reply.headers(block);
    },
  };
}

/** Preflights are answered by the CORS plugin; the rest of their headers is ours. */
export function preflightHeaders(headers: AnswerHeaders): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.method === 'OPTIONS') {
      headers.free(reply, 'no-store');
      reply.removeHeader('content-type');
    }
    done();
  };
}
