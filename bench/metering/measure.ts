import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Load, load } from '../api/load.ts';

/** A server of the benchmark, in a process of its own. */
export interface MeasuredServer {
  readonly address: string;
  /** Microseconds of processor that it has used so far. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
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
export async function cpuOfRequest(server: MeasuredServer, asked: Omit<Load, 'address'>): Promise<number> {
  const before = await server.cpuMicros();
  const { answered } = await load({ ...asked, address: server.address });
  return ((await server.cpuMicros()) - before) / answered;
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
