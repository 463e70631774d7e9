import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** The answer to bytes that no client would send. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Listens on a free port of loopback. Resolves with the port. */
export async function listen(app: FastifyInstance): Promise<number> {
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

/** Sends bytes as they are, and resolves with every answer once the server has closed the connection. */
export function sendRaw(port: number, text: string): Promise<readonly RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')));
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(readAnswers(Buffer.concat(received).toString('latin1'))));
  });
}

/** A request that ends its connection, so that {@link sendRaw} sees the end of the answers. */
export function rawRequest(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const all = { Host: '127.0.0.1', Connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`no answer: ${JSON.stringify(rest.slice(0, 100))}`);
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
    answers.push({ status: Number(first.split(' ')[1]), headers, body: rest.slice(end + 4, bodyEnd) });
    rest = rest.slice(bodyEnd);
  }
  return answers;
}
