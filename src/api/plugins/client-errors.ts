import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, type ErrorCode } from '../contract/errors.ts';
import { API_VERSION } from '../contract/headers.ts';
import { errorBody } from './errors.ts';
import { securityHeaders } from './security-headers.ts';

/** What the HTTP parser gives up with, in our words. */
const PARSER_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Answers what never became a request: broken HTTP, headers over the limit,
 * requests that stopped arriving. There is no response object yet, so the
 * answer is written to the socket as it is.
 */
export function answerClientErrors(newRequestId: () => string, isHttps: boolean) {
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
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const answer = new ApiError(PARSER_CODES[error.code ?? ''] ?? 'invalid_request');
    const requestId = newRequestId();
    const body = JSON.stringify(errorBody(answer, requestId));
    socket.end(
      `HTTP/1.1 ${answer.entry.status} ${STATUS_CODES[answer.entry.status]}\r\n${constant}` +
        `X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}
