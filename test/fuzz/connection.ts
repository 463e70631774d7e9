import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createAnswerReader, type WireAnswer } from './answer-reader.ts';

/** One socket to the service, which carries whatever bytes it is given: the requests of the campaign need not be HTTP. */
export interface Connection {
  /** False once either side has closed it. */
  readonly open: boolean;
  /**
   * Sends bytes and resolves with the next answer. One at a time.
   * @throws {WireFault} when none comes in time, the socket breaks, or what comes is no HTTP.
   */
  exchange(bytes: Uint8Array, options: ExchangeOptions): Promise<WireAnswer>;
  close(): void;
}

export interface ExchangeOptions {
  /** The answer to HEAD has no body, whatever its headers say. */
  readonly isHead: boolean;
  readonly timeoutMs: number;
}

export type WireFaultKind = 'silent' | 'closed' | 'malformed';

/** No answer, or one that no client could read. */
export class WireFault extends Error {
  override readonly name = 'WireFault';
  readonly kind: WireFaultKind;

  constructor(kind: WireFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

interface Waiting {
  readonly take: (answer: WireAnswer) => void;
  readonly fail: (fault: WireFault) => void;
}

/** Connects from one of the machine's own loopback addresses: each is a client of its own to the service. */
export async function openConnection(port: number, localAddress: string): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
  // Kept for the life of the socket: an error that nobody waits for is told by the next exchange.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return new SocketConnection(socket);
}

class SocketConnection implements Connection {
  readonly #socket: Socket;
  readonly #reader = createAnswerReader();
  #waiting: Waiting | undefined;
  #sentAt = 0;
  #broken: WireFault | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('close', () => this.#end());
  }

  get open(): boolean {
    return this.#broken === undefined && this.#socket.writable;
  }

  async exchange(bytes: Uint8Array, { isHead, timeoutMs }: ExchangeOptions): Promise<WireAnswer> {
    if (this.#broken !== undefined) throw this.#broken;
    this.#reader.expect(isHead);
    this.#sentAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<WireAnswer>((resolve, reject) => {
        this.#waiting = { take: resolve, fail: reject };
        timer = setTimeout(() => this.#fail(new WireFault('silent', `no answer within ${timeoutMs} ms`)), timeoutMs);
        this.#socket.write(bytes);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    let answer: WireAnswer | undefined;
    try {
      answer = this.#reader.push(bytes, performance.now() - this.#sentAt);
    } catch (error) {
      this.#fail(new WireFault('malformed', String(error)));
      return;
    }
    if (answer === undefined) return;
    if (this.#waiting === undefined) this.#fail(new WireFault('malformed', 'an answer that nobody asked for'));
    else this.#waiting.take(answer);
  }

  #end(): void {
    const answer = this.#reader.end(performance.now() - this.#sentAt);
    if (answer !== undefined) this.#waiting?.take(answer);
    this.#fail(new WireFault('closed', 'the connection was closed before an answer'));
  }

  #fail(fault: WireFault): void {
    this.#broken ??= fault;
    this.#waiting?.fail(fault);
    this.#socket.destroy();
  }
}
