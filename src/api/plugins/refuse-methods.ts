import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { refuseOtherMethods } from './serve-route.ts';

/** Methods of the contract: whatever else comes is known to no path. */
const USED = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/**
 * Refuses, on every path of a scope, the methods that it does not know. Those that
 * no path knows have one route for all: the router would need a thousand of them.
 */
export function refuseMethods(scope: FastifyInstance, methodsByPath: ReadonlyMap<string, readonly string[]>): void {
  const unused = scope.supportedMethods.filter((method) => !USED.includes(method) && method !== 'OPTIONS');
  const patterns = [...methodsByPath].map(([path, methods]) => patternOf(scope.prefix, path, methods));
  for (const [path, methods] of methodsByPath) refuseOtherMethods(scope, path, methods, USED);
  const refuse: onRequestHookHandler = ({ raw: { url = '' } }, reply, done) => {
    const [path = ''] = url.split('?', 1);
    const allowed = patterns.find(({ pattern }) => pattern.test(path))?.allowed;
    if (allowed !== undefined) reply.header('allow', allowed);
    done(new ApiError(allowed === undefined ? 'not_found' : 'method_not_allowed'));
  };
  scope.route({ method: unused, url: '/*', onRequest: refuse, handler: () => undefined });
}

function patternOf(prefix: string, path: string, methods: readonly string[]) {
  const source = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return { pattern: new RegExp(`^${prefix}${source}/?$`), allowed: methods.join(', ') };
}
