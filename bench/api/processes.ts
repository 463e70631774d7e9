import { type ChildProcess, fork, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BOOK_RATE } from '../metering/account-book.ts';
import { provideCallers } from './callers.ts';

const START_TIMEOUT_MS = 120_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Running {
  /** Base URL, without a slash at its end. */
  readonly address: string;
  readonly stop: () => Promise<void>;
}

export interface Service extends Running {
  /** Of {@link CALLERS} accounts, without a limit that a benchmark meets. */
  readonly keys: readonly string[];
  readonly pid: number;
}

/** One answer of the service, to be sent by the baseline too. */
export interface Recorded {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64. */
  readonly body: string;
}

/**
 * The service as `npm start` runs it, on the simulated chain, with an empty data folder of its own into which customers
 * are put first; `settings` are of its environment.
 */
export async function startService(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const { keys, plansFile } = await provideCallers(dataDir);
  const child = spawn(process.execPath, ['bin/mintscope.mjs', 'serve'], {
    cwd: root,
    env: {
      ...process.env,
      MINTSCOPE_PORT: '0',
      MINTSCOPE_DATA_DIR: dataDir,
      MINTSCOPE_LOG_LEVEL: 'warn',
      MINTSCOPE_PLANS: plansFile,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await first(child, (resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const { api } = JSON.parse(line) as { readonly api: string };
  const service = { address: api, keys, pid: child.pid ?? 0, stop: () => end(child) };
  try {
    for (const key of keys) await assertUnhindered(api, key);
  } catch (error) {
    await service.stop();
    throw error;
  }
  return service;
}

/**
 * Throws unless the key has the bench's limit. A short run may not meet the limit on a slow machine, so it is read and
 * not waited for.
 */
async function assertUnhindered(api: string, key: string): Promise<void> {
  const { status, headers } = await fetch(`${api}/account/balance`, { headers: { 'x-api-key': key } });
  const burst = Number(headers.get('x-ratelimit-limit'));
  if (status !== 200 || burst !== BOOK_RATE.burst) {
    throw new Error(`a customer of the bench is answered ${status}, and may ask ${burst} times at once`);
  }
}

export async function startBareServer(recorded: readonly Recorded[]): Promise<Running> {
  const child = fork(fileURLToPath(new URL('bare-server.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  const address = first(child, (resolve) => child.once('message', (message) => resolve(String(message))));
  child.send(recorded);
  return { address: await address, stop: () => end(child) };
}

/** The first word of a child; rejects when it ends or stays silent instead. */
function first(child: ChildProcess, listen: (resolve: (text: string) => void) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing was said in ${START_TIMEOUT_MS} ms`)), START_TIMEOUT_MS);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    child.once('exit', (code) => settle(() => reject(new Error(`ended with ${code} before it was ready`))));
    listen((text) => settle(() => resolve(text)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}
