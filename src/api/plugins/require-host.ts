import type { onRequestHookHandler } from 'fastify';
import { ApiError } from '../contract/errors.ts';

/** Refuses HTTP/1.1 without a Host, as Node would on its own, with an empty body. */
export const requireHost: onRequestHookHandler = (request, _reply, done) => {
  const { host } = request.raw.headers;
  done(host === undefined && request.raw.httpVersion === '1.1' ? new ApiError('invalid_request') : undefined);
};
