import type { FastifyInstance, InjectOptions } from 'fastify';
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import { ErrorBody } from '../../../src/contract/error-body.ts';
import { ERRORS, type ErrorCode } from '../../../src/contract/errors.ts';
import { API_VERSION } from '../../../src/contract/headers.ts';
import { type RouteContract, routeErrors } from '../../../src/contract/route.ts';

export type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;

/**
 * Asks a route, and holds what is true of every answer: no error that the contract
 * does not declare, one shape of errors, and the headers that all have.
 */
export async function ask(app: FastifyInstance, route: RouteContract, request: InjectOptions): Promise<Answer> {
  const answer = await app.inject(request);
  const { headers, statusCode } = answer;
  expect(headers['x-request-id']).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(headers['x-api-version']).toBe(API_VERSION);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-credentials']).toBeUndefined();
  if (statusCode === 429 || statusCode === 503) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  else expect(headers['retry-after']).toBeUndefined();
  if (statusCode >= 400 && request.method === route.method) {
    const code = codeOf(answer);
    expect([code, ...routeErrors(route)].indexOf(code, 1), `${route.name} declares ${code}`).toBeGreaterThan(0);
    expect(ERRORS[code].status).toBe(statusCode);
  }
  return answer;
}

/** The code of a refusal, which has the shape that all have. */
export function codeOf(answer: Answer): ErrorCode {
  const body = answer.json();
  expect([...Value.Errors(ErrorBody, body)]).toEqual([]);
  expect(body.error.request_id).toBe(answer.headers['x-request-id']);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  return body.error.code;
}

/** `refused as code`, or the status of a success: what a test says of an answer. */
export function outcomeOf(answer: Answer): ErrorCode | number {
  return answer.statusCode < 400 ? answer.statusCode : codeOf(answer);
}
