import helmet from '@fastify/helmet';
import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { BASE_PATH } from '../contract/headers.ts';
import { buildOpenApi } from '../contract/openapi.ts';
import { ROUTES } from '../contract/routes.ts';
import { entityTag, matchesTag } from './entity-tag.ts';
import type { AnswerHeaders } from './headers.ts';
import { refuseOtherMethods } from './serve-route.ts';

export const DOCS_PATH = '/docs';

export interface DocumentationOptions {
  readonly headers: AnswerHeaders;
  /** Whether this service is reached by https. */
  readonly isHttps: boolean;
  /** How often somebody may ask. */
  readonly limit: onRequestHookHandler;
}

/** The OpenAPI document, and a page that shows it. Everything the page needs comes from this process. */
export function serveDocumentation(app: FastifyInstance, { headers, isHttps, limit }: DocumentationOptions): void {
  const document = buildOpenApi(ROUTES);
  const body = Buffer.from(JSON.stringify(document));
  const tag = entityTag(body);
  const send = (request: FastifyRequest, reply: FastifyReply): void => {
    headers.free(reply, 'public, max-age=60');
    reply.header('etag', tag);
    if (matchesTag(request.headers['if-none-match'], tag)) reply.code(304).send();
    else reply.send(body);
  };
  for (const path of ['/openapi.json', `${BASE_PATH}/openapi.json`]) {
    app.get(path, { onRequest: limit }, send);
    refuseOtherMethods(app, path, ['GET', 'HEAD']);
  }

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
    // The library's type of a document is narrower than what the contract builds.
    const specification = { document: document as unknown as StaticDocumentSpec['document'] };
    await page.register(swagger, { mode: 'static', specification });
    await page.register(swaggerUi, {
      routePrefix: DOCS_PATH,
      // One document is shown: the bar for choosing another says nothing.
      theme: { title: 'mintscope API', css: [{ filename: 'page.css', content: '.swagger-ui .topbar{display:none}' }] },
      uiConfig: { docExpansion: 'list', persistAuthorization: false, validatorUrl: null },
    });
  });
}
