/** Bounds of the API's sockets: of descriptors, of time and of memory. */
export interface SocketLimits {
  /** Connections of this process; more are closed as they come. */
  readonly maxConnections: number;
  /** Connections of one address, or of one IPv6 network /64. 0 sets no bound. */
  readonly maxPerAddress: number;
  /** A request must have arrived whole by then, and the first one have begun. Milliseconds, as all times here. */
  readonly requestTimeoutMs: number;
  /** Milliseconds between two looks for requests that are overdue. */
  readonly timeoutCheckMs: number;
  /** Milliseconds that a connection may stay open between two requests. */
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds in which nothing of an answer is taken, after which its connection is dropped. */
  readonly stalledMs: number;
  /** Milliseconds that the taking of one answer may last, however busily. */
  readonly answerTimeoutMs: number;
  /** Milliseconds that the other side gets to read our last words and close, after which the socket is destroyed. */
  readonly lingerMs: number;
  /** Bytes of answers that nobody has taken yet, of all connections. Above it those of the largest network are dropped. */
  readonly maxUnreadBytes: number;
  /** Requests of one connection that wait for their answers to be taken: pipelining. */
  readonly maxUnanswered: number;
  /** Connections over the bound of their address that are told so at the same time; the others are closed without a word. */
  readonly maxRefusals: number;
  /** Between two looks at what nobody reads. */
  readonly sweepMs: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  maxConnections: 1_024,
  maxPerAddress: 256,
  requestTimeoutMs: 15_000,
  timeoutCheckMs: 5_000,
  // Longer than the idle timeouts of common proxies, so that they close first and no request meets a closing socket.
  keepAliveTimeoutMs: 75_000,
  stalledMs: 20_000,
  answerTimeoutMs: 120_000,
  lingerMs: 2_000,
  maxUnreadBytes: 64 * 1024 ** 2,
  maxUnanswered: 64,
  maxRefusals: 64,
  sweepMs: 250,
};
