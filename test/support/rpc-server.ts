import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A node's answer to one call. */
export type RpcReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export interface RpcServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A JSON-RPC server on loopback. */
export async function startRpcServer(
  reply: (method: string, params: readonly unknown[], headers: IncomingHttpHeaders) => RpcReply | Promise<RpcReply>,
): Promise<RpcServer> {
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await textOf(request));
    const answer = await reply(method, params, request.headers);
    if ('status' in answer) {
      response.writeHead(answer.status, answer.headers).end('no');
      return;
    }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
