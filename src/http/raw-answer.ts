import { STATUS_CODES } from 'node:http';
import { ApiError, type ErrorCode } from '../contract/errors.ts';
import { API_VERSION } from '../contract/headers.ts';
import { errorBody } from './errors.ts';
import { securityHeaders } from './security-headers.ts';

/** The bytes of a whole answer, with headers of its own besides those of every error. */
export type RawAnswer = (code: ErrorCode, headers?: Readonly<Record<string, string>>) => string;

/**
 * Makes whole answers in the bytes of HTTP, for sockets that have no response
 * object: what never became a request, and connections that are not served.
 */
export function createRawAnswers(newRequestId: () => string, isHttps: boolean): RawAnswer {
  const constant = Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Api-Version': API_VERSION,
    ...securityHeaders(isHttps),
    'Access-Control-Allow-Origin': '*',
    Connection: 'close',
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return (code, headers = {}) => {
    const answer = new ApiError(code);
    const requestId = newRequestId();
    const body = JSON.stringify(errorBody(answer, requestId));
    const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return (
      `HTTP/1.1 ${answer.entry.status} ${STATUS_CODES[answer.entry.status]}\r\n${constant}${own.join('')}` +
      `X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  };
}
