import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { API_VERSION } from '../contract/headers.ts';
import { buildOpenApi } from '../contract/openapi.ts';
import type { RouteContract } from '../contract/route.ts';
import {
  chooseEncoding,
  createDocumentationFiles,
  DOCUMENTATION_PATHS,
  type DocumentationFiles,
} from './documentation-files.ts';
import { entityTag, matchesTag } from './entity-tag.ts';
import type { AnswerHeaders } from './headers.ts';
import { refuseOtherMethods } from './serve-route.ts';

export const DOCS_PATH = '/docs';
const OPENAPI_PATH = '/openapi.json';

export interface DocumentationOptions {
  readonly openApi: OpenApiAnswer;
  readonly headers: AnswerHeaders;
  /** True when this service is reached by https. */
  readonly isHttps: boolean;
  /** Bounds how often somebody may ask. */
  readonly limit: onRequestHookHandler;
}

/** The OpenAPI document and its bytes. */
export interface OpenApiAnswer {
  readonly document: object;
  readonly json: Buffer;
  readonly tag: string;
}

const made = new WeakMap<readonly RouteContract[], OpenApiAnswer>();

/** The document of some routes, made once. */
export function openApiAnswer(documented: readonly RouteContract[]): OpenApiAnswer {
  const known = made.get(documented) ?? makeOpenApiAnswer(documented);
  made.set(documented, known);
  return known;
}

function makeOpenApiAnswer(documented: readonly RouteContract[]): OpenApiAnswer {
  const document = buildOpenApi(documented);
  const json = Buffer.from(JSON.stringify(document));
  return { document, json, tag: entityTag(json) };
}

/** Answers `/openapi.json` below the prefix of `scope`, under its rules for other origins. */
export function serveOpenApi(
  scope: FastifyInstance,
  { openApi: { json, tag }, headers, limit }: Omit<DocumentationOptions, 'isHttps'>,
): void {
  const send = (request: FastifyRequest, reply: FastifyReply): void => {
    headers.free(reply, 'public, max-age=60');
    reply.header('etag', tag);
    if (matchesTag(request.headers['if-none-match'], tag)) reply.code(304).send();
    else reply.send(json);
  };
  // Our header block carries what a CORS hook would add.
  scope.get(OPENAPI_PATH, { onRequest: limit, config: { cors: false } }, send);
  refuseOtherMethods(scope, OPENAPI_PATH, ['GET', 'HEAD']);
}

/** The OpenAPI document, and a page that shows it. Everything the page needs comes from this process. */
export function serveDocumentation(app: FastifyInstance, options: DocumentationOptions): void {
  const { openApi, isHttps, limit } = options;
  serveOpenApi(app, options);
  app.register(async (page) => {
    page.addHook('onRequest', limit);
    await page.register(helmet, {
      hsts: isHttps,
      frameguard: { action: 'deny' },
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'base-uri': ["'none'"],
          'connect-src': ["'self'"],
          'form-action': ["'none'"],
          'frame-ancestors': ["'none'"],
          'font-src': ["'self'", 'data:'],
          'img-src': ["'self'", 'data:'],
          'script-src': ["'self'"],
          // The page sets style attributes from its scripts.
          'style-src': ["'self'", "'unsafe-inline'"],
        },
      },
    });
    const files = createDocumentationFiles({ document: openApi.document, json: openApi.json, root: DOCS_PATH });
    page.addHook('onClose', () => files.close());
    serveFiles(page, files);
  });
}

/** Files whose URL names their content. */
const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';
/** Asked for again each time, and answered with 304 while they are the same. */
const ASKED_AGAIN = 'no-cache';

/** Each file by its own path: no name of a file is ever made of what somebody asked for. */
function serveFiles(page: FastifyInstance, files: DocumentationFiles): void {
  for (const path of DOCUMENTATION_PATHS) {
    // The router takes the path of the page with a slash for the one without.
    if (path === '/') continue;
    page.get<{ Querystring: { v?: unknown } }>(`${DOCS_PATH}${path}`, async (request, reply) => {
      const isBelow = path === '' && /^[^?]*\/(?:\?|$)/.test(request.url);
      const file = await files.file(isBelow ? '/' : path);
      const encoding = file.isPackable ? chooseEncoding(request.headers['accept-encoding']) : 'identity';
      const { bytes, tag } = await file.encoded(encoding);
      reply.headers({
        'x-request-id': request.id,
        'x-api-version': API_VERSION,
        'cache-control': request.query.v === file.version ? KEPT_FOR_GOOD : ASKED_AGAIN,
        'content-type': file.type,
        etag: tag,
      });
      if (file.isPackable) reply.header('vary', 'Accept-Encoding');
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      if (!matchesTag(request.headers['if-none-match'], tag)) return reply.send(bytes);
      return reply.code(304).removeHeader('content-type').removeHeader('content-encoding').send();
    });
    refuseOtherMethods(page, `${DOCS_PATH}${path}`, ['GET', 'HEAD']);
  }
}
