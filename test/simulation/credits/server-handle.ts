import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readWriteRecord, type WriteRecord } from './write-record.ts';

/** One process after another that serves the API, in one place of several. */
export interface ServerHandle {
  readonly name: string;
  /** Undefined while it does not answer. */
  readonly port: number | undefined;
  readonly agent: Agent;
  /** Its last lines, to explain a failure. */
  readonly lastLines: readonly string[];
  /** Resolves when it listens. Rejects when it ended before. */
  start(): Promise<void>;
  /** Starts it and does not wait. */
  launch(): void;
  /** Resolves when it is gone, with what it said of its writes until then. */
  kill(): Promise<WriteRecord | undefined>;
  freeze(): void;
  thaw(): void;
  /** In order. @throws {Error} when it ends with anything but 0. */
  stop(): Promise<void>;
}

const KEPT_LINES = 20;
const SOCKETS = 24;
const SCRIPT = fileURLToPath(new URL('server-process.ts', import.meta.url));

/** `argv`: the database's URL and the file of plans; `recordFile`: where it keeps the record of its writes. */
export function createServer(name: string, argv: readonly string[], recordFile: string): ServerHandle {
  const lastLines: string[] = [];
  let child: ChildProcess | undefined;
  let agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  let port: number | undefined;

  function launch(): ChildProcess {
    port = undefined;
    agent.destroy();
    agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
    rmSync(recordFile, { force: true });
    const started = fork(SCRIPT, [...argv, recordFile], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    createInterface({ input: started.stderr! }).on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > KEPT_LINES) lastLines.shift();
    });
    child = started;
    return started;
  }

  async function gone(signal: NodeJS.Signals): Promise<number | null> {
    const ending = child;
    child = undefined;
    port = undefined;
    if (ending === undefined) return 0;
    if (ending.exitCode !== null || ending.signalCode !== null) return ending.exitCode;
    const exited = once(ending, 'exit');
    ending.kill(signal);
    const [code] = await exited;
    return code as number | null;
  }

  return {
    name,
    lastLines,
    get port() {
      return port;
    },
    get agent() {
      return agent;
    },
    launch,
    async start() {
      const started = launch();
      const exited = once(started, 'exit').then(([code]) => {
        throw new Error(`${name} ended with ${code} before it was ready:\n${lastLines.join('\n')}`);
      });
      const [message] = (await Promise.race([once(started, 'message'), exited])) as [{ readonly port: number }];
      // Nobody waits for its end any more.
      exited.catch(() => {});
      port = message.port;
    },
    async kill() {
      await gone('SIGKILL');
      return readWriteRecord(recordFile);
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async stop() {
      const code = await gone('SIGTERM');
      if (code !== 0) throw new Error(`${name} ended with ${code} when it was asked to stop:\n${lastLines.join('\n')}`);
    },
  };
}
