import { ErrorBody, Problem } from './error-body.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import type { Fields } from './field.ts';
import { ANSWER_HEADERS, API_VERSION, BASE_PATH, PAGE_COOKIE, SESSION_COOKIE } from './headers.ts';
import type { Parameters } from './parameter.ts';
import { type Access, defaultPrice, type RouteContract, routeErrors } from './route.ts';

type Json = { readonly [key: string]: unknown };

/** The OpenAPI 3.1 document of the routes. Schemas with an `$id` become its components. */
export function buildOpenApi(routes: readonly RouteContract[]): Json {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operation(route, schemas);
    paths[route.path] = path;
  }
  for (const schema of [ErrorBody, Problem]) hoist(schema, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'mintscope',
      version: API_VERSION,
      description:
        'Token research for Solana. Large integers are strings of digits, times are RFC 3339 in UTC, fields without a value are left out. Unknown query parameters are ignored; clients must ignore unknown fields and values.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: BASE_PATH }],
    tags: [
      { name: 'tokens', description: 'Tokens and their trades' },
      { name: 'leaders', description: 'Validators, and who leads when' },
      { name: 'system', description: 'State of the service' },
      { name: 'credits', description: 'Prices, balances and usage' },
      { name: 'accounts', description: 'Signing in, accounts and their keys' },
      { name: 'lists', description: 'Wallet groups, favorites and streams of a wallet' },
    ],
    paths,
    components: {
      schemas,
      headers: Object.fromEntries(
        Object.entries(ANSWER_HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: 'Given by POST /auth/verify. A key counts when both are sent.',
        },
        page: {
          type: 'apiKey',
          in: 'cookie',
          name: PAGE_COOKIE,
          description: 'Given by POST /auth/page-session to pages of our own origin.',
        },
      },
    },
  };
}

const SECURITY: Readonly<Record<Access, readonly Json[]>> = {
  public: [],
  key: [{ apiKey: [] }],
  account: [{ apiKey: [] }, { session: [] }],
  owner: [{ apiKey: [] }, { session: [] }],
  session: [{ session: [] }],
};

function operation(route: RouteContract, schemas: Record<string, unknown>): Json {
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    description: [route.description, sunsetOf(route), `Credits: ${route.price.rule}.`]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    parameters: [...describeParameters('path', route.params), ...describeParameters('query', route.query)],
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body, schemas) }),
    security: [...SECURITY[route.access], ...(route.pages ? [{ session: [] }, { page: [] }] : [])],
    'x-credits': { default: defaultPrice(route), rule: route.price.rule },
    responses: {
      ...(route.redirects ? { 302: redirect(route, schemas) } : { 200: success(route, schemas) }),
      ...(route.etag ? { 304: { description: 'Not modified since the ETag sent.' } } : {}),
      ...errorResponses(routeErrors(route)),
    },
  };
}

function sunsetOf({ deprecated }: RouteContract): string | undefined {
  return deprecated && `Deprecated; answers until ${deprecated.sunset}.`;
}

/** Fields that are not named are ignored, so the schema takes them. */
function requestBody(fields: Fields, schemas: Record<string, unknown>): Json {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, hoist(field.schema, schemas)])),
    ...(required.length === 0 ? {} : { required }),
  };
  return { required: true, content: { 'application/json': { schema } } };
}

function success(route: RouteContract, schemas: Record<string, unknown>): Json {
  return {
    description: route.summary,
    headers: headerReferences(route.access),
    content: {
      'application/json': { schema: hoist(route.response, schemas), examples: namedExamples(route) },
    },
  };
}

function redirect(route: RouteContract, schemas: Record<string, unknown>): Json {
  const location = { schema: hoist(route.response, schemas), required: true, examples: namedExamples(route) };
  return { description: route.summary, headers: { ...headerReferences(route.access), Location: location } };
}

function namedExamples({ examples }: RouteContract): Json {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

function describeParameters(place: 'path' | 'query', parameters: Parameters): Json[] {
  return Object.entries(parameters).map(([name, { schema, required }]) => {
    const { description, ...shape } = schema as Json;
    return { name, in: place, required: required || place === 'path', description, schema: shape };
  });
}

/** Headers of a success: all have the first two, the rest depends on who may ask. */
function headerReferences(access: Access): Json {
  const names = Object.keys(ANSWER_HEADERS).filter((name) => {
    if (/RateLimit/.test(name)) return access !== 'public';
    return access === 'key' || name === 'X-Request-Id' || name === 'X-Api-Version';
  });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response per status, which names the codes it can carry. */
function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.join(', '),
        ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
        content: ERROR_CONTENT,
      },
    ]),
  );
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Whole seconds.', required: true, schema: { type: 'integer', minimum: 1 } },
};

const ERROR_CONTENT = {
  'application/json': { schema: { $ref: '#/components/schemas/Error' } },
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
};

/** Copies a schema, moving every part with an `$id` to the components and leaving a reference. */
function hoist(schema: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => hoist(part, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json;
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoist(value, schemas)]));
  if (typeof $id !== 'string') return copy;
  schemas[$id] = copy;
  return { $ref: `#/components/schemas/${$id}` };
}
