import type { FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify';
import type { KeyHolder } from '../../accounts/caller.ts';
import type { KeyDirectory } from '../../accounts/keys/key-directory.ts';
import { ApiError } from '../contract/errors.ts';

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
    const found = keys.find(text);
    if (found instanceof Promise) {
      found.then(
        (holder) => admit(request, holder, done),
        (cause) => done(new ApiError('keys_unavailable', { cause })),
      );
    } else {
      admit(request, found, done);
    }
  };
}

function admit(request: FastifyRequest, holder: KeyHolder | undefined, done: HookHandlerDoneFunction): void {
  request.keyHolder = holder;
  done(holder === undefined ? new ApiError('invalid_api_key') : undefined);
}
