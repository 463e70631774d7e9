import type { Socket } from 'node:net';
import { ApiError, type ErrorCode } from '../contract/errors.ts';
import { errorBody } from './errors.ts';

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
export function answerClientErrors(newRequestId: () => string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const answer = new ApiError(PARSER_CODES[error.code ?? ''] ?? 'invalid_request');
    const body = JSON.stringify(errorBody(answer, newRequestId()));
    socket.end(
      `HTTP/1.1 ${answer.entry.status} ${answer.code}\r\n` +
        'Content-Type: application/json; charset=utf-8\r\n' +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  };
}
