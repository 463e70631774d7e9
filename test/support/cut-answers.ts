import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { StoreConnection } from '../../src/store/clickhouse/client.ts';

/** Cuts of the bodies of answers: `uncounted` takes away the header that says how many rows there are. */
export type AnswerCut = 'none' | 'all' | 'half' | 'uncounted';

/** A way to a ClickHouse on which answers lose their bodies under a status of 200, as its full disk makes it answer. */
export interface CutAnswers {
  readonly connection: StoreConnection;
  /** The cut of answers from now on. */
  cut: AnswerCut;
  /** Answers that were cut, and queries that were refused. */
  readonly cuts: number;
  /** The server's error that queries are answered by, as ClickHouse answers errors; undefined for none. */
  refusal: { readonly code: number; readonly message: string } | undefined;
  close(): Promise<void>;
}

const SUMMARY = 'x-clickhouse-summary';

export async function startCutAnswers(behind: StoreConnection): Promise<CutAnswers> {
  let cuts = 0;
  const server = createServer(async (request, reply) => {
    const { refusal } = way;
    const body = await buffer(request);
    if (refusal !== undefined) {
      cuts += 1;
      reply.writeHead(500, { 'X-ClickHouse-Exception-Code': String(refusal.code) }).end(refusal.message);
      return;
    }
    const { host: _, ...headers } = request.headers;
    const asked = httpRequest(new URL(request.url ?? '/', behind.url), { method: request.method, headers });
    asked.on('error', () => reply.destroy()).end(body);
    const [answer] = (await once(asked, 'response').catch(() => [])) as [IncomingMessage?];
    if (answer === undefined) return;
    const bytes = await buffer(answer);
    const { 'transfer-encoding': __, ...kept } = answer.headers;
    const status = answer.statusCode ?? 502;
    const isCut = way.cut !== 'none' && status === 200;
    if (isCut) cuts += 1;
    if (isCut && way.cut === 'uncounted') delete kept[SUMMARY];
    reply.writeHead(status, kept).end(isCut ? partOf(bytes, way.cut) : bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const way: { -readonly [K in keyof CutAnswers]: CutAnswers[K] } = {
    connection: { ...behind, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    cut: 'none',
    refusal: undefined,
    get cuts() {
      return cuts;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return way;
}

function partOf(bytes: Buffer, cut: AnswerCut): Buffer {
  if (cut === 'all') return bytes.subarray(0, 0);
  // Wherever that is: at the end of a row, as the engine cuts, or inside of one.
  return cut === 'half' ? bytes.subarray(0, bytes.length >> 1) : bytes;
}
