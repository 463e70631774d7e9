import type { onRequestHookHandler } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { KeyDirectory, KeyHolder } from '../keys/key-directory.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who the request's key speaks for; undefined on public routes. */
    keyHolder: KeyHolder | undefined;
  }
}

/** Refuses requests without a known key. The key is read from X-API-Key only, never from the URL, which ends up in logs. */
export function authenticate(keys: KeyDirectory): onRequestHookHandler {
  return (request, _reply, done) => {
    const text = request.headers['x-api-key'];
    if (typeof text !== 'string' || text === '') {
      done(new ApiError('missing_api_key'));
      return;
    }
    const admit = (holder: KeyHolder | undefined): void => {
      request.keyHolder = holder;
      done(holder === undefined ? new ApiError('invalid_api_key') : undefined);
    };
    const found = keys.find(text);
    if (found instanceof Promise) found.then(admit, (cause) => done(new ApiError('keys_unavailable', { cause })));
    else admit(found);
  };
}
