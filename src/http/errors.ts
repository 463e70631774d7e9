import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody, Problem } from '../contract/error-body.ts';
import { ApiError, type ErrorCode } from '../contract/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { acceptsProblem, PROBLEM_TYPE } from './accepts-problem.ts';
import { settle } from './charge.ts';
import { ERRORS_PATH } from './error-pages.ts';
import type { AnswerHeaders } from './headers.ts';
import { storeFault } from './store-faults.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Our codes for what the framework refuses on its own. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid_param',
};

export interface ErrorAnswers {
  readonly log: Logger;
  readonly headers: AnswerHeaders;
}

/** Gives every refusal and failure one shape, refunds what it does not cost, and keeps causes in the log. */
export function answerErrors(app: FastifyInstance, { log, headers }: ErrorAnswers): void {
  app.setNotFoundHandler((request, reply) => {
    sendError(request, reply, new ApiError('not_found'), headers);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = toApiError(error);
    const { status } = answer.entry;
    if (status >= 500) {
      const fields = {
        request_id: request.id,
        route: request.routeOptions.url,
        code: answer.code,
        err: answer.cause,
      };
      if (status === 500) log.error(fields, 'a request failed');
      else log.warn(fields, 'a request could not be answered');
    }
    sendError(request, reply, answer, headers);
  });
}

/** Every error as one of the catalogue. What is not ours stays inside as the cause. */
export function toApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error;
  const fault = storeFault(error);
  if (fault !== undefined) return fault;
  const code = 'code' in error ? error.code : '';
  const known = FRAMEWORK_CODES[code];
  if (known !== undefined) return new ApiError(known);
  const isRefusal = code.startsWith('FST_ERR_') && 'statusCode' in error && (error.statusCode ?? 500) < 500;
  return isRefusal ? new ApiError('invalid_request') : new ApiError('internal', { cause: error });
}

/** Sends an error through the framework, so that headers set so far (Allow, those of deprecation) go with it. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError, headers: AnswerHeaders): void {
  const { status } = error.entry;
  const { cacheControl = 'no-store', retryAfter, slot } = error;
  const free = status === 404 && request.routeOptions.config.freeWhenAbsent === true;
  const metered = settle(request.reservation, status, free ? 0 : undefined);
  reply.code(status);
  if (metered !== undefined) headers.data(reply, cacheControl, metered, slot);
  else {
    headers.free(reply, cacheControl);
    if (isPaidWithKey(request)) reply.header('x-credits-cost', 0);
  }
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  // A cache may keep some, and must not give one form to who asks for the other.
  reply.header('vary', 'Accept');
  const wantsProblem = acceptsProblem(request.headers.accept);
  reply.header('content-type', wantsProblem ? PROBLEM_TYPE : JSON_TYPE);
  reply.send(JSON.stringify(wantsProblem ? problem(error, request.id, headers.origin) : errorBody(error, request.id)));
}

/** Where an answer would have told its cost, a refusal tells that it has none: whoever sums up what calls cost misses nothing. */
function isPaidWithKey({ routeOptions, headers }: FastifyRequest): boolean {
  return routeOptions.config.metered === true && Boolean(headers['x-api-key']);
}

export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const { code, message, param } = error;
  return {
    error: {
      code,
      message,
      ...(param === undefined ? {} : { param }),
      request_id: requestId,
      ...detailsOf(error),
    },
  };
}

function problem(error: ApiError, requestId: string, origin: string): Problem {
  return {
    type: `${origin}${ERRORS_PATH}/${error.code}`,
    title: error.entry.message,
    status: error.entry.status,
    code: error.code,
    detail: error.message,
    instance: `/req/${requestId}`,
    ...(error.param === undefined ? {} : { param: error.param }),
    ...detailsOf(error),
  };
}

function detailsOf({ details }: ApiError): Pick<ErrorBody['error'], 'details'> {
  return details === undefined ? {} : { details: { ...details } };
}
