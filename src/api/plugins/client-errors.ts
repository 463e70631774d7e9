import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode } from '../contract/errors.ts';
import { API_VERSION } from '../contract/headers.ts';
import { errorBody } from './errors.ts';
import type { UnclearConnections } from './request-head.ts';
import { securityHeaders } from './security-headers.ts';

/** What the HTTP parser gives up with, in our words. */
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
  connect(request: unknown, socket: Duplex): void;
}

export interface ClientErrorOptions {
  readonly newRequestId: () => string;
  readonly isHttps: boolean;
  /** Connections that have their refusal already. */
  readonly unclear: UnclearConnections;
}

/** There is no response object yet, so answers are written to the socket as they are. */
export function createClientErrorAnswers({ newRequestId, isHttps, unclear }: ClientErrorOptions): ClientErrorAnswers {
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

  function end(socket: Duplex, code: ErrorCode): void {
    const answer = new ApiError(code);
    const allow = code === 'method_not_allowed' ? `Allow: ${ALL_METHODS}\r\n` : '';
    const requestId = newRequestId();
    const body = JSON.stringify(errorBody(answer, requestId));
    socket.end(
      `HTTP/1.1 ${answer.entry.status} ${STATUS_CODES[answer.entry.status]}\r\n${constant}${allow}` +
        `X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
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
