import { BASE_PATH } from '../../src/contract/headers.ts';
import type { RouteContract } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/routes.ts';
import type { Random } from '../../src/simulator/random.ts';
import { type Caller, credentials } from './caller.ts';
import type { FuzzRequest } from './fuzz-request.ts';

export interface PlainParts {
  /** Values of the path's braces. */
  readonly params?: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query?: string;
  readonly body?: unknown;
  readonly index: number;
}

/** The contract of that name. @throws {Error} when there is none: the sequences would test nothing. */
export function routeNamed(name: string): RouteContract {
  const route = ROUTES.find((each) => each.name === name);
  if (route === undefined) throw new Error(`no route is called ${name}`);
  return route;
}

/** A request as a well-behaved client makes it. */
export function plainRequest(name: string, caller: Caller, parts: PlainParts, random: Random): FuzzRequest {
  const { params = {}, query = '', body, index } = parts;
  const route = routeNamed(name);
  const path = route.path.replace(/\{(\w+)\}/g, (_brace, param: string) => encodeURIComponent(params[param] ?? ''));
  const target = `${BASE_PATH}${path}${query === '' ? '' : `?${query}`}`;
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = [
    ['Host', 'x'] as const,
    ...credentials(caller, random),
    ...(bytes === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ];
  const length = bytes === undefined ? '' : `Content-Length: ${bytes.length}\r\n`;
  const lines = headers.map(([header, value]) => `${header}: ${value}\r\n`).join('');
  const head = Buffer.from(`${route.method} ${target} HTTP/1.1\r\n${lines}${length}\r\n`, 'latin1');
  return {
    index,
    caller,
    address: caller.address ?? '127.0.0.1',
    method: route.method,
    target,
    headers,
    body: bytes,
    bytes: bytes === undefined ? head : Buffer.concat([head, bytes]),
    route,
    meets: 'route',
    isAcceptable: true,
    price: undefined,
  };
}
