import { type Agent, request } from 'node:http';

/** The end of a request. */
export type Fate =
  | { readonly kind: 'answered'; readonly status: number; readonly cost: number }
  /** It may have been served, and its answer was never heard. */
  | { readonly kind: 'broke' }
  /** It never left. */
  | { readonly kind: 'unsent' };

export interface HttpCall {
  readonly agent: Agent;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Sends a GET, and never rejects. What an answer costs is heard with its headers. */
export function call({ agent, port, path, headers, timeoutMs }: HttpCall): Promise<Fate> {
  return new Promise((resolve) => {
    let sent = false;
    const sending = request({ agent, host: '127.0.0.1', port, path, headers, timeout: timeoutMs });
    sending.on('socket', (socket) => {
      if (!socket.connecting) sent = true;
      else
        socket.once('connect', () => {
          sent = true;
        });
    });
    sending.on('timeout', () => sending.destroy(new Error('it took too long')));
    sending.on('error', () => resolve({ kind: sent ? 'broke' : 'unsent' }));
    sending.on('response', (response) => {
      const told = response.headers['x-credits-cost'];
      resolve({ kind: 'answered', status: response.statusCode ?? 0, cost: told === undefined ? 0 : Number(told) });
      response.on('error', () => {});
      response.resume();
    });
    sending.end();
  });
}
