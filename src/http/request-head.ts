import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { onRequestHookHandler } from 'fastify';
import { ApiError } from '../contract/errors.ts';

/**
 * Connections on which a proxy in front could see a body's end in another place: the
 * parser takes every list of codings that ends in `chunked`, and hands over those that
 * do not before it refuses them. What follows on such a connection may be part of the
 * body, and is not carried out either; it ends with the first answer.
 */
export type UnclearConnections = WeakSet<Duplex>;

const CONTINUE = '100-continue';

/**
 * Refuses requests whose head leaves open what is meant: HTTP/1.1 without a Host,
 * a Transfer-Encoding besides `chunked`, an Expect besides `100-continue`. Node
 * would answer the first and the last without a body, and lets the second pass.
 */
export function refuseUnclearHeads(server: Server, unclear: UnclearConnections): onRequestHookHandler {
  noteUnclearConnections(server, unclear);
  hearExpectations(server);
  return ({ raw }, reply, done) => {
    if (unclear.has(raw.socket)) {
      done(new ApiError('invalid_request', { message: 'Transfer-Encoding must be chunked and nothing else' }));
    } else if (!isMet(raw)) {
      // The client may still send the body or not, so nothing may follow it.
      reply.header('connection', 'close');
      done(new ApiError('expectation_failed'));
    } else {
      done(raw.headers.host === undefined && raw.httpVersion === '1.1' ? new ApiError('invalid_request') : undefined);
    }
  };
}

function noteUnclearConnections(server: Server, unclear: UnclearConnections): void {
  server.prependListener('request', ({ headers, httpVersion, socket }: IncomingMessage, response: ServerResponse) => {
    const coding = headers['transfer-encoding'];
    if (coding === undefined || (coding.toLowerCase() === 'chunked' && httpVersion === '1.1')) return;
    unclear.add(socket);
    response.shouldKeepAlive = false;
  });
}

/** Brings requests with an Expect to the application, and says `100 Continue` to those that ask for nothing else. */
function hearExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Node takes every list with the word in it for this.
    if (isMet(request)) response.writeContinue();
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** HTTP/1.0 knows no expectations. It is a list, in which one may stand twice (RFC 9110, 10.1.1). */
function isMet({ headers: { expect }, httpVersion }: IncomingMessage): boolean {
  if (expect === undefined || httpVersion !== '1.1') return true;
  return expect.split(',').every((each) => each.trim().toLowerCase() === CONTINUE);
}
