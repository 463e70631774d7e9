import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

/** A server of the benchmark, in a process of its own. */
export interface MeasuredServer {
  readonly address: string;
  /** Microseconds of processor that it has used so far. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

export interface Load {
  readonly path: string;
  /** Sent in turn, each connection its own part of them; all send it when it is one. */
  readonly keys: readonly string[];
  readonly requests: number;
  readonly connections: number;
}

const SCRIPT = fileURLToPath(new URL('api-server.ts', import.meta.url));

/** Starts one: over accounts, a database's URL and a file of plans, or without metering. */
export async function startServer(
  accounts: readonly [url: string, plansFile: string] | undefined,
): Promise<MeasuredServer> {
  const child = fork(SCRIPT, accounts ?? [], { execArgv: ['--import', 'tsx'] });
  const { address } = await message<{ readonly address: string }>(child);
  return {
    address,
    async cpuMicros() {
      child.send('how much?');
      return (await message<{ readonly cpuMicros: number }>(child)).cpuMicros;
    },
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** Microseconds of processor that a request takes, over so many. */
export async function cpuOfRequest(
  server: MeasuredServer,
  { path, keys, requests, connections }: Load,
): Promise<number> {
  let connection = 0;
  const before = await server.cpuMicros();
  const {
    non2xx,
    errors,
    timeouts,
    statusCodeStats,
    requests: made,
  } = await autocannon({
    url: server.address + path,
    connections,
    amount: requests,
    setupClient(client) {
      const own = keys.filter((_, index) => keys.length < connections || index % connections === connection);
      connection += 1;
      client.setRequests(own.map((key) => ({ method: 'GET', path, headers: { 'x-api-key': key } })));
    },
  });
  if (non2xx > 0 || errors > 0) {
    const statuses = JSON.stringify(statusCodeStats);
    throw new Error(`${path}: ${non2xx} refused of ${statuses}, ${errors} failed, ${timeouts} of them by waiting`);
  }
  return ((await server.cpuMicros()) - before) / made.total;
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a server ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (said) => {
      child.off('exit', ended);
      resolve(said as T);
    });
  });
}
