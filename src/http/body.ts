import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { Fields } from '../contract/field.ts';

type Read = { value: Record<string, unknown> } | { error: ApiError };

/** Bytes that are no UTF-8 are no JSON; a byte order mark is passed over. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads bodies of JSON and no others. Its charset is UTF-8 whatever the header
 * says, because JSON knows no other; a body that is packed is not unpacked.
 */
export function readJsonBodies(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (isPacked(request)) {
      done(new ApiError('unsupported_media_type', { message: 'send the body without a Content-Encoding' }));
      return;
    }
    try {
      done(null, JSON.parse(decoder.decode(bytes)));
    } catch {
      done(new ApiError('invalid_json'));
    }
  });
  api.addContentTypeParser('*', (request, _payload, done) => {
    if (request.routeOptions.config.takesBody === false) done(null, undefined);
    else done(new ApiError('unsupported_media_type'));
  });
}

/**
 * For routes that take no body: whatever is sent as one is passed over unread, so
 * that clients which name a type for every request are not refused for it.
 */
export const passOverBody: onRequestHookHandler = (request, _reply, done) => {
  delete request.raw.headers['content-type'];
  done();
};

/**
 * The fields of a contract as the function that Fastify validates a body with:
 * JSON goes in, typed values come out, or the refusal of the first field that is
 * wrong. Fields that the contract does not know are ignored, whatever their names.
 */
export function compileBody(fields: Fields): (body: unknown) => Read {
  const entries = Object.entries(fields);
  return (body) => {
    if (!isObject(body)) {
      return { error: new ApiError('invalid_json', { message: 'the body must be a JSON object' }) };
    }
    const value: Record<string, unknown> = {};
    try {
      for (const [name, { read }] of entries) {
        value[name] = read(Object.hasOwn(body, name) ? body[name] : undefined, name);
      }
    } catch (error) {
      if (error instanceof ApiError) return { error };
      throw error;
    }
    return { value };
  };
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function isPacked({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'identity';
}
