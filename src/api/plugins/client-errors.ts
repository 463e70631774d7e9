import type { Socket } from 'node:net';
import type { ErrorCode } from '../contract/errors.ts';

/** What the HTTP parser gives up with, in our words. */
const PARSER_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

export interface ClientErrorsOptions {
  readonly answer: (code: ErrorCode) => string;
  /** Sees to it that the socket closes: the other side may never do so. */
  readonly letGo: (socket: Socket) => void;
}

/**
 * Answers what never became a request: broken HTTP, headers over the limit,
 * requests that stopped arriving. There is no response object yet, so the
 * answer is written to the socket as it is.
 */
export function answerClientErrors({ answer, letGo }: ClientErrorsOptions) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    letGo(socket);
    socket.end(answer(PARSER_CODES[error.code ?? ''] ?? 'invalid_request'));
  };
}
