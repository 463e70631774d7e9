import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { ApiError } from '../contract/errors.ts';

/**
 * Refuses, on every path of a scope, the methods that it does not know: by one route behind all others, as the router
 * would need a thousand of them.
 */
export function refuseMethods(scope: FastifyInstance, methodsByPath: ReadonlyMap<string, readonly string[]>): void {
  const paths = [...methodsByPath].sort(([a], [b]) => parametersIn(a) - parametersIn(b));
  const patterns = paths.map(([path, methods]) => ({ pattern: patternOf(scope.prefix, path), methods }));
  const refuse: onRequestHookHandler = ({ raw: { url = '', method = '' } }, reply, done) => {
    const path = decoded(url.split(/[?#]/, 1)[0] ?? '');
    const known = patterns.find(({ pattern }) => pattern.test(path))?.methods;
    if (known === undefined) return done(new ApiError('not_found'));
    // The router does not take a parameter that is too long.
    if (known.includes(method)) return done(new ApiError('invalid_param'));
    reply.header('allow', known.join(', '));
    done(new ApiError('method_not_allowed'));
  };
  const method = scope.supportedMethods.filter((each) => each !== 'OPTIONS');
  scope.route({ method, url: '/*', onRequest: refuse, handler: () => undefined });
}

/** As the router reads it, which takes nothing that cannot be decoded. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** A path that names more of itself goes before one that has a parameter there. */
function parametersIn(path: string): number {
  return path.split('{').length - 1;
}

function patternOf(prefix: string, path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${prefix}${source}/?$`);
}
