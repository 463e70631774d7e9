import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The service as a user starts it, in a process of its own, to be killed. */
export interface ServiceProcess {
  /** Resolves with the address of its API once it answers. Rejects when it ends before. */
  readonly ready: Promise<string>;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Of its ClickHouse, as it is now; undefined before that is up. */
  readonly enginePid: number | undefined;
  /** Port that its ClickHouse listens on. */
  readonly enginePort: number | undefined;
  /** Starts of its ClickHouse so far. */
  readonly engineStarts: number;
  /** Its last lines of the log, to explain a failure. */
  readonly lastLines: readonly string[];
  kill(signal: NodeJS.Signals): void;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENGINE_IS_UP = 'embedded ClickHouse is up';
const KEPT_LINES = 30;

export function startServiceProcess(settings: Readonly<Record<string, string>>): ServiceProcess {
  const child = spawn(process.execPath, ['bin/mintscope.mjs', 'serve'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      MINTSCOPE_PORT: '0',
      MINTSCOPE_LOG_LEVEL: 'info',
      MINTSCOPE_SOL_PRICE: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lastLines: string[] = [];
  let engine: { readonly pid: number; readonly port: number } | undefined;
  let engineStarts = 0;
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > KEPT_LINES) lastLines.shift();
    if (!line.includes(ENGINE_IS_UP)) return;
    engine = JSON.parse(line) as { readonly pid: number; readonly port: number };
    engineStarts += 1;
  });
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const ready = readyLine(child, exited, lastLines);
  // Whoever kills it before it is ready does not ask.
  ready.catch(() => {});
  return {
    ready,
    exited,
    get enginePid() {
      return engine?.pid;
    },
    get enginePort() {
      return engine?.port;
    },
    get engineStarts() {
      return engineStarts;
    },
    lastLines,
    kill: (signal) => {
      child.kill(signal);
    },
  };
}

async function readyLine(child: ChildProcess, exited: Promise<unknown>, lastLines: readonly string[]): Promise<string> {
  const line = once(createInterface({ input: child.stdout! }), 'line');
  const first = await Promise.race([line, exited]);
  if (!Array.isArray(first)) throw new Error(`the service ended before it was ready:\n${lastLines.join('\n')}`);
  return (JSON.parse(String(first[0])) as { readonly api: string }).api;
}
