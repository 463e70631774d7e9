import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ERRORS, type ErrorCode } from '../contract/errors.ts';
import type { AnswerHeaders } from './headers.ts';
import { refuseOtherMethods } from './serve-route.ts';

/** Path that the `type` of a problem leads to. */
export const ERRORS_PATH = '/errors';

/** A page for each error, and one that lists them. */
export function serveErrorPages(app: FastifyInstance, headers: AnswerHeaders): void {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const list = page(
    'Errors',
    `<ul>${codes.map((code) => `<li><a href="${ERRORS_PATH}/${code}">${code}</a></li>`).join('')}</ul>`,
  );
  const pages = new Map(codes.map((code) => [code as string, page(code, describe(code))]));

  function send(reply: FastifyReply, body: string): void {
    headers.free(reply, 'public, max-age=3600');
    reply.header('content-type', 'text/html; charset=utf-8').send(body);
  }

  app.get(ERRORS_PATH, (_request, reply) => send(reply, list));
  app.get(`${ERRORS_PATH}/:code`, (request: FastifyRequest<{ Params: { code: string } }>, reply) => {
    const body = pages.get(request.params.code);
    if (body === undefined) throw new ApiError('not_found');
    send(reply, body);
  });
  for (const path of [ERRORS_PATH, `${ERRORS_PATH}/{code}`]) refuseOtherMethods(app, path, ['GET', 'HEAD']);
}

function describe(code: ErrorCode): string {
  const { status, message, retryable } = ERRORS[code];
  const again = retryable ? 'The same request may succeed later.' : 'The same request will be refused again.';
  return `<p>Status ${status}: ${message}.</p><p>${again}</p><p><a href="${ERRORS_PATH}">All errors</a></p>`;
}

/** Of our own texts alone. */
function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
}
