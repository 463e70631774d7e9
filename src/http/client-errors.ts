import type { Socket } from 'node:net';
import type { ErrorCode } from '../contract/errors.ts';
import type { RawAnswer } from './raw-answer.ts';
import type { UnclearConnections } from './request-head.ts';

/** Our codes for the faults with which the HTTP parser gives up. */
const PARSER_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The first line of a request whose method the parser does not know. */
const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}) \/[^\s]* HTTP\/1\.[01]\r\n/;
/** Every method of the contract: there is no path yet that would know fewer. */
const ALL_METHODS = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';

/** Of the parser, with what was being parsed and how far that went; or of the socket, without. */
interface ClientError {
  readonly code?: string | undefined;
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number | undefined;
}

/** Answers what never became a request, on its connection, which ends with it. */
export interface ClientErrorAnswers {
  /** Broken HTTP, headers over the limit, requests that stopped arriving, methods that the parser does not know. */
  clientError(error: ClientError, socket: Socket): void;
  /** CONNECT, which Node takes for no request: this is no proxy. */
  connect(request: unknown, socket: Socket): void;
}

export interface ClientErrorOptions {
  readonly answer: RawAnswer;
  /** Sees to it that the socket closes: the other side may never do so. */
  readonly letGo: (socket: Socket) => void;
  /** True while an answer is under way on a connection. */
  readonly isAnswering: (socket: Socket) => boolean;
  /** Connections that have their refusal already. */
  readonly unclear: UnclearConnections;
}

/** There is no response object yet, so answers are written to the socket as they are. */
export function createClientErrorAnswers(options: ClientErrorOptions): ClientErrorAnswers {
  const { answer, letGo, isAnswering, unclear } = options;
  function end(socket: Socket, code: ErrorCode): void {
    // Its bytes would be taken for the answer that the client waits for.
    if (isAnswering(socket)) {
      socket.destroy();
      return;
    }
    letGo(socket);
    socket.end(answer(code, code === 'method_not_allowed' ? { Allow: ALL_METHODS } : {}));
  }

  return {
    clientError(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else if (!unclear.has(socket)) end(socket, codeOf(error));
    },
    connect(_request, socket) {
      socket.on('error', () => socket.destroy());
      end(socket, 'method_not_allowed');
    },
  };
}

function codeOf({ code = '', rawPacket, bytesParsed = 0 }: ClientError): ErrorCode {
  if (code !== 'HPE_INVALID_METHOD') return PARSER_CODES[code] ?? 'invalid_request';
  // Behind another request in the same packet the line is not at its beginning: that is no HTTP, as before.
  const method = REQUEST_LINE.exec(Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '')?.[1];
  return method !== undefined && bytesParsed <= method.length ? 'method_not_allowed' : 'invalid_request';
}
